import type { Intentions } from '../../lib/charts/chart';
import type { RenderResult } from '../../lib/cli/render-chart';
import { describeProblem } from '../../lib/problems/problem';
import { isMap, type Value, type Values } from '../../lib/releases/values';
import { describeDifference, renderDifferences } from './differences';
import type { HelmRender } from './helm-chart';

/** The differences in one variant: a line for each place; none if the renders are equal or refused alike. */
export interface ComparedVariant {
  readonly name: string;
  readonly differences: readonly { readonly place: string; readonly example: string }[];
}

/** The differences between a chart and its native renderer that are on purpose. */
export type Intended = Pick<Intentions, 'differences' | 'fixes'>;

/** Compares what Helm and we made of the same values. */
export function compareRenders(
  values: Values,
  theirs: HelmRender,
  ours: RenderResult,
  { differences, fixes }: Intended,
): ComparedVariant['differences'] {
  const refusal = 'problems' in ours ? ours.problems.map(describeProblem).join(' ') : undefined;
  if ('refused' in theirs) {
    const isMistake = fixes.some((fix) => hasKeysOf(fix.values, values));
    return refusal === undefined && !isMistake ? [{ place: 'the chart refuses', example: theirs.refused }] : [];
  }
  if ('problems' in ours) return [{ place: 'we refuse', example: refusal ?? '' }];
  return renderDifferences(theirs.objects, ours.objects, differences).map((difference) => ({
    place: `${difference.object}${difference.path}`,
    example: describeDifference(difference),
  }));
}

/** Tells whether a value has all keys of an example, whatever stands there. */
function hasKeysOf(example: Value | undefined, value: Value | undefined): boolean {
  if (!isMap(example)) return value !== undefined;
  return isMap(value) && Object.entries(example).every(([key, inside]) => hasKeysOf(inside, value[key]));
}

const NAMES_SHOWN = 4;

/** The differences of all variants, one line per place, those first that most variants have. */
export function comparisonReport(variants: readonly ComparedVariant[]): readonly string[] {
  const places = new Map<string, { example: string; names: string[] }>();
  for (const { name, differences } of variants) {
    for (const { place, example } of differences) {
      const group = places.get(place) ?? { example, names: [] };
      group.names.push(name);
      places.set(place, group);
    }
  }
  const groups = [...places.values()].sort((a, b) => b.names.length - a.names.length);
  const equal = variants.filter(({ differences }) => differences.length === 0).length;
  return [
    ...groups.map(({ example, names }) => `${names.length} x ${example}\n    in ${shortened(names)}`),
    `${equal} of ${variants.length} variants are equal; the others differ at ${groups.length} places.`,
  ];
}

function shortened(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  return names.length > NAMES_SHOWN ? `${shown}, …` : shown;
}
