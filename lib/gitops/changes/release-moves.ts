import { LINKERD_PARTS, type LinkerdPart } from '../../linkerd/releases/charts';
import { compareReleases, lineOf, linesBetween } from '../../linkerd/releases/lines';
import type { InstalledReleases } from '../synth/installed';

/** A part of Linkerd that comes, goes, or moves to another release. */
export interface ReleaseMove {
  readonly part: LinkerdPart;
  /** Absent where the part is new. */
  readonly from?: string;
  /** Absent where the part goes. */
  readonly to?: string;
}

/** The parts whose release is another one, or that come or go, in the order in which they are upgraded. */
export function releaseMoves(before: InstalledReleases, after: InstalledReleases): readonly ReleaseMove[] {
  return LINKERD_PARTS.flatMap((part) => {
    const [from, to] = [before[part], after[part]];
    if (from === to) return [];
    return [{ part, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
  });
}

/** A move from one release to another. */
export type Move = Required<ReleaseMove>;

/** Tells moves from one release to another. */
export function isMove(move: ReleaseMove): move is Move {
  return move.from !== undefined && move.to !== undefined;
}

/** The move that decides how far proxies and what they talk to are apart; undefined where it stays. */
export function controlPlaneMove(moves: readonly ReleaseMove[]): Move | undefined {
  return moves.filter(isMove).find(({ part }) => part === 'controlPlane');
}

/** Tells whether a move goes back in time; of names that are none of releases nobody knows. */
export function isLower({ from, to }: Move): boolean {
  return [from, to].every((release) => lineOf(release) !== undefined) && compareReleases(to, from) < 0;
}

/** The lines that a move leaves out. */
export function skippedLines({ from, to }: Move): readonly string[] {
  return linesBetween(from, to);
}
