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
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { KnownObjects, plainJson, plainObject, sharedObject } from '#lib/gitops/tree/plain-json';
import { ORDINARY_OBJECTS } from '../../support/ordinary-objects';

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

function lazily(value: unknown): unknown {
  return Lazy.any({ produce: () => value });
}

/** Returns a text that also shows the order of keys. */
function textOf(json: unknown): string {
  return JSON.stringify(json);
}

const SIMPLE = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

describe('plainJson equals toJson', () => {
  test.each(ORDINARY_OBJECTS.map((object) => [object as object]))('for an ordinary object', (props) => {
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
    ['with null, undefined and empty members', { ...SIMPLE, b: null, a: undefined, d: {}, c: [], e: { f: null } }, {}],
    ['with lazy values', { ...SIMPLE, data: { a: lazily('x'), b: lazily(null), c: [lazily({ d: lazily(1) })] } }, {}],
    ['with lazy metadata', { ...SIMPLE, metadata: { name: 'a', labels: { a: lazily('b'), c: lazily({}) } } }, {}],
    ['with patches', SIMPLE, { patches: [JsonPatch.remove('/metadata/name'), JsonPatch.add('/data', { b: 1, a: 2 })] }],
    ['without a kind, which a patch removed', SIMPLE, { patches: [JsonPatch.remove('/kind')] }],
  ])('for an object %s', (_, props, setting) => {
    expect(textOf(plainJson(objectOf(props, setting)))).toBe(textOf(objectOf(props, setting).toJson()));
  });

  test('for random objects, unless it is undefined', () => {
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

/** A lazy value that produces itself. */
function endless(): unknown {
  return Lazy.any({ produce: endless });
}

class Doubling implements IResolver {
  resolve(context: { value: unknown; replaceValue(value: unknown): void }): void {
    if (context.value === 'one') context.replaceValue('two');
  }
}

describe('plainJson is undefined', () => {
  test.each<[string, unknown]>([
    ['a lazy instance', Lazy.any({ produce: () => Duration.hours(1) })],
    [
      'a lazy value that throws',
      Lazy.any({
        produce: () => {
          throw new Error('not yet');
        },
      }),
    ],
    ['a lazy value without end', endless()],
    ['an instance', Duration.hours(1)],
    ['an instance in a list', [Cron.hourly()]],
    ['a resolvable value', { resolve: () => 'resolved' }],
    ['a function', () => 1],
    ['NaN', Number.NaN],
    ['null in a list', [null]],
    ['a hole in a list', new Array(1)],
    ['a map without a prototype', Object.create(null)],
    ['a map with a constructor', { constructor: 'C' }],
    ['a map with a prototype', JSON.parse('{"__proto__": {}}')],
  ])('for an object with %s', (_, spec) => expect(plainJson(objectOf({ ...SIMPLE, spec }))).toBeUndefined());

  test('for an object that contains itself', () => {
    const spec: Record<string, unknown> = {};
    spec.spec = spec;
    expect(plainJson(objectOf({ ...SIMPLE, spec }))).toBeUndefined();
  });

  test('in an App with resolvers, and for an object with an overridden toJson', () => {
    expect(plainJson(objectOf({ ...SIMPLE, spec: 'one' }, { resolvers: [new Doubling()] }))).toBeUndefined();
    const object = objectOf(SIMPLE);
    object.toJson = () => ({});
    expect(plainJson(object)).toBeUndefined();
  });
});

test('plainJson shares no data with the props of the object', () => {
  const spec = { list: [{ a: 1 }] };
  const object = objectOf({ ...SIMPLE, spec }, { patches: [JsonPatch.replace('/spec/list/0/a', 2)] });
  expect(plainJson(object)).toMatchObject({ spec: { list: [{ a: 2 }] } });
  expect(spec).toEqual({ list: [{ a: 1 }] });
});

describe('plainJson for several objects', () => {
  test.each<[unknown, unknown]>([
    [{ a: [] }, { a: {} }],
    [{ a: {} }, { a: [] }],
    [{ a: 0 }, { a: -0 }],
    [{ a: 1 }, { a: '1' }],
    [{ a: [1, 2] }, { a: [1] }],
    [{ a: [1] }, { a: { 0: 1 } }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1, b: 1 }, { a: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: lazily(2) }],
    [{ a: 1 }, { a: 1, b: lazily(undefined) }],
    [{ a: 1, b: lazily({}) }, { a: lazily(1) }],
    [{ a: { b: 'c' } }, { a: null }],
    [{ a: { b: 'c' } }, { a: { b: 'c', d: { e: undefined } } }],
    [{ a: { toString: 'a' } }, { a: {} }],
    [{ a: {} }, { a: { toString: 'a' } }],
    ['a', { 0: 'a' }],
  ])('distinguishes %p from %p, in data and in labels', (one, other) => {
    for (const props of [
      (data: unknown) => ({ ...SIMPLE, data }),
      (labels: unknown) => ({ ...SIMPLE, metadata: { name: 'a', labels } }),
    ]) {
      for (const data of [one, other, one]) {
        expect(textOf(plainJson(objectOf(props(data))))).toBe(textOf(objectOf(props(data)).toJson()));
      }
    }
  });

  test('distinguishes invalid objects from earlier valid ones', () => {
    for (const odd of [
      { a: Lazy.any({ produce: () => () => 1 }) },
      JSON.parse('{"a": 1, "__proto__": null}'),
      { a: [1, null] },
    ]) {
      expect(plainJson(objectOf({ ...SIMPLE, data: { a: 1 } }))).toBeDefined();
      expect(plainJson(objectOf({ ...SIMPLE, data: { a: [1] } }))).toBeDefined();
      expect(plainJson(objectOf({ ...SIMPLE, data: odd }))).toBeUndefined();
    }
  });

  test('returns one read-only object for equal objects, in any order of keys', () => {
    const one = plainJson(objectOf({ ...SIMPLE, data: { a: '1', b: '2', c: null } }));
    expect(plainJson(objectOf({ ...SIMPLE, data: { b: '2', a: '1' } }, { chart: { labels: {} } }))).toBe(one);
    expect(() => Object.assign(one?.metadata ?? {}, { name: 'other' })).toThrow(TypeError);
    expect(() => Object.assign((one as unknown as { data: object }).data, { a: '2' })).toThrow(TypeError);
  });

  test('caches few objects of a name, and limits the size of the cache', () => {
    const known = new KnownObjects(200);
    const parts = (name: string, text: string) => ({ content: { kind: 'A', text }, metadata: { name } });
    const add = (name: string, text: string) =>
      known.add({ kind: 'A', text, metadata: { name } } as unknown as KubernetesObject);
    for (const text of ['1', '2', '3', '4', '5']) add('a', text);
    expect(['1', '2', '3', '4', '5'].map((text) => known.find(parts('a', text)) !== undefined)).toEqual([
      ...[false, true, true, true, true],
    ]);
    for (const name of ['b', 'c']) add(name, 'x'.repeat(200));
    expect(known.find(parts('a', '5'))).toBeUndefined();
  });
});

describe('plainObject', () => {
  test.each(ORDINARY_OBJECTS.map((object) => [object as unknown as KubernetesObject]))(
    'returns the plainJson of the ApiObject of data',
    (data) => expect(plainObject(data)).toBe(plainJson(objectOf(data))),
  );

  test('returns undefined for invalid data', () => {
    expect(plainObject({ ...SIMPLE, data: { a: [null] } })).toBeUndefined();
  });
});

describe('an object without an ApiObject', () => {
  const configMap = (data: Record<string, unknown>) => ({ ...SIMPLE, data });

  test('is shared with equal objects, and not with others', () => {
    const one = sharedObject(configMap({ a: '1', b: null }));
    expect(one).toEqual(configMap({ a: '1', b: null }));
    expect(sharedObject(configMap({ a: '1', b: null }))).toBe(one);
    expect(sharedObject(one)).toBe(one);
    expect(sharedObject(configMap({ a: '1' }))).not.toBe(one);
    expect(sharedObject(configMap({ a: '2', b: null }))).not.toBe(one);
    expect(sharedObject(configMap({ a: '1', b: [] }))).not.toBe(one);
  });

  test('is shared with an equal object of cdk8s', () => {
    const read = plainJson(objectOf({ ...SIMPLE, data: { a: '1' } }));
    expect(sharedObject(configMap({ a: '1' }))).toBe(read);
  });

  test('is not shared with an object that lacks a null field', () => {
    sharedObject(configMap({ left: null }));
    const json = plainJson(objectOf({ ...SIMPLE, data: { left: null } }));
    expect(json).toEqual({ ...SIMPLE, data: {} });
  });

  test('is read-only, even for its creator', () => {
    const data = { nested: { list: ['a'] } };
    const shared = sharedObject(configMap(data));
    data.nested.list.push('b');
    expect(shared).toEqual(configMap({ nested: { list: ['a'] } }));
    const { nested } = (shared as ReturnType<typeof configMap>).data as typeof data;
    expect(() => nested.list.push('c')).toThrow(TypeError);
    expect(() => Object.assign(shared.metadata, { name: 'other' })).toThrow(TypeError);
    expect(sharedObject(configMap({ nested: { list: ['a', 'b'] } }))).not.toBe(shared);
  });

  test('that is not plain data is not shared with plain data of the same JSON', () => {
    const date = new Date(0);
    const text = sharedObject(configMap({ at: date.toJSON() }));
    const odd = configMap({ at: date });
    expect(sharedObject(odd)).toBe(odd);
    expect(sharedObject(configMap({ at: date.toJSON() }))).toBe(text);
  });
});
