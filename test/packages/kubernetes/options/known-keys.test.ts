import {
  each,
  FREE,
  keysOf,
  keysWithout,
  LIST,
  NUMBER,
  part,
  readOptions,
  required,
  unknownKeys,
} from '#kubernetes/options/known-keys';
import { facts } from '#test/support/findings';

interface Probe {
  readonly path: string;
  readonly seconds?: number;
}

interface Options {
  readonly mode?: 'on' | 'off';
  readonly labels?: Readonly<Record<string, string>>;
  readonly probe?: Probe | false;
  readonly probes?: readonly Probe[];
  readonly way?: { readonly kind: 'a'; readonly x?: number } | { readonly kind: 'b'; readonly y?: number };
  readonly since?: Date;
  readonly names?: readonly string[];
}

const PROBE = keysOf<Probe>({ path: true, seconds: NUMBER });
const A = keysOf<{ kind: 'a'; x?: number }>({ kind: true, x: NUMBER });
const B = keysOf<{ kind: 'b'; y?: number }>({ kind: true, y: NUMBER });
const OPTIONS = keysOf<Options>(
  {
    mode: true,
    labels: FREE,
    probe: PROBE,
    probes: each(PROBE),
    way: ({ kind }) => (kind === 'a' ? A : B),
    since: part('a Date', 'getTime'),
    names: LIST,
  },
  { style: "mode: 'on'" },
);

function problems(options: unknown, path?: string) {
  return unknownKeys(OPTIONS, options as Options, path).map(facts);
}

const meant = (path: string, name: string) => ({ finding: 'option-unknown/meant', path, meant: name });
const unknown = (path: string, known: string) => ({ finding: 'option-unknown', path, known });
const noMap = (value: string) => ({ finding: 'wrong-type/value', path: 'props', value, expected: 'a map of options' });
const ALL = 'mode, labels, probe, probes, way, since, names';

test.each<[what: string, options: unknown, problems: readonly object[]]>([
  ['only known keys', { mode: 'on', probe: { path: '/' }, way: { kind: 'a', x: 1 } }, []],
  ['a misspelt key', { mod: 'on' }, [meant('mod', 'mode')]],
  ['a misspelt key in a map', { probe: { pth: '/' } }, [meant('probe.pth', 'probe.path')]],
  ['a typo in a list', { probes: [{ path: '/' }, { secnds: 1 }] }, [meant('probes[1].secnds', 'probes[1].seconds')]],
  ['a key of another variant', { way: { kind: 'b', x: 1 } }, [unknown('way.x', 'kind, y')]],
  ['a key of another level', { seconds: 5 }, [meant('seconds', 'probe.seconds')]],
  ['a key of another API', { style: 1 }, [meant('style', "mode: 'on'")]],
  ['several misspelt keys', { mod: 1, probe: { pth: 1 } }, [meant('probe.pth', 'probe.path'), meant('mod', 'mode')]],
  ['free keys of a map', { labels: { anything: 'goes' } }, []],
  ['an undefined key', { tracing: undefined }, []],
  ['keys of any object', { constructor: 1, toString: 2 }, [unknown('constructor', ALL), unknown('toString', ALL)]],
  ['the key __proto__', JSON.parse('{"__proto__": {"mode": "on"}}'), [meant('__proto__', 'probe')]],
  ['a key with a space', { 'mode on': 1 }, [meant('["mode on"]', 'mode')]],
  ['a string', 'on', [noMap('"on"')]],
  ['a list', [{ mode: 'on' }], [noMap('[{"mode":"on"}]')]],
  ['null for all', { mode: null, probe: null, probes: null, way: null, since: null }, []],
  ['null', null, []],
  ['undefined', undefined, []],
  ['a symbol as key', { [Symbol('mine')]: 1 }, []],
  ['no prototype', Object.assign(Object.create(null), { mod: 1 }), [meant('mod', 'mode')]],
  ['an inherited misspelt key', Object.create({ mod: 1 }), [meant('mod', 'mode')]],
])('unknownKeys lists unknown options, given %s', (_, options, expected) => {
  expect(problems(options)).toEqual(expect.arrayContaining([...expected]));
  expect(problems(options)).toHaveLength(expected.length);
});

test('unknownKeys prefixes paths of options with the name of the call', () => {
  expect(problems({ probe: { pth: 1 } }, 'allow')).toEqual([meant('allow.probe.pth', 'allow.probe.path')]);
});

test('readOptions accepts instances, getters and inherited keys', () => {
  class Given {
    private readonly chosen = 'on';
    readonly probe = Object.create({ path: '/' }) as Probe;
    get mode() {
      return this.chosen;
    }
    helper() {}
  }
  const { options, problems } = readOptions<Options>(OPTIONS, new Given() as never);
  expect({ options, problems }).toEqual({ options: { mode: 'on', probe: { path: '/' } }, problems: [] });
});

test('unknownKeys ignores further members of an instance, but checks the maps in it', () => {
  class Given {
    readonly team = 'shop';
    readonly probe = { pth: '/' };
  }
  expect(problems(new Given())).toEqual([meant('probe.pth', 'probe.path')]);
});

test('readOptions recognizes a part by its members', () => {
  const PARTS = keysOf<{ at: Date; since?: Date }>({
    at: required(part('a Date', 'getTime')),
    since: part('a Date', 'getTime'),
  });
  const missing = (options: unknown) =>
    readOptions<{ at: Date; since?: Date }>(PARTS, options as { at: Date }).missing.map(facts);
  const at = new Date(0);
  expect(missing({ at, since: at })).toEqual([]);
  expect(missing({ at, since: null })).toEqual([]);
  const nothing = { finding: 'part-missing', path: 'at', value: 'undefined', expected: 'a Date' };
  expect(missing({})).toMatchObject([nothing]);
  expect(missing(undefined)).toMatchObject([nothing]);
  expect(missing({ at: {}, since: at })).toMatchObject([{ ...nothing, value: '{}' }]);
  expect(unknownKeys<{ at: Date; since?: Date }>(PARTS, { at, since: '2026' } as never).map(facts)).toMatchObject([
    { finding: 'wrong-type/value', path: 'since', value: '"2026"', expected: 'a Date' },
  ]);
});

test('keysWithout omits the named keys', () => {
  const keys = keysWithout(PROBE, 'seconds');
  expect(unknownKeys<{ path: string }>(keys, { path: '/', seconds: 1 } as never).map(({ about }) => about)).toEqual([
    'seconds',
  ]);
});

test('the compiler requires every key of a type in keysOf, and the keys of its members', () => {
  const refused = [
    // @ts-expect-error seconds is missing
    () => keysOf<Probe>({ path: true }),
    // @ts-expect-error Probe has no minutes
    () => keysOf<Probe>({ path: true, seconds: true, minutes: true }),
    // @ts-expect-error probe is a map, and needs keysOf<Probe>
    () => keysOf<{ probe: Probe }>({ probe: true }),
    // @ts-expect-error a map with free keys must be declared as free
    () => keysOf<{ labels: Record<string, string> }>({ labels: true }),
    // @ts-expect-error PROBE has the keys of another type
    () => keysOf<{ probe: { path: string } }>({ probe: PROBE }),
    // @ts-expect-error PROBE lacks the key more
    () => keysOf<{ probe: Probe & { more: string } }>({ probe: PROBE }),
  ];
  expect(refused).toHaveLength(6);
});
