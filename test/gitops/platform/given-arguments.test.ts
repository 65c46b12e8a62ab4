import { join } from 'node:path';
import { Platform } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { temporaryDirectory } from '../synth/output/tree-on-disk';

class Mine {
  readonly x = 1;
}

/** Values that untyped programs may pass as any argument. */
const ODD: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a number': 5,
  NaN: Number.NaN,
  'a text': 'x',
  'an empty text': '',
  true: true,
  'a BigInt': 1n,
  'a symbol': Symbol('x'),
  'a list': [],
  'a list of texts': ['a'],
  'a list of null': [null],
  'a promise': Promise.resolve({}),
  'a class': Mine,
  'an instance': new Mine(),
  'a function': () => {},
  'an async function': async () => {},
  'a generator': function* () {},
  'a date': new Date(0),
  'a Map': new Map(),
  'a map without a prototype': Object.create(null),
};

const directory = temporaryDirectory();
const props = () => ({ repoUrl: 'https://git.example.com/a.git', outdir: join(directory.path, 'dist') });

/** Synthesizes a platform with one odd argument as a check. */
function platform(odd: (platform: Platform) => void = () => {}, others: object = {}): void {
  const made = new Platform({ ...props(), ...others });
  made.addCluster('home', {}, () => {});
  odd(made);
  made.synth({ check: true });
}

const of = (prop: string) => (value: unknown) => platform(undefined, { [prop]: value });
const ofCluster = (prop: string) => (value: unknown) =>
  platform((made) => made.addCluster('other', { [prop]: value } as never, () => {}));

const PROGRAMS: Readonly<Record<string, (odd: never) => void>> = {
  'new Platform(x)': (odd) => {
    const made = new Platform(odd);
    made.addCluster('home', {}, () => {});
    made.synth({ check: true });
  },
  'addCluster(x, {}, build)': (odd) => platform((made) => made.addCluster(odd, {}, () => {})),
  'addCluster(name, x, build)': (odd) => platform((made) => made.addCluster('other', odd, () => {})),
  'addCluster(name, {}, x)': (odd) => platform((made) => made.addCluster('other', {}, odd)),
  'addClusters(x, build)': (odd) => platform((made) => made.addClusters(odd, () => {})),
  'addClusters([x], build)': (odd) => platform((made) => made.addClusters([odd], () => {})),
  'addClusters(list, x)': (odd) => platform((made) => made.addClusters([{ name: 'other', settings: {} }], odd)),
  'synth(x)': (odd) => platform((made) => made.synth(odd)),
  'promote(x)': (odd) => platform((made) => made.promote(odd)),
  ...Object.fromEntries(
    ['repoUrl', 'revision', 'path', 'outdir', 'rings', 'argocd', 'operatorImage', 'mirror', 'acknowledge'].map(
      (prop) => [`new Platform({ ${prop}: x })`, of(prop)],
    ),
  ),
  ...Object.fromEntries(
    ['domain', 'destination', 'ring', 'release', 'operatorImage', 'mirror'].map((prop) => [
      `addCluster(name, { ${prop}: x }, build)`,
      ofCluster(prop),
    ]),
  ),
};

test.each(Object.keys(PROGRAMS))('synth throws no other exception than a SynthError for any x in %s', (name) => {
  for (const [what, odd] of Object.entries(ODD)) {
    try {
      PROGRAMS[name]?.(odd as never);
    } catch (error) {
      expect([what, error instanceof SynthError ? 'SynthError' : String(error)]).toEqual([what, 'SynthError']);
    }
  }
});

test.each<[string, () => void, string]>([
  ['missing props', () => new Platform(undefined as never), 'The argument of new Platform() is undefined, not a map.'],
  [
    'a promise in place of props',
    () => platform((made) => made.addCluster('a', Promise.resolve({}) as never, () => {})),
    "The second argument of addCluster('a', …) is a promise, not a map.",
  ],
  [
    'a missing builder',
    () => platform((made) => made.addCluster('a', {}, undefined as never)),
    "The third argument of addCluster('a', …) is undefined, not a function.",
  ],
  [
    'a map in place of a list of clusters',
    () => platform((made) => made.addClusters({} as never, () => {})),
    'The first argument of addClusters() is {}, not a list.',
  ],
  ['an empty outdir', () => platform(undefined, { outdir: '' }), 'outdir of the Platform is "", not a path.'],
])('synth reports %s by the name of the argument, with a fix', (_, program, text) => {
  expect(program).toThrow(text);
  expect(program).toThrow(/Fix: write .+\./);
});

test('platform.cluster reports any value that is not the name of a cluster', () => {
  for (const odd of Object.values(ODD)) {
    expect(() => platform((made) => made.cluster(odd as never))).toThrow(/^There is no cluster /);
  }
});
