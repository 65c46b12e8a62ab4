import type { Values } from '../../../helm/values';
import { withoutNulls } from '../../../linkerd/manifests/chart-view';
import { privateKeyProblems } from '../../../linkerd/manifests/rules/private-keys';
import { podSecurityPolicyProblems } from '../../../linkerd/pod-security-policy';
import type { Problem } from '../../../validation/problem';
import { vizView } from '../viz-view';
import { prometheusProblems } from './prometheus-rules';
import { structureProblems } from './structure-rules';
import { webProblems } from './web-rules';
import { webhookProblems } from './webhook-rules';

/**
 * Why Viz cannot be rendered: all that the official chart refuses, and what would put a private key into Git.
 *
 * @param values - all values of the chart, as for `renderViz`
 */
export function checkVizRender(values: Values): readonly Problem[] {
  const given = withoutNulls(values);
  const view = vizView(given);
  const structure = structureProblems(given, view);
  if (structure.length > 0) return structure;
  return [
    ...prometheusProblems(view),
    ...webProblems(view),
    ...webhookProblems(view),
    ...privateKeyProblems(given),
    ...podSecurityPolicyProblems(given),
  ];
}
