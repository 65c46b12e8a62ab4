import {
  ApiObject,
  type ApiObjectProps,
  App,
  Chart,
  type ChartProps,
  Cron,
  Duration,
  type IResolver,
  JsonPatch,
  Lazy,
} from 'cdk8s';
import fc from 'fast-check';
import { plainJson } from '../../lib/tree/plain-json';
import { ORDINARY_OBJECTS } from '../support/ordinary-objects';

interface Setting {
  readonly chart?: ChartProps;
  readonly resolvers?: IResolver[];
  readonly patches?: readonly JsonPatch[];
}

function objectOf(props: object, { chart, resolvers, patches = [] }: Setting = {}): ApiObject {
  const app = new App({ outdir: '', recordConstructMetadata: false, resolvers });
  const object = new ApiObject(new Chart(app, 'chart', chart), 'object', props as ApiObjectProps);
  object.addJsonPatch(...patches);
  return object;
}

/** The text shows the order of keys, too. */
function textOf(json: unknown): string {
  return JSON.stringify(json);
}

const SIMPLE = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

describe('equals toJson', () => {
  test.each(ORDINARY_OBJECTS.map((object) => [object as object]))('of an ordinary object', (props) => {
    expect(textOf(plainJson(objectOf(props)))).toBe(textOf(objectOf(props).toJson()));
  });

  test.each<[string, object, Setting]>([
    ['without metadata', { apiVersion: 'v1', kind: 'Pod' }, {}],
    ['in a chart with a namespace and labels', SIMPLE, { chart: { namespace: 'n', labels: { team: 'mesh' } } }],
    [
      'with more metadata',
      { ...SIMPLE, metadata: { ...SIMPLE.metadata, generation: 1, finalizers: ['f'], b: {}, c: [] } },
      {},
    ],
    ['with null, undefined and what is empty', { ...SIMPLE, b: null, a: undefined, d: {}, c: [], e: { f: null } }, {}],
    ['with patches', SIMPLE, { patches: [JsonPatch.remove('/metadata/name'), JsonPatch.add('/data', { b: 1, a: 2 })] }],
    ['without a kind, which a patch took', SIMPLE, { patches: [JsonPatch.remove('/kind')] }],
  ])('of an object %s', (_, props, setting) => {
    expect(textOf(plainJson(objectOf(props, setting)))).toBe(textOf(objectOf(props, setting).toJson()));
  });

  test('of anything, or is not there', () => {
    let found = 0;
    const value = fc.oneof(fc.jsonValue(), fc.anything(), fc.object());
    fc.assert(
      fc.property(value, value, (spec, labels) => {
        const props = { ...SIMPLE, metadata: { name: 'a', namespace: 'n', labels, annotations: spec }, spec };
        const json = plainJson(objectOf(props));
        if (json === undefined) return;
        found += 1;
        expect(json).toStrictEqual(objectOf(props).toJson());
        expect(textOf(json)).toBe(textOf(objectOf(props).toJson()));
      }),
    );
    expect(found).toBeGreaterThan(10);
  });
});

class Doubling implements IResolver {
  resolve(context: { value: unknown; replaceValue(value: unknown): void }): void {
    if (context.value === 'one') context.replaceValue('two');
  }
}

describe('is not there', () => {
  test.each<[string, unknown]>([
    ['a lazy value', Lazy.any({ produce: () => 'later' })],
    ['an instance', Duration.hours(1)],
    ['an instance in a list', [Cron.hourly()]],
    ['something to resolve', { resolve: () => 'resolved' }],
    ['a function', () => 1],
    ['no number', Number.NaN],
    ['nothing in a list', [null]],
    ['a hole in a list', new Array(1)],
    ['a map without a prototype', Object.create(null)],
    ['a map with a constructor', { constructor: 'C' }],
    ['a map with a prototype', JSON.parse('{"__proto__": {}}')],
  ])('for an object with %s', (_, spec) => {
    expect(plainJson(objectOf({ ...SIMPLE, spec }))).toBeUndefined();
  });

  test('for an object that contains itself', () => {
    const spec: Record<string, unknown> = {};
    spec.spec = spec;
    expect(plainJson(objectOf({ ...SIMPLE, spec }))).toBeUndefined();
  });

  test('in an App with resolvers, and for an object with a toJson of its own', () => {
    expect(plainJson(objectOf({ ...SIMPLE, spec: 'one' }, { resolvers: [new Doubling()] }))).toBeUndefined();
    const object = objectOf(SIMPLE);
    object.toJson = () => ({});
    expect(plainJson(object)).toBeUndefined();
  });
});

test('shares nothing with what the object was made of', () => {
  const spec = { list: [{ a: 1 }] };
  const object = objectOf({ ...SIMPLE, spec }, { patches: [JsonPatch.replace('/spec/list/0/a', 2)] });
  expect(plainJson(object)).toMatchObject({ spec: { list: [{ a: 2 }] } });
  expect(spec).toEqual({ list: [{ a: 1 }] });
});
