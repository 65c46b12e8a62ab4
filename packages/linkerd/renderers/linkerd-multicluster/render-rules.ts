import type { Problem } from '#base/findings/problem';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import { checkDnsLabel } from '#kubernetes/names';
import { INJECTION_FINDINGS } from '../../injection/findings';
import { withoutNulls } from '../chart-view';
import { LINKERD_CHART_FINDINGS } from '../findings';
import {
  checkControlPlaneNamespace,
  checkImageVersions,
  checkMissingMaps,
  checkMissingTexts,
  checkNullLabels,
} from '../missing-values';
import { checkPodSecurityPolicy } from '../pod-security-policy';
import { checkPrivateKeys } from '../private-keys';
import { linkNames, remoteAccounts } from './named-values';

/**
 * Checks that the multi-cluster extension can be rendered: reports values that the official chart refuses or breaks on,
 * and private keys that would be in Git.
 *
 * @param values - all values of the chart, as for `renderMulticluster`
 */
export function checkMulticlusterRender(values: Values): readonly Problem[] {
  const given = withoutNulls(values);
  const has = enabledParts(given);
  const structure = [
    ...checkMissingMaps(given, neededMaps(has)),
    ...checkControlPlaneNamespace({ linkerdNamespace: given.linkerdNamespace as string | undefined }),
    ...checkControllers(given.controllers),
  ];
  if (structure.length > 0) return structure;
  return [
    ...checkMissingTexts(given, neededTexts(has)),
    ...checkImageVersions(given, [], neededVersions(has)),
    ...checkNullLabels(values),
    ...checkMissingRelease(given),
    ...(has.gateway ? checkGatewayName(given) : []),
    ...checkAccounts(given),
    ...checkPodSecurityPolicy(given),
    ...checkPrivateKeys(given),
  ];
}

interface Parts {
  readonly gateway: boolean;
  readonly links: boolean;
  readonly job: boolean;
}

function enabledParts(values: Values): Parts {
  return {
    gateway: valueAt(values, 'gateway.enabled') === true,
    links: Array.isArray(values.controllers) && values.controllers.length > 0,
    job: values.createNamespaceMetadataJob === true,
  };
}

function neededMaps({ gateway, links, job }: Parts): readonly string[] {
  return [
    'gateway',
    'localServiceMirror',
    'localServiceMirror.image',
    ...(gateway ? ['gateway.probe'] : []),
    ...(links
      ? [
          'controllerDefaults',
          'controllerDefaults.image',
          'controllerDefaults.gateway',
          'controllerDefaults.gateway.probe',
        ]
      : []),
    ...(job ? ['namespaceMetadata', 'namespaceMetadata.image'] : []),
  ];
}

function neededTexts({ gateway, links, job }: Parts): readonly string[] {
  const mirrored = ['logLevel', 'logFormat'];
  return [
    ...['serviceMirrorRetryLimit', ...mirrored].map((key) => `localServiceMirror.${key}`),
    'localServiceMirror.image.name',
    ...(gateway ? ['name', 'port', 'probe.path', 'probe.port', 'probe.seconds'].map((key) => `gateway.${key}`) : []),
    ...(gateway ? ['gateway.serviceType', 'gateway.pauseImage', 'identityTrustDomain'] : []),
    ...(links
      ? ['retryLimit', 'enablePprof', 'image.name', ...mirrored].map((key) => `controllerDefaults.${key}`)
      : []),
    ...(links ? ['controllerDefaults.gateway.probe.port'] : []),
    ...(job ? ['namespaceMetadata.image.registry', 'namespaceMetadata.image.name'] : []),
  ];
}

function neededVersions({ links, job }: Parts): readonly string[] {
  return [
    'localServiceMirror.image.version',
    ...(links ? ['controllerDefaults.image.version'] : []),
    ...(job ? ['namespaceMetadata.image.tag'] : []),
  ];
}

function checkMissingRelease({ linkerdVersion }: Values): readonly Problem[] {
  if (linkerdVersion) return [];
  return [
    INJECTION_FINDINGS.injectedValueMissingValue(
      { path: 'linkerdVersion', value: JSON.stringify(linkerdVersion ?? null), expected: 'a release' },
      { about: 'values.linkerdVersion' },
    ),
  ];
}

function checkGatewayName(values: Values): readonly Problem[] {
  const name = valueAt(values, 'gateway.name');
  return typeof name === 'string' ? checkDnsLabel('values.gateway.name', name) : [];
}

const ACCOUNTS = 'remoteMirrorServiceAccountName';

function checkAccounts(values: Values): readonly Problem[] {
  if (values.remoteMirrorServiceAccount !== true) return [];
  const names = remoteAccounts(values);
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return [
    ...(names.length === 0 ? [NO_ACCOUNT] : []),
    ...names.flatMap((name) => checkDnsLabel(`values.${ACCOUNTS}`, name)),
    ...twice.map((name) =>
      LINKERD_CHART_FINDINGS.chartValueRefusedRepeated({ path: ACCOUNTS, name }, { about: `values.${ACCOUNTS}` }),
    ),
  ];
}

const NO_ACCOUNT: Problem = LINKERD_CHART_FINDINGS.chartValueMissingRemoteAccounts(
  { path: ACCOUNTS },
  { about: `values.${ACCOUNTS}` },
);

/** Prefix of the Service with which a mirror probes the gateway of the other cluster; the name of the link follows. */
const PROBE = 'probe-';

/** Maximum length of a link's name: the Service's name is a DNS label. */
const MAX_LINK_NAME = 63 - PROBE.length;

function checkControllers(controllers: Value | undefined): readonly Problem[] {
  if (controllers === undefined) return [];
  if (!Array.isArray(controllers)) {
    return [LINKERD_CHART_FINDINGS.chartValueRefusedControllers({}, { about: 'values.controllers' })];
  }
  const names = linkNames({ controllers });
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return [
    ...controllers.flatMap((controller, index) => checkController(controller, `values.controllers[${index}]`)),
    ...twice.map((name) => linkTwice(name)),
  ];
}

function checkController(controller: Value, place: string): readonly Problem[] {
  const name = isMap(controller) ? valueAt(controller, 'link.ref.name') : undefined;
  if (!isMap(controller) || typeof name !== 'string' || name === '')
    return [LINKERD_CHART_FINDINGS.chartValueMissingLinkName({ path: place }, { about: place })];
  return [...checkLinkName(`${place}.link.ref.name`, name), ...checkNoNulls(controller, place)];
}

/** Checks the name of a link, which is that of its target cluster. */
export function checkLinkName(place: string, name: string): readonly Problem[] {
  const form = checkDnsLabel(place, name);
  if (form.length > 0 || name.length <= MAX_LINK_NAME) return form;
  return [
    LINKERD_CHART_FINDINGS.chartValueRefusedLinkNameLong(
      { place, name, length: name.length, service: `${PROBE}${name}`, most: MAX_LINK_NAME },
      { about: place },
    ),
  ];
}

function linkTwice(name: string): Problem {
  return LINKERD_CHART_FINDINGS.chartValueRefusedRepeated(
    { path: 'controllers', name },
    { about: 'values.controllers' },
  );
}

/** Reports nulls in lists: Helm removes them only from maps. */
function checkNoNulls(value: Value, place: string): readonly Problem[] {
  if (value === null) {
    return [LINKERD_CHART_FINDINGS.chartValueRefusedNull({ path: place }, { about: place })];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => checkNoNulls(item, `${place}[${index}]`));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, inside]) => checkNoNulls(inside ?? null, `${place}.${key}`));
}
