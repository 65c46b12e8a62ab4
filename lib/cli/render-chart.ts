import { checkKeyMaterial } from '../kubernetes/key-material';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { checkDnsLabel } from '../kubernetes/names';
import { plainCopy } from '../kubernetes/plain-data';
import type { Problem } from '../problems/problem';
import { secretsIn } from '../problems/secret-search';
import type { GivenRelease } from '../releases/release';
import { mergeValues, type Values } from '../releases/values';
import { checkValues } from '../schema/schema';
import type { ChartName } from './chart-names';
import { inInstallOrder } from './install-order';
import { nativeChartOf } from './native-charts';

/** A chart to be rendered. */
export interface RenderRequest {
  readonly chart: ChartName;

  /**
   * The release of Linkerd.
   *
   * @default 'edge-26.8.3'
   */
  readonly release?: GivenRelease | undefined;

  /** Values over the chart's own; null removes one of them. */
  readonly values: Values;

  /**
   * Namespace of the release.
   *
   * @default - that of Linkerd's guides: linkerd, linkerd-viz, linkerd-cni
   */
  readonly namespace?: string;

  /**
   * Name of the cluster, from which the minute of daily jobs follows.
   *
   * @default - the cluster domain
   */
  readonly clusterName?: string;
}

/** Objects, or why there are none. */
export type RenderResult =
  | { readonly objects: readonly KubernetesObject[] }
  | { readonly problems: readonly Problem[] };

/** Renders a chart as `helm template` does, in Helm's install order; refuses what could not work, all at once. */
export function renderChart(request: RenderRequest): RenderResult {
  const { chart, clusterName, namespace } = request;
  const { data: values, problems: unwritable } = plainCopy(request.values, 'values');
  if (unwritable.length > 0) return { problems: unwritable };
  const { pinned, defaults, native, namespace: usual } = nativeChartOf(chart, request.release);
  const target = namespace ?? usual;
  const all = mergeValues(defaults, values);
  const mistyped = checkValues(pinned, values);
  const problems = [
    ...checkDnsLabel('The namespace', target),
    ...mistyped,
    ...ofOtherValues(native.check(all), mistyped),
  ];
  if (problems.length > 0) return { problems };
  const objects = inInstallOrder(native.render(all, { namespace: target, clusterName }));
  const keys = objects.flatMap((object) => checkKeys(object));
  return keys.length > 0 ? { problems: keys } : { objects };
}

/** Private keys that came to an object by another way than values that are known to be keys. */
function checkKeys(object: KubernetesObject): readonly Problem[] {
  return secretsIn(object).some(({ is }) => is === 'private key') ? checkKeyMaterial(object) : [];
}

/** A value that the chart cannot take at all often breaks a rule as well; once is enough. */
function ofOtherValues(problems: readonly Problem[], reported: readonly Problem[]): readonly Problem[] {
  const values = new Set(reported.map(({ about }) => about));
  return problems.filter(({ about }) => about === undefined || !values.has(about));
}
