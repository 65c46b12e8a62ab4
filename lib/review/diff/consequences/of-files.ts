import type { FileReader } from '#lib/gitops/changes/file-contents';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { appliedForeignFiles } from '#lib/gitops/synth/output/foreign-files';
import { CHART_OF_PART, LINKERD_PARTS } from '#linkerd/releases/charts';
import { chartMoves } from '../../compare/chart-moves';
import type { ClusterChanges } from '../changes';
import type { Sides } from '../cluster-side';
import { isManifest } from '../cluster-side';
import { type Consequence, consequence } from './catalogue';
import type { ComparedCluster } from './compared';

/**
 * Returns the consequences of changed releases and charts.
 *
 * @param known - charts with a change of delivery, which another consequence reports
 */
export function ofReleases(
  { contents: { before, after } }: Pick<ComparedCluster, 'contents'>,
  known: readonly { readonly chart: string; readonly namespace: string }[] = [],
): readonly Consequence[] {
  const releases = LINKERD_PARTS.flatMap((part): readonly Consequence[] => {
    const [old, next] = [before.installed?.releases[part], after.installed?.releases[part]];
    if (old === next) return [];
    return [
      consequence({
        code: 'release-moved',
        chart: CHART_OF_PART[part],
        ...(old === undefined ? {} : { before: old }),
        ...(next === undefined ? {} : { after: next }),
      }),
    ];
  });
  const charts = chartMoves(before.charts, after.charts).flatMap(
    ({ chart, namespace, from, to, values }): readonly Consequence[] => {
      const isBoth = from !== undefined && to !== undefined;
      const changedValues = isBoth ? values.map(({ path }) => path) : [];
      const isKnown = known.some((one) => one.chart === chart && one.namespace === namespace);
      if (isKnown || (from === to && changedValues.length === 0)) return [];
      const versions = { ...(from === undefined ? {} : { before: from }), ...(to === undefined ? {} : { after: to }) };
      const detail = { code: 'chart-changed', chart, namespace, ...versions, values: changedValues } as const;
      return [consequence(detail, from === undefined ? 'info' : 'warning')];
    },
  );
  return [...releases, ...charts];
}

/** Returns the consequences of files that are unreadable, missing, not synthesized, or changed only in form. */
export function ofFiles({ changes }: ClusterChanges, sides: Sides, reader: FileReader): readonly Consequence[] {
  return [
    ...(['before', 'after'] as const).flatMap((side) => {
      const { damage: reason } = sides[side].index;
      return reason === undefined ? [] : [consequence({ code: 'index-damaged', side, reason })];
    }),
    ...[...sides.after.listed]
      .filter((file) => file !== INDEX_FILE && !sides.after.texts.has(file))
      .map((file): Consequence => consequence({ code: 'file-missing', file })),
    ...changes.flatMap(({ file, change, unlisted }): readonly Consequence[] => {
      if (change === 'reworded') return [consequence({ code: 'only-wording-changed', file })];
      // Argo CD applies neither a README nor the templates of a chart as manifests.
      if (unlisted !== undefined && !isApplied(file, sides)) return [];
      const unreadable = change === 'unreadable' && isManifest(file) ? unreadableSides(file, sides, reader) : [];
      if (unlisted === undefined) return unreadable;
      const kind = sides.before.texts.has(file) ? (sides.after.texts.has(file) ? 'changed' : 'removed') : 'added';
      return [...unreadable, consequence({ code: 'file-unlisted', file, change: kind })];
    }),
  ];
}

function isApplied(file: string, { before, after }: Sides): boolean {
  const { index } = after.texts.has(file) ? after : before;
  return appliedForeignFiles([file], index.files).length > 0;
}

function unreadableSides(file: string, sides: Sides, reader: FileReader): readonly Consequence[] {
  return (['before', 'after'] as const).flatMap((side): readonly Consequence[] => {
    const text = sides[side].texts.get(file);
    const contents = text === undefined ? undefined : reader.read(file, text);
    if (contents?.is !== 'unreadable') return [];
    const severity = side === 'after' ? 'error' : 'warning';
    return [consequence({ code: 'file-unreadable', file, side, reason: contents.reason }, severity)];
  });
}
