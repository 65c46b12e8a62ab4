import { isMap, mergeValues, type Value, type Values, valueAt } from '#base/values';
import controlPlaneSchema from '#imports/charts/linkerd-control-plane/edge-26.8.3.schema.json';
import vizSchema from '#imports/charts/linkerd-viz/edge-26.8.3.schema.json';
import cniSchema from '#imports/charts/linkerd2-cni/edge-26.8.3.schema.json';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { CHART_NAMES, type ChartName } from '#linkerd/renderers/chart-names';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { BASES } from './bases';
import { UNREAD } from './unread-values';

/** The part of a schema of values that this test reads. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const SCHEMAS: Readonly<Record<ChartName, { readonly definitions: object }>> = {
  'linkerd-control-plane': controlPlaneSchema,
  'linkerd-viz': vizSchema,
  'linkerd2-cni': cniSchema,
};

/** The values to try for each type. */
const TRIED: Readonly<Record<string, readonly Value[]>> = {
  array: [[{ name: 'changed' }]],
  boolean: [true, false],
  integer: [7, 8],
  number: [7, 8],
  object: [{ changed: 'yes' }],
  string: ['7s', 'any: true', '4242'],
};

/** The paths of all values of a chart, with or without a default, and the values to try for each. */
function valuesOf(chart: ChartName): readonly { readonly path: string; readonly tried: readonly Value[] }[] {
  const definitions = SCHEMAS[chart].definitions as Readonly<Record<string, Schema>>;
  const resolved = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : (definitions[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {});
  const tried = ({ type, enum: words, items }: Schema): readonly Value[] => {
    const [first = 'object'] = [type ?? 'object'].flat().filter((one) => one !== 'null');
    if (first === 'array' && resolved(items ?? {}).type === 'string') return [['changed']];
    return words ?? TRIED[first] ?? [];
  };
  const walk = (schema: Schema, path: string): { path: string; tried: readonly Value[] }[] => {
    const { properties, ...rest } = resolved(schema);
    if (properties === undefined) return [{ path, tried: tried(rest) }];
    return Object.entries(properties).flatMap(([key, inside]) => walk(inside, path === '' ? key : `${path}.${key}`));
  };
  return walk({ $ref: '#/definitions/Values' }, '');
}

function at(path: string, value: Value): Values {
  return path.split('.').reduceRight<Value>((inside, key) => ({ [key]: inside }), value) as Values;
}

/** The rendered objects, without the copy of all values for the injector and its checksum. */
function outputOf(chart: ChartName, values: Values): string {
  const { native, namespace } = nativeChartOf(chart);
  const isCopy = ({ kind, metadata }: KubernetesObject) => kind === 'ConfigMap' && metadata.name === 'linkerd-config';
  const objects = native.render(values, { namespace }).filter((object) => !isCopy(object));
  return JSON.stringify(objects).replaceAll(/"checksum\/config":"\w+"/g, '');
}

/** Whether the renderer refuses a string as the value, which proves that the value is read. */
function isRefused(chart: ChartName, values: Values): boolean {
  return nativeChartOf(chart)
    .native.check(values)
    .some(({ cause }) => cause === 'namespace-selector');
}

describe.each(CHART_NAMES)('the values of %s', (chart) => {
  const { defaults } = nativeChartOf(chart);
  const bases = Object.values(BASES[chart]).map((base) => mergeValues(defaults, base));
  const outputs = bases.map((base) => outputOf(chart, base));

  const moves = (path: string, tried: readonly Value[]) =>
    bases.some((base, index) =>
      tried.some((value) => {
        const before = valueAt(base, path);
        if (JSON.stringify(before) === JSON.stringify(value)) return false;
        const changed = mergeValues(base, at(path, isMap(value) && isMap(before) ? mergeValues(before, value) : value));
        return isRefused(chart, changed) || outputOf(chart, changed) !== outputs[index];
      }),
    );

  test('each change a rendered object, or are in UNREAD with a reason', () => {
    const known = valuesOf(chart);
    const unread = known.filter(({ path, tried }) => !moves(path, tried)).map(({ path }) => path);
    expect(known.length).toBeGreaterThan(40);
    expect(unread).toEqual(Object.keys(UNREAD[chart]));
  });
});
