import type { Problem } from '#base/findings/problem';
import { shownIn } from '#base/secrets/shown-value';
import { suggest } from '#base/suggest';
import { dottedPath, placeInValues, showValue } from '#base/value-path';
import { isMap, mergeValues, type Value, type Values } from '#base/values';
import { FIELD_FINDINGS, type MisfitRemedy } from '#kubernetes/schemas/findings';
import { checkValues } from '#kubernetes/schemas/schema';
import type { PinnedChart } from '../charts/pinned-chart';
import { chartDefaults } from '../releases/chart-defaults';
import type { ReleaseChart } from '../releases/release-archives';

/**
 * Reports values that a chart does not have, or whose type is not that of the default. A chart has the values in its
 * `values.yaml` and `values-ha.yaml`, those that its templates read without a default, and those that the closest
 * release has without a default, such as the labels of a node selector. Rendering enforces its `values.schema.json`.
 *
 * @param pinned names the closest chart whose values have types
 */
export function checkOwnValues(pinned: PinnedChart, chart: ReleaseChart, values: Values): readonly Problem[] {
  const known = mergeValues(chart.highAvailability, chart.defaults);
  const typing = checkValues(pinned, values);
  // The chart itself shows which keys it has; the closest release adds their types.
  const [unknownThere, mistyped] = [typing.filter((one) => !isFault(one)), typing.filter(isFault)];
  const own = misfits(values, known, {
    chart,
    of: `${pinned.name} ${pinned.version}`,
    at: [],
    shownAt: shownIn(values),
    ...(pinned.valuesOf !== undefined && {
      closest: { defaults: chartDefaults(pinned), unknown: new Set(unknownThere.map(({ about }) => about)) },
    }),
  });
  const said = new Set(own.map(({ about }) => about));
  return [...own, ...mistyped.filter(({ about }) => !said.has(about))];
}

function isFault({ cause }: Problem): boolean {
  return cause === 'invalid';
}

interface ClosestChart {
  readonly defaults: Values;
  /** The values that the closest chart does not have, as findings name them. */
  readonly unknown: ReadonlySet<string | undefined>;
}

interface Place {
  readonly chart: ReleaseChart;
  readonly of: string;
  readonly at: readonly string[];
  readonly shownAt: ReturnType<typeof shownIn>;
  readonly closest?: ClosestChart;
}

function misfits(values: Values, defaults: Values, place: Place): readonly Problem[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined || value === null) return [];
    const path = [...place.at, key];
    if (!Object.hasOwn(defaults, key)) {
      return isFree(place.closest, path) || isRead(place.chart, path) ? [] : [unknown(path, defaults, place)];
    }
    return inKnown(value, defaults[key] ?? null, { ...place, at: path });
  });
}

function inKnown(value: Value, before: Value, place: Place): readonly Problem[] {
  if (before === null) return [];
  if (isMap(before) && isMap(value)) {
    // A map without keys accepts any key.
    return Object.keys(before).length === 0 ? [] : misfits(value, before, place);
  }
  const [was, is] = [typeOf(before), typeOf(value)];
  if (was === is || !(CONTAINERS.has(was) || CONTAINERS.has(is) || was === 'boolean')) return [];
  const path = dottedPath(place.at);
  return [
    FIELD_FINDINGS.chartValueRefusedType(
      { path, value: place.shownAt(place.at), type: was, usual: showValue(before), chart: place.of },
      { about: placeInValues(path) },
    ),
  ];
}

const CONTAINERS = new Set(['map', 'list']);

function typeOf(value: Value): string {
  if (Array.isArray(value)) return 'list';
  return isMap(value) ? 'map' : typeof value;
}

/**
 * Whether the closest release has a value without a default. A value with a default in that release, but none in this
 * chart, was removed.
 */
function isFree(closest: ClosestChart | undefined, path: readonly string[]): boolean {
  if (closest === undefined) return false;
  const isUnknown = path.some((_, index) => closest.unknown.has(placeInValues(dottedPath(path.slice(0, index + 1)))));
  return !isUnknown && valueIn(closest.defaults, path) === undefined;
}

function valueIn(values: Values, path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>(
    (value, key) => (isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    values,
  );
}

/** Whether templates read a value without a default: `.Values.key`, or `.parent.key` for a value in a map. */
function isRead({ source }: ReleaseChart, path: readonly string[]): boolean {
  const [parent = 'Values', key = ''] = path.slice(-2).length === 2 ? path.slice(-2) : ['Values', path[0]];
  return new RegExp(`\\.${literal(parent)}\\.${literal(key)}(?![\\w-])`).test(source);
}

function literal(text: string): string {
  return text.replace(/[^\w]/g, '\\$&');
}

function unknown(path: readonly string[], defaults: Values, { of, at }: Place): Problem {
  const known = Object.keys(defaults);
  const [similar] = suggest(path.at(-1) ?? '', known);
  const place = dottedPath(path);
  const remedy: MisfitRemedy =
    similar === undefined ? { remedy: 'remove', hint: '' } : { remedy: 'meant', hint: dottedPath([...at, similar]) };
  return FIELD_FINDINGS.chartValueRefusedUnknown(
    { path: place, chart: of, ...remedy },
    { about: placeInValues(place) },
  );
}
