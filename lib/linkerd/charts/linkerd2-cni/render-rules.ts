import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import type { CniTemplates } from '../../releases/groups/cni';
import { withoutNulls } from '../chart-view';
import { LINKERD_CHART_FINDINGS } from '../findings';
import { checkImageVersions, checkMissingMaps, checkMissingTexts } from '../missing-values';
import { checkPodSecurityPolicy } from '../pod-security-policy';
import { checkPrivateKeys } from '../private-keys';

/** Values that the network configuration contains as JSON, unquoted or without a check whether they exist. */
const PRINTED = ['inboundProxyPort', 'outboundProxyPort', 'proxyUID', 'useWaitFlag'];

const REDIRECTION = ['iptablesMode', 'proxyGID'];

/**
 * Checks that the CNI plugin can be rendered: reports what the official chart refuses, and private keys that would be
 * in Git.
 *
 * @param values - all values of the chart, as for `renderCni`
 */
export function checkCniRender(values: Values, { redirectionChosen }: CniTemplates): readonly Problem[] {
  const given = withoutNulls(values);
  return [
    ...checkMissingMaps(given, ['image', 'repairController']),
    ...checkMissingTexts(given, [...PRINTED, ...(redirectionChosen ? REDIRECTION : [])]),
    ...checkImageVersions(given, [], ['image.version']),
    ...(redirectionChosen ? checkAddressFamily(given) : []),
    ...checkPodSecurityPolicy(given),
    ...checkPrivateKeys(given),
  ];
}

function checkAddressFamily({ disableIPv6 }: Values): readonly Problem[] {
  if (typeof disableIPv6 === 'boolean') return [];
  return [
    LINKERD_CHART_FINDINGS.chartValueRefusedIpv6(
      { value: JSON.stringify(disableIPv6 ?? null) },
      { about: 'values.disableIPv6' },
    ),
  ];
}
