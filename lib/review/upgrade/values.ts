import { isSameValue } from '#base/same-value';
import { type Value, valueAt } from '#base/values';
import { CHANGED_DEFAULTS, type ChangedDefault, GONE_VALUES, type GoneValue } from '#linkerd/releases/changed-values';
import { chartDefaults } from '#linkerd/releases/chart-defaults';
import type { LinkerdPart } from '#linkerd/releases/charts';
import { compareReleases, lineOf } from '#linkerd/releases/lines';
import { nearestFacts } from '#linkerd/releases/release-facts';
import { isLower, isMove, type Move, type ReleaseMove } from '#linkerd/releases/release-moves';
import type { GivenPart, PartValues } from '../compare/cluster-contents';

/** A value that is set before a move, and that the new release does not have. */
export interface LostValue extends GoneValue {
  readonly value: Value;
  /** Whether the value that replaces this one is set after the move. */
  readonly isReplaced: boolean;
}

/** Returns the values that are set, but that the new release does not have. */
export function lostValues(
  moves: readonly ReleaseMove[],
  { before, after }: Readonly<Record<'before' | 'after', PartValues>>,
): readonly LostValue[] {
  return upwardMoves(moves).flatMap((move) => {
    const given = before[move.part];
    if (given === undefined) return [];
    return GONE_VALUES.filter((gone) => concerns(gone, move)).flatMap((gone) => {
      const value = valueAt(given.values, gone.path);
      const isSet = value !== undefined && !(given.isWhole && isDefault(value, gone.path, move));
      return isSet ? [{ ...gone, value, isReplaced: isGiven(after[move.part], gone.renamedTo) }] : [];
    });
  });
}

/** Returns the defaults that change with the moves, for values that are not set afterwards. */
export function changedDefaults(moves: readonly ReleaseMove[], after: PartValues): readonly ChangedDefault[] {
  return upwardMoves(moves).flatMap((move) => {
    const given = after[move.part];
    return CHANGED_DEFAULTS.filter((changed) => {
      if (given === undefined || !concerns(changed, move)) return false;
      const value = valueAt(given.values, changed.path);
      return value === undefined || (given.isWhole && value === changed.after);
    });
  });
}

/** Whether the user sets a value; false for values from a ConfigMap, which include defaults. */
function isGiven(part: GivenPart | undefined, path: string | undefined): boolean {
  return part !== undefined && !part.isWhole && path !== undefined && valueAt(part.values, path) !== undefined;
}

/** Returns the release to which values of a control plane pin its proxies, if any. */
export function pinnedProxies({ controlPlane }: PartValues): string | undefined {
  const version = controlPlane === undefined ? undefined : valueAt(controlPlane.values, 'proxy.image.version');
  return typeof version === 'string' && lineOf(version) !== undefined ? version : undefined;
}

function upwardMoves(moves: readonly ReleaseMove[]): readonly Move[] {
  return moves.filter(isMove).filter((move) => !isLower(move));
}

function concerns(of: { readonly chart: LinkerdPart; readonly since: string }, { part, from, to }: Move): boolean {
  return of.chart === part && compareReleases(from, of.since) < 0 && compareReleases(of.since, to) <= 0;
}

/**
 * Whether a value is the chart's default in the release before the move. An unknown release has the defaults of the
 * nearest older release: releases between 2.14 and 2.19 have the removed values with the defaults of 2.14.
 */
function isDefault(value: Value, path: string, { part, from }: Move): boolean {
  const chart = nearestFacts(from)?.charts[part];
  return chart !== undefined && isSameValue(valueAt(chartDefaults(chart), path), value);
}
