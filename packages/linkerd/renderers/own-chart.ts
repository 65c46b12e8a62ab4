import { remembered } from '#base/remembered';
import type { Chart, NativeRenderer } from '../charts/chart';
import type { PinnedChart } from '../charts/pinned-chart';
import type { LinkerdPart } from '../releases/charts';
import type { Release } from '../releases/release';
import type { ReleaseArchives } from '../releases/release-archives';
import { chartProblem } from './findings';
import { checkOwnValues } from './own-values';

interface OwnChart extends Pick<Chart, 'checkGiven'> {
  readonly native: NativeRenderer;
}

/**
 * Returns the renderer of a release's own chart; undefined if the release has no folder of charts. A chart that is
 * missing in the folder is a problem of its values.
 *
 * @param namespace the default namespace of the chart's release
 */
export function ownChart(
  { archives, charts, version }: Release,
  part: LinkerdPart,
  namespace: string,
): OwnChart | undefined {
  const pinned = charts[part];
  if (archives === undefined || pinned === undefined) return undefined;
  const known = chartsIn(archives);
  const own = known.get(part) ?? read(archives, part, { pinned, namespace, version });
  known.set(part, own);
  return own;
}

/** One renderer for all clusters of a release: results are cached with it. */
const chartsIn = remembered((_: ReleaseArchives) => new Map<LinkerdPart, OwnChart>());

interface Context {
  readonly pinned: PinnedChart;
  readonly namespace: string;
  readonly version: string;
}

function read(archives: ReleaseArchives, part: LinkerdPart, { pinned, namespace, version }: Context): OwnChart {
  const attempt = archives.attempt(part);
  if ('error' in attempt) return { native: refusing(() => [chartProblem(attempt.error)]) };
  const { ownRenderer } = require('./own-renderer') as typeof import('./own-renderer');
  return {
    native: ownRenderer(attempt.chart, { part, name: pinned.name, namespace, linkerdVersion: version }),
    checkGiven: (values) => checkOwnValues(pinned, attempt.chart, values),
  };
}

function refusing(check: NativeRenderer['check']): NativeRenderer {
  return { check, render: () => [], intended: { differences: [], refusals: [], fixes: [] } };
}
