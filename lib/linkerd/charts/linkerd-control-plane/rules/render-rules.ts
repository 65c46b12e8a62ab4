import { checkProxyInit } from '../../../../../operator/api/injection/proxy-init';
import type { Problem } from '../../../../kubernetes/findings/problem';
import type { Values } from '../../../../kubernetes/values';
import type { ControlPlaneTemplates } from '../../../releases/groups/control-plane';
import { withoutNulls } from '../../chart-view';
import { checkPodSecurityPolicy } from '../../pod-security-policy';
import { checkPrivateKeys } from '../../private-keys';
import { checkImageVersions, checkMissingTexts } from '../../rules/missing-texts';
import { checkNullLabels } from '../../rules/null-labels';
import { checkServingCertificate } from '../../serving-certificates';
import { type ControlPlaneView, controlPlaneView, readValues } from '../control-plane-view';
import { checkIssuerKey } from './issuer-key-rules';
import { checkPodMonitors } from './pod-monitor-rules';
import { checkProxy } from './proxy-rules';
import { checkStructure } from './structure-rules';
import { checkTracedEnvironment } from './traced-environment';

/** Webhooks, by their keys in the values. */
const WEBHOOKS = ['proxyInjector', 'profileValidator', 'policyValidator'] as const;

/** Values that are printed, or handed to functions of the templates, without a look at whether they are there. */
const PRINTED = [
  'clusterDomain',
  'identityTrustAnchorsPEM',
  'proxy.enableExternalProfiles',
  'proxy.ports.admin',
  'proxy.ports.control',
  'proxy.ports.inbound',
  'proxy.ports.outbound',
];

/** Values that are printed so where proxies are told of header logs. */
const PRINTED_WITH_BOUNDS = ['proxy.logLevel'];

/** Versions of images that are Linkerd's unless values say otherwise. */
function ownImages({ policyImage }: ControlPlaneTemplates): readonly string[] {
  return [
    'controllerImageVersion',
    'proxy.image.version',
    ...(policyImage === 'own' ? ['policyController.image.version'] : []),
  ];
}

/** Versions of images that are not Linkerd's own, where they run. */
function initImages({ cniEnabled, templates }: ControlPlaneView): readonly string[] {
  return templates.initImage === 'own' && !cniEnabled ? ['proxyInit.image.version'] : [];
}

function checkInit(view: ControlPlaneView): readonly Problem[] {
  const { cniEnabled, proxyInit, templates } = view;
  if (templates.closeWaitNeedsRoot) return checkProxyInit(view);
  return checkProxyInit({ cniEnabled, proxyInit: { iptablesMode: proxyInit.iptablesMode } });
}

/**
 * Checks that a control plane can be rendered: reports all that the official chart refuses, and what would put a
 * private key into Git.
 *
 * @param values - all values of the chart, as for `renderControlPlane`
 */
export function checkControlPlaneRender(values: Values, templates: ControlPlaneTemplates): readonly Problem[] {
  const given = withoutNulls(values);
  const view = controlPlaneView(given, templates);
  const structure = checkStructure(given, templates);
  if (structure.length > 0) return structure;
  return [
    ...checkMissingTexts(given, [...PRINTED, ...(templates.proxyBounds ? PRINTED_WITH_BOUNDS : [])]),
    ...checkImageVersions(given, ownImages(templates), initImages(view)),
    ...checkNullLabels(values),
    ...checkTracedEnvironment(view),
    ...checkProxy(readValues(given, templates), view),
    ...checkInit(view),
    ...WEBHOOKS.flatMap((key) => checkServingCertificate(key, view[key])),
    ...checkPodMonitors(view),
    ...checkPrivateKeys(given),
    ...checkIssuerKey(view),
    ...checkPodSecurityPolicy(given),
  ];
}
