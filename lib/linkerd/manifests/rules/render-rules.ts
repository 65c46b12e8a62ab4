import { proxyInitProblems } from '../../../../operator/api/injection/proxy-init';
import type { Values } from '../../../helm/values';
import type { Problem } from '../../../validation/problem';
import { podSecurityPolicyProblems } from '../../pod-security-policy';
import { withoutNulls } from '../chart-view';
import { controlPlaneView } from '../control-plane-view';
import { issuerKeyProblems } from './issuer-key-rules';
import { podMonitorProblems } from './pod-monitor-rules';
import { privateKeyProblems } from './private-keys';
import { proxyProblems } from './proxy-rules';
import { structureProblems } from './structure-rules';
import { webhookProblems } from './webhook-rules';

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
    ...proxyProblems(given, view),
    ...proxyInitProblems(view),
    ...webhookProblems(view),
    ...podMonitorProblems(view),
    ...privateKeyProblems(given),
    ...issuerKeyProblems(view),
    ...podSecurityPolicyProblems(given),
  ];
}
