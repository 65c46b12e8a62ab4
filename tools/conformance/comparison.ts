import { describeProblem, type Problem } from '#base/findings/problem';
import { isMap, type Value, type Values } from '#base/values';
import type { RenderResult } from '#lib/cli/render-chart';
import type { Intentions } from '#linkerd/charts/chart';
import { allDifferences, describeDifference, intentionOf } from './differences';
import type { HelmRender } from './helm-chart';

interface DifferingPlace {
  readonly place: string;
  readonly example: string;
}

/** The differences in one variant, one for each place; none if the renders are equal or both are refused. */
export interface ComparedRenders {
  readonly differences: readonly DifferingPlace[];
  /** The intended differences, by their reason. */
  readonly onPurpose: readonly DifferingPlace[];
}

/** The differences in a named variant. */
export interface ComparedVariant extends ComparedRenders {
  readonly name: string;
}

const EQUAL: ComparedRenders = { differences: [], onPurpose: [] };

/** Compares the renders of Helm and of the native renderer for the same values. */
export function compareRenders(
  values: Values,
  theirs: HelmRender,
  ours: RenderResult,
  intended: Intentions,
): ComparedRenders {
  if ('refused' in theirs) return 'problems' in ours ? EQUAL : compareRefusal(values, theirs.refused, intended);
  if ('problems' in ours) return compareRender(values, ours.problems, intended);
  const all = allDifferences(theirs.objects, ours.objects).map((difference) => ({
    place: `${difference.object}${difference.path}`,
    example: describeDifference(difference),
    reason: intentionOf(difference, intended.differences)?.reason,
  }));
  return {
    differences: all.filter(({ reason }) => reason === undefined),
    onPurpose: all.flatMap(({ reason, example }) => (reason === undefined ? [] : [{ place: reason, example }])),
  };
}

function compareRefusal(values: Values, refused: string, { fixes }: Intentions): ComparedRenders {
  const fix = fixOf(values, fixes);
  if (fix === undefined) return { ...EQUAL, differences: [{ place: 'the chart refuses', example: refused }] };
  return { ...EQUAL, onPurpose: [{ place: fix.reason, example: `the chart refuses: ${refused}` }] };
}

function compareRender(values: Values, problems: readonly Problem[], { refusals }: Intentions): ComparedRenders {
  const text = problems.map(describeProblem).join(' ');
  const reason = isUnknown(problems) ? UNKNOWN : refusals.find((refusal) => includes(values, refusal.values))?.reason;
  if (reason === undefined) return { ...EQUAL, differences: [{ place: 'we refuse', example: text }] };
  return { ...EQUAL, onPurpose: [{ place: reason, example: `we refuse: ${text}` }] };
}

const UNKNOWN = 'The chart ignores unknown values.';

function isUnknown(problems: readonly Problem[]): boolean {
  return problems.every(({ code, cause }) => code === 'chart-value-refused' && cause === 'unknown');
}

/** Returns the fix for values that the native renderer renders, although the chart fails by mistake. */
export function fixOf(values: Values, fixes: Intentions['fixes']): Intentions['fixes'][number] | undefined {
  return fixes.find((fix) => hasKeysOf(fix.values, values));
}

function hasKeysOf(example: Value | undefined, value: Value | undefined): boolean {
  if (!isMap(example)) return value !== undefined;
  return isMap(value) && Object.entries(example).every(([key, inside]) => hasKeysOf(inside, value[key]));
}

function includes(value: Value | undefined, example: Value | undefined): boolean {
  if (!isMap(example)) return JSON.stringify(value) === JSON.stringify(example);
  return isMap(value) && Object.entries(example).every(([key, inside]) => includes(value[key], inside));
}

const NAMES_SHOWN = 4;

/** The differences of all variants, one line per place, the most frequent ones first. */
export function comparisonReport(variants: readonly ComparedVariant[]): readonly string[] {
  const places = placesOf(variants, ({ differences }) => differences);
  const onPurpose = placesOf(variants, (variant) => variant.onPurpose);
  const equal = variants.filter(({ differences }) => differences.length === 0).length;
  return [
    ...places.map(({ example, names }) => `${names.length} x ${example}\n    in ${shortened(names)}`),
    ...onPurpose.map(
      ({ place, example, names }) =>
        `${names.length} x on purpose: ${place}\n    ${example}\n    in ${shortened(names)}`,
    ),
    `${equal} of ${variants.length} variants are equal; the others differ at ${places.length} places.`,
  ];
}

interface Place extends DifferingPlace {
  readonly names: readonly string[];
}

function placesOf(
  variants: readonly ComparedVariant[],
  of: (variant: ComparedVariant) => readonly DifferingPlace[],
): readonly Place[] {
  const all = variants.flatMap((variant) => of(variant).map((place) => ({ ...place, name: variant.name })));
  return [...Map.groupBy(all, ({ place }) => place)]
    .map(([place, found]) => ({
      place,
      example: found[0]?.example ?? '',
      names: [...new Set(found.map(({ name }) => name))],
    }))
    .sort((one, other) => other.names.length - one.names.length);
}

function shortened(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  return names.length > NAMES_SHOWN ? `${shown}, …` : shown;
}
