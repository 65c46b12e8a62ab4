import type { Problem } from '../kubernetes/findings/problem';
import { secretsIn } from '../kubernetes/findings/secret-search';
import { checkKeyMaterial } from '../kubernetes/key-material';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { checkDnsLabel } from '../kubernetes/names';
import { plainCopy } from '../kubernetes/plain-data';
import { mergeValues, type Values } from '../kubernetes/values';
import { stringifyYaml } from '../kubernetes/yaml';
import { DEFAULT_LINKERD_VERSION, type GivenRelease, releaseOf } from '../linkerd/releases/release';
import type { ChartName, RenderedChartName } from './chart-names';
import { CLI_FINDINGS } from './findings';
import { inInstallOrder } from './install-order';
import { chartNamed } from './native-charts';
import { checkGivenValues } from './unsupported-values';

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
    return {
      problems: [
        CLI_FINDINGS.chartNotInRelease({
          release: releaseOf(release).version,
          chart,
          ...MISSING[chart as Exclude<RenderedChartName, ChartName>],
        }),
      ],
    };
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

/** The charts that only some releases have, or have in a form that is known here. */
const MISSING: Readonly<Record<Exclude<RenderedChartName, ChartName>, Record<'reason' | 'remedy', string>>> = {
  'linkerd-jaeger': {
    reason: 'Tracing is part of its control plane, whose values configure it',
    remedy: 'render linkerd-control-plane with proxy.tracing, or choose a release that has the chart: stable-2.14.10',
  },
  'linkerd-multicluster': {
    reason: 'Its chart has no service mirrors: `linkerd multicluster link` installs each from a chart of its own',
    remedy: 'choose an edge release',
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

/** Objects as YAML documents in one stream, each after its marker. */
export function manifestStream(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => `---\n${stringifyYaml(object)}`).join('');
}
