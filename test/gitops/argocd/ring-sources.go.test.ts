import fc from 'fast-check';
import { ringSource } from '#lib/gitops/argocd/application-set';
import { argoCdObjects } from '#lib/gitops/argocd/argocd-objects';
import { RING_LABEL, type Ring } from '#lib/gitops/argocd/ring';
import type { SyncStrategy } from '#lib/gitops/argocd/rolling-sync';
import type { ClusterInventory } from '#lib/gitops/synth/inventory';
import { type Generated, generateAll, type Surroundings } from './generate';
import { cluster, folder } from './inventories';
import { type Steps, stepsOf } from './steps';

const REPO = 'https://git.example.com/platform.git';
const REVISIONS = ['HEAD', 'ring/rest', 'v1.2.0'] as const;
const PATHS = ['dist', 'promoted/early', 'promoted/rest'] as const;
const NAMES = ['a', 'b', 'c', 'd'] as const;
/** A registered cluster with a folder in Git, which was removed from the platform. */
const STRANGER = 'stranger';

interface Fleet {
  readonly rings: readonly Ring[];
  readonly clusters: readonly ClusterInventory[];
  readonly isFleet: boolean;
  readonly strategy?: SyncStrategy;
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const rings = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('canary', 'early', 'rest'),
    revision: maybe(fc.constantFrom(...REVISIONS)),
    path: maybe(fc.constantFrom(...PATHS)),
  }),
  { selector: ({ name }) => name, minLength: 1 },
);
const folders = fc.uniqueArray(fc.record({ namespace: fc.constantFrom('linkerd', 'viz', 'shop'), stage: fc.nat(3) }), {
  selector: ({ namespace }) => namespace,
  minLength: 1,
});
const fleets: fc.Arbitrary<Fleet> = rings.chain((all) =>
  fc.record({
    rings: fc.constant(all),
    clusters: fc.uniqueArray(
      fc
        .record({ name: fc.constantFrom(...NAMES), ring: fc.constantFrom(...all.map(({ name }) => name)), of: folders })
        .map(({ name, ring, of }) => ({
          ...cluster(name, ...of.map(({ namespace, stage }) => folder(namespace, { stage }))),
          ring,
        })),
      { selector: ({ name }) => name, minLength: 1 },
    ),
    isFleet: fc.boolean(),
    strategy: maybe(
      fc.constantFrom<SyncStrategy>(
        { type: 'RollingSync' },
        { type: 'RollingSync', maxUpdate: 1 },
        { type: 'AllAtOnce' },
      ),
    ),
  }),
);

const samples = fc.sample(fleets, 120);

function sets({ rings, clusters, isFleet, strategy }: Fleet) {
  const options = { repoUrl: REPO, rings, strategy, ...(isFleet ? { fleet: {} } : {}) };
  const { objects, problems } = argoCdObjects(clusters, options);
  expect(problems).toEqual([]);
  return objects.filter((object) => object.kind === 'ApplicationSet');
}

/** Returns all folders at each revision, below each path of a ring. */
function surroundings({ clusters }: Fleet): Surroundings {
  const stranger = cluster(STRANGER, folder('linkerd'));
  const all = PATHS.flatMap((path) =>
    [...clusters, stranger].flatMap((each) => each.folders.map((one) => `${path}/${each.name}/${one.namespace}`)),
  );
  return {
    revisions: Object.fromEntries(REVISIONS.map((revision) => [revision, all])),
    clusters: [...NAMES, STRANGER].map((name) => ({ name, labels: { [RING_LABEL]: 'nonsense' } })),
  };
}

/** The Applications of each ApplicationSet of each sample. */
const generated: readonly (readonly (readonly Generated[])[])[] = (() => {
  const of = samples.map((sample) => sets(sample));
  const answers = generateAll(of.flatMap((some, index) => some.map((set) => [set, surroundings(at(index))] as const)));
  let next = 0;
  return of.map((some) => some.map(() => answers[next++] ?? []));
})();

function at(index: number): Fleet {
  return samples[index] as Fleet;
}

function ringOf({ rings, clusters }: Fleet, name: string): Ring {
  const own = clusters.find((each) => each.name === name)?.ring;
  return rings.find((ring) => ring.name === own) ?? (rings.at(-1) as Ring);
}

