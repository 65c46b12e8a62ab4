import { LINKERD_PARTS, type LinkerdPart } from './charts';
import type { InstalledReleases } from './installed';
import { compareReleases, lineOf, linesBetween } from './lines';

/** A part of Linkerd that is added, removed, or moved to another release. */
export interface ReleaseMove {
  readonly part: LinkerdPart;
  /** Absent if the part is added. */
  readonly from?: string;
  /** Absent if the part is removed. */
  readonly to?: string;
}

/** Returns the parts that are added, removed or moved to another release, in the order of an upgrade. */
export function releaseMoves(before: InstalledReleases, after: InstalledReleases): readonly ReleaseMove[] {
  return LINKERD_PARTS.flatMap((part) => {
    const [from, to] = [before[part], after[part]];
    if (from === to) return [];
    return [{ part, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
  });
}

/** A move from one release to another. */
export type Move = Required<ReleaseMove>;

/** Whether a change is a move from one release to another. */
export function isMove(move: ReleaseMove): move is Move {
  return move.from !== undefined && move.to !== undefined;
}

/** Returns the move that determines the skew between proxies and control plane; undefined without one. */
export function controlPlaneMove(moves: readonly ReleaseMove[]): Move | undefined {
  return moves.filter(isMove).find(({ part }) => part === 'controlPlane');
}

/** Whether a move goes to an older release; false if a name is not that of a release. */
export function isLower({ from, to }: Move): boolean {
  return [from, to].every((release) => lineOf(release) !== undefined) && compareReleases(to, from) < 0;
}

/** Returns the minor versions that a move skips. */
export function skippedLines({ from, to }: Move): readonly string[] {
  return linesBetween(from, to);
}
