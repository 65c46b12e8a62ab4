import type { Problem } from '../kubernetes/findings/problem';
import { secretsIn } from '../kubernetes/findings/secret-search';
import { checkKeyMaterial } from '../kubernetes/key-material';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { checkDnsLabel } from '../kubernetes/names';
import { plainCopy } from '../kubernetes/plain-data';
import { mergeValues, type Values } from '../kubernetes/values';
import { DEFAULT_LINKERD_VERSION, type GivenRelease, type Release, releaseOf } from '../linkerd/releases/release';
import type { ChartName, RenderedChartName } from './chart-names';
import { inInstallOrder } from './install-order';
import { chartNamed } from './native-charts';
import { checkGivenValues } from './passed-over';

/** A chart to be rendered. */
export interface RenderRequest {
  readonly chart: RenderedChartName;

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
   * @default - that of Linkerd's guides: linkerd, linkerd-viz, linkerd-cni, linkerd-jaeger, linkerd-multicluster
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
  | {
      readonly objects: readonly KubernetesObject[];
      /** Values that only charts of other releases read. */
      readonly warnings: readonly Problem[];
    }
  | { readonly problems: readonly Problem[] };

/** Renders a chart as `helm template` does, in Helm's install order; refuses what could not work, all at once. */
export function renderChart(request: RenderRequest): RenderResult {
  const { chart, clusterName, namespace, release = DEFAULT_LINKERD_VERSION } = request;
  const known = chartNamed(chart, releaseOf(release));
  if (known === undefined) {
    return { problems: [chartMissing(chart as Exclude<RenderedChartName, ChartName>, releaseOf(release))] };
  }
  const { data: values, problems: unwritable } = plainCopy(request.values, 'values');
  if (unwritable.length > 0) return { problems: unwritable };
  const { pinned, defaults, native, namespace: usual } = known;
  const target = namespace ?? usual;
  const all = mergeValues(defaults, values);
  const { problems: mistyped, warnings } = checkGivenValues(chart, pinned, values, release);
  const problems = [
    ...checkDnsLabel('The namespace', target),
    ...mistyped,
    ...ofOtherValues(native.check(all), mistyped),
  ];
  if (problems.length > 0) return { problems };
  const objects = inInstallOrder(native.render(all, { namespace: target, clusterName }));
  const keys = objects.flatMap((object) => checkKeys(object));
  return keys.length > 0 ? { problems: keys } : { objects, warnings };
}

function chartMissing(name: Exclude<RenderedChartName, ChartName>, { version }: Release): Problem {
  return {
    code: 'chart-not-in-release',
    what: `${version} has no chart ${name}`,
    ...MISSING[name],
  };
}

/** The charts that only some releases have, or have in a form that is known here. */
const MISSING: Readonly<Record<Exclude<RenderedChartName, ChartName>, Pick<Problem, 'why' | 'fix'>>> = {
  'linkerd-jaeger': {
    why: 'What the extension did is part of its control plane, whose values configure tracing',
    fix: 'render linkerd-control-plane with proxy.tracing, or choose a release that has the chart: stable-2.14.10',
  },
  'linkerd-multicluster': {
    why: 'Its chart has no service mirrors: `linkerd multicluster link` installs each from a chart of its own',
    fix: 'choose an edge release, all of which are known here',
  },
};

/** Private keys that came to an object by another way than values that are known to be keys. */
function checkKeys(object: KubernetesObject): readonly Problem[] {
  return secretsIn(object).some(({ is }) => is === 'private key') ? checkKeyMaterial(object) : [];
}

/** A value that the chart cannot take at all often breaks a rule as well; once is enough. */
function ofOtherValues(problems: readonly Problem[], reported: readonly Problem[]): readonly Problem[] {
  const values = new Set(reported.map(({ about }) => about));
  return problems.filter(({ about }) => about === undefined || !values.has(about));
}
