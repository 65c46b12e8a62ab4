import { checkProxyInit } from '../../../../operator/api/injection/proxy-init';
import type { Problem } from '../../../problems/problem';
import type { Values } from '../../../releases/values';
import { podSecurityPolicyProblems } from '../../pod-security-policy';
import { privateKeysIn } from '../../private-keys';
import { checkServingCertificate } from '../../serving-certificates';
import { withoutNulls } from '../chart-view';
import { controlPlaneView } from '../control-plane-view';
import { issuerKeyProblems } from './issuer-key-rules';
import { imageVersionProblems, missingTextProblems } from './missing-texts';
import { nullLabelProblems } from './null-labels';
import { podMonitorProblems } from './pod-monitor-rules';
import { proxyProblems } from './proxy-rules';
import { structureProblems } from './structure-rules';
import { tracedEnvironmentProblems } from './traced-environment';

/** Webhooks, by their keys in the values. */
const WEBHOOKS = ['proxyInjector', 'profileValidator', 'policyValidator'] as const;

/** Values that are printed, or handed to functions of the templates, without a look at whether they are there. */
const PRINTED = [
  'clusterDomain',
  'identityTrustAnchorsPEM',
  'proxy.enableExternalProfiles',
  'proxy.logLevel',
  'proxy.ports.admin',
  'proxy.ports.control',
  'proxy.ports.inbound',
  'proxy.ports.outbound',
];

/**
 * Why a control plane cannot be rendered: all that the official chart refuses, and what would put a private key into
 * Git.
 *
 * @param values - all values of the chart, as for `renderControlPlane`
 */
export function checkControlPlaneRender(values: Values): readonly Problem[] {
  const given = withoutNulls(values);
  const view = controlPlaneView(given);
  const structure = structureProblems(given);
  if (structure.length > 0) return structure;
  return [
    ...missingTextProblems(given, PRINTED),
    ...imageVersionProblems(given, ['controllerImageVersion', 'proxy.image.version']),
    ...nullLabelProblems(values),
    ...tracedEnvironmentProblems(view),
    ...proxyProblems(given, view),
    ...checkProxyInit(view),
    ...WEBHOOKS.flatMap((key) => checkServingCertificate(key, view[key])),
    ...podMonitorProblems(view),
    ...privateKeysIn(given),
    ...issuerKeyProblems(view),
    ...podSecurityPolicyProblems(given),
  ];
}
