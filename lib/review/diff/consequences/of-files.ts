import type { FileReader } from '../../../gitops/changes/file-contents';
import { INDEX_FILE } from '../../../gitops/synth/output/cluster-index';
import { appliedForeignFiles } from '../../../gitops/synth/output/foreign-files';
import { CHART_OF_PART, LINKERD_PARTS } from '../../../linkerd/releases/charts';
import { chartMoves } from '../../compare/chart-moves';
import type { ClusterChanges } from '../changes';
import { type ClusterSide, isManifest } from '../cluster-side';
import type { ComparedCluster } from './compared';
import type { Consequence } from './consequence';

/** The consequences of releases and charts that move. */
export function ofReleases({ contents: { before, after } }: Pick<ComparedCluster, 'contents'>): readonly Consequence[] {
  const releases = LINKERD_PARTS.flatMap((part): readonly Consequence[] => {
    const [old, next] = [before.installed?.releases[part], after.installed?.releases[part]];
    if (old === next) return [];
    return [
      {
        code: 'release-moved',
        severity: 'warning',
        chart: CHART_OF_PART[part],
        ...(old === undefined ? {} : { before: old }),
        ...(next === undefined ? {} : { after: next }),
      },
    ];
  });
  const charts = chartMoves(before.charts, after.charts).flatMap(
    ({ chart, namespace, from, to, values }): readonly Consequence[] => {
      if (from === undefined && to === undefined) return [];
      if (to === undefined)
        return [{ code: 'chart-removed', severity: 'warning', chart, namespace, version: from ?? '' }];
      if (from === undefined) return [{ code: 'chart-added', severity: 'info', chart, namespace, version: to }];
      return [
        ...(from === to
          ? []
          : [
              {
                code: 'chart-version-changed',
                severity: 'warning',
                chart,
                namespace,
                before: from,
                after: to,
              } as const,
            ]),
        ...(values.length === 0
          ? []
          : [
              {
                code: 'chart-values-changed',
                severity: 'warning',
                chart,
                namespace,
                values: values.map(({ path }) => path),
              } as const,
            ]),
      ];
    },
  );
  return [...releases, ...charts];
}

/** The consequences of files that nobody can read, that no synthesis wrote, or that say the same in other words. */
export function ofFiles(
  { changes }: ClusterChanges,
  sides: Readonly<Record<'before' | 'after', ClusterSide>>,
  reader: FileReader,
): readonly Consequence[] {
  return [
    ...(['before', 'after'] as const).flatMap((side) => damages(side, sides[side])),
    ...[...sides.after.listed]
      .filter((file) => file !== INDEX_FILE && !sides.after.texts.has(file))
      .map((file): Consequence => ({ code: 'file-missing', severity: 'error', file })),
    ...changes.flatMap(({ file, change, unlisted }): readonly Consequence[] => {
      if (change === 'reworded') return [{ code: 'only-wording-changed', severity: 'info', file }];
      // Nobody applies a README, nor takes a chart beside a Chart.yaml for a manifest that is broken.
      if (unlisted !== undefined && !isApplied(file, sides)) return [];
      const unreadable = change === 'unreadable' && isManifest(file) ? unreadableSides(file, sides, reader) : [];
      if (unlisted === undefined) return unreadable;
      const kind = sides.before.texts.has(file) ? (sides.after.texts.has(file) ? 'changed' : 'removed') : 'added';
      return [...unreadable, { code: 'file-unlisted', severity: 'warning', file, change: kind }];
    }),
  ];
}

/** Tells whether a file that no index lists is read by Argo CD or Helm on the side that has it, the later one first. */
function isApplied(file: string, { before, after }: Readonly<Record<'before' | 'after', ClusterSide>>): boolean {
  const { index } = after.texts.has(file) ? after : before;
  return appliedForeignFiles([file], index.files).length > 0;
}

function damages(side: 'before' | 'after', { index: { damage } }: ClusterSide): readonly Consequence[] {
  return damage === undefined ? [] : [{ code: 'index-damaged', severity: 'warning', side, reason: damage }];
}

function unreadableSides(
  file: string,
  sides: Readonly<Record<'before' | 'after', ClusterSide>>,
  reader: FileReader,
): readonly Consequence[] {
  return (['before', 'after'] as const).flatMap((side): readonly Consequence[] => {
    const text = sides[side].texts.get(file);
    const contents = text === undefined ? undefined : reader.read(file, text);
    if (contents?.is !== 'unreadable') return [];
    const severity = side === 'after' ? 'error' : 'warning';
    return [{ code: 'file-unreadable', severity, file, side, reason: contents.reason }];
  });
}
