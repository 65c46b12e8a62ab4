import type { Values } from '../helm/values';
import { withoutNulls } from '../linkerd/manifests/chart-view';
import { controlPlaneView } from '../linkerd/manifests/control-plane-view';
import { missingMapProblems } from '../linkerd/manifests/rules/missing-maps';
import { proxyInitProblems } from '../linkerd/manifests/rules/proxy-init-rules';
import { proxyProblems } from '../linkerd/manifests/rules/proxy-rules';
import type { Problem } from '../validation/problem';

/** Maps that the injector looks into for each pod. */
const MAPS = [
  'networkValidator',
  'proxy',
  'proxy.image',
  'proxy.livenessProbe',
  'proxy.ports',
  'proxy.readinessProbe',
  'proxyInit',
];

const WHY = 'The injector looks into it for each pod that it meshes: none could be meshed any more';

/**
 * What the injector would fail on. It makes proxies by the templates that the chart has for those of the control plane
 * (linkerd2, charts/patch/templates/patch.json), so that what the chart refuses about proxies it refuses for each pod.
 *
 * @param values all values that the injector would have
 */
export function injectionProblems(values: Values): readonly Problem[] {
  const given = withoutNulls(values);
  const missing = missingMapProblems(given, MAPS, WHY);
  if (missing.length > 0) return missing;
  const view = controlPlaneView(given);
  return [...proxyProblems(given, view), ...proxyInitProblems(view)];
}