test('every Application is generated once, from the revision and the folder of its ring', () => {
  samples.forEach((sample, index) => {
    const strangers = sample.isFleet ? [cluster(STRANGER, folder('linkerd'))] : [];
    const expected = [...sample.clusters, ...strangers].flatMap(({ name, folders: own }) => {
      const { name: ring, revision = 'HEAD', path = 'dist' } = ringOf(sample, name);
      return own.map(({ namespace }) => [`${name}-${namespace}`, revision, `${path}/${name}/${namespace}`, ring]);
    });
    const found = generated[index]?.flat().map(({ template: { metadata, spec } }) => {
      return [metadata.name, spec.source?.targetRevision, spec.source?.path, metadata.labels?.[RING_LABEL]];
    });
    expect(found?.toSorted()).toEqual(expected.toSorted());
  });
});

/** An Application with its step and ring, and its stage if its cluster belongs to the platform. */
interface Placed {
  readonly step: number;
  readonly ring: number;
  readonly stage?: number;
}

function placed(fleet: Fleet, { template: { metadata, spec } }: Generated, steps: Steps): Placed {
  const matching = stepsOf(metadata.labels ?? {}, steps);
  expect(matching).toHaveLength(1);
  const [name = '', namespace] = spec.source?.path?.split('/').slice(-2) ?? [];
  const known = fleet.clusters.find((each) => each.name === name);
  const { stage } = known?.folders.find((one) => one.namespace === namespace) ?? {};
  return { step: matching[0] ?? -1, ring: fleet.rings.indexOf(ringOf(fleet, name)), stage };
}

/** Expects the order of rings, then of stages. Applications of removed clusters are in the last ring. */
function expectOrder(all: readonly Placed[]): void {
  const own = all.filter(({ stage }) => stage !== undefined);
  const last = Math.max(...own.map(({ ring }) => ring));
  for (const one of own) {
    for (const other of own.filter(({ ring }) => ring > one.ring)) expect(one.step).toBeLessThan(other.step);
    for (const other of own.filter(({ ring }) => ring === one.ring)) {
      expect(Math.sign(one.step - other.step)).toBe(Math.sign((one.stage ?? 0) - (other.stage ?? 0)));
    }
    const strangers = all.filter(({ stage }) => stage === undefined && one.ring < last);
    for (const stranger of strangers) expect(one.step).toBeLessThan(stranger.step);
  }
}

test('every Application of a rolling sync is in exactly one step, rings before stages', () => {
  const rolling = samples.flatMap((sample, index) => (sample.strategy?.type === 'RollingSync' ? [index] : []));
  expect(rolling.length).toBeGreaterThan(20);
  for (const index of rolling) {
    sets(at(index)).forEach((set, place) => {
      const steps = set.spec.strategy?.rollingSync?.steps ?? [];
      const all = (generated[index]?.[place] ?? []).map((application) => placed(at(index), application, steps));
      expectOrder(all);
      // Argo CD warns of steps without an Application.
      expect(new Set(all.map(({ step }) => step)).size).toBe(steps.length);
    });
  }
});

test('an Application without labels is in exactly one step, too', () => {
  for (const sample of samples) {
    for (const { spec } of sets({ ...sample, strategy: { type: 'RollingSync' } })) {
      expect(stepsOf({}, spec.strategy?.rollingSync?.steps ?? [])).toHaveLength(1);
    }
  }
});

test('a cluster that moves to another ring keeps its ApplicationSet', () => {
  for (const sample of samples) {
    const moved = sample.clusters.map((each) => ({ ...each, ring: sample.rings[0]?.name }));
    const names = (fleet: Fleet) => sets(fleet).map(({ metadata }) => metadata?.name);
    expect(names({ ...sample, clusters: moved })).toEqual(names(sample));
  }
});

test('a template of an ApplicationSet lists only clusters that differ from the last ring', () => {
  const named = Array.from({ length: 1000 }, (_, index) => `cluster-${index}`);
  const { revision } = ringSource({ repoUrl: REPO, revision: 'main' }, [
    { name: 'canary', clusters: named.slice(0, 1) },
    { name: 'rest', revision: 'v1.2.0', clusters: named.slice(1) },
  ]);
  expect(revision).toBe('{{ get (dict "cluster-0" "main") .name | default "v1.2.0" }}');
});

test('an ApplicationSet needs no templates for rings with equal settings', () => {
  const source = ringSource({ repoUrl: REPO }, [{ name: 'rest', clusters: ['a'] }]);
  expect(source).toMatchObject({ revision: 'HEAD', prefix: 'dist/', ring: 'rest' });
});
