import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { isMap, type Value, type Values, valueAt } from '../../../kubernetes/values';
import type { IntendedDifference } from '../../../linkerd/charts/chart';
import { CONTROL_PLANE_DIFFERENCES } from '../../../linkerd/charts/linkerd-control-plane/intended-differences';
import { JAEGER_DIFFERENCES } from '../../../linkerd/charts/linkerd-jaeger/intended-differences';
import { VIZ_DIFFERENCES } from '../../../linkerd/charts/linkerd-viz/intended-differences';
import { CNI_DIFFERENCES } from '../../../linkerd/charts/linkerd2-cni/intended-differences';
import type { ChartDifferences, IgnoredFields } from '../model';

/** The differences of each chart that is rendered without Helm. */
const DIFFERENCES: Readonly<Record<string, readonly IntendedDifference[]>> = {
  'linkerd-control-plane': CONTROL_PLANE_DIFFERENCES,
  'linkerd-viz': VIZ_DIFFERENCES,
  'linkerd2-cni': CNI_DIFFERENCES,
  'linkerd-jaeger': JAEGER_DIFFERENCES,
};

/** The places in which objects differ from Helm's on purpose, of the charts that Helm does not inflate. */
export function differencesOf(rendered: readonly string[]): readonly ChartDifferences[] {
  return rendered
    .map((chart) => ({
      chart,
      differences: (DIFFERENCES[chart] ?? []).map(({ object, path, reason }) => ({
        place: `${object === '.' ? 'all objects' : readable(object)}, ${readable(path)}`,
        reason,
      })),
    }))
    .filter(({ differences }) => differences.length > 0);
}

/** A regular expression as people would write the place that it is about. */
function readable(expression: string): string {
  return expression
    .replace(/^\^|\$$/g, '')
    .replaceAll('/[^/]*/', '/')
    .replaceAll('\\.', '.')
    .replaceAll('(?:', '(');
}

/** The fields that Argo CD leaves to others in the Applications of a cluster. */
export function ignoredFields(applicationSets: readonly KubernetesObject[], cluster: string): readonly IgnoredFields[] {
  const found = applicationSets
    .filter(({ kind, spec }) => kind === 'ApplicationSet' && isOfCluster(JSON.stringify(spec ?? {}), cluster))
    .flatMap((set) => {
      const entries = valueAt(set as Values, 'spec.template.spec.ignoreDifferences');
      return Array.isArray(entries) ? (entries as readonly Value[]).flatMap(ignoredIn) : [];
    });
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

/** An ApplicationSet is about one cluster where its directories are, else about all of a fleet. */
function isOfCluster(spec: string, cluster: string): boolean {
  const folders = [...spec.matchAll(/"path":"([^"]*)\/\*"/g)].map(([, path = '']) =>
    path.slice(path.lastIndexOf('/') + 1),
  );
  return folders.length === 0 || folders.some((folder) => folder === cluster || /[{}*]/.test(folder));
}

function ignoredIn(entry: Value): readonly IgnoredFields[] {
  if (!isMap(entry) || typeof entry.kind !== 'string') return [];
  const { kind, name, jsonPointers, jqPathExpressions } = entry;
  const fields = [jsonPointers, jqPathExpressions].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  return [{ object: typeof name === 'string' ? `${kind} ${name}` : kind, fields }];
}
