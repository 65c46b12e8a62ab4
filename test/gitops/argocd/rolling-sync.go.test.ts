import fc from 'fast-check';
import type { ApplicationSet } from '#imports/crds/argoproj.io';
import type { ApplicationFolder } from '#lib/gitops/argocd/application-folder';
import { applicationSet } from '#lib/gitops/argocd/application-set';
import { checkSyncStrategy, rollingSync, STAGE_LABEL } from '#lib/gitops/argocd/rolling-sync';
import { type Generated, generateAll } from './generate';
import { type Steps, stepsOf } from './steps';

const folders = fc.uniqueArray(
  fc.record({
    cluster: fc.constantFrom('home', 'stable', 'edge'),
    namespace: fc.constantFrom('cert-manager', 'linkerd', 'linkerd-viz', 'shop', '1', 'a-b'),
    stage: fc.option(fc.nat(6), { nil: undefined }),
  }),
  { selector: ({ cluster, namespace }) => `${cluster}/${namespace}`, maxLength: 18 },
);

const UNKNOWN: ApplicationFolder = { cluster: 'home', namespace: 'by-hand' };

function set(known: readonly ApplicationFolder[]): ApplicationSet {
  return applicationSet({
    name: 'mesh',
    project: 'mesh',
    source: { repoUrl: 'https://git.example.com/platform.git' },
    target: { clusterLabels: {} },
    strategy: { type: 'RollingSync' },
    folders: known,
  });
}

function stepOf(applications: readonly Generated[], { cluster, namespace }: ApplicationFolder, steps: Steps): number {
  const found = applications.find(({ template }) => template.metadata.name === `${cluster}-${namespace}`);
  const matching = stepsOf(found?.template.metadata.labels ?? {}, steps);
  expect(matching).toHaveLength(1);
  return matching[0] ?? -1;
}

test('every Application matches exactly one step of a rolling sync, in the order of stages', () => {
  const samples = fc.sample(folders, 300);
  const answers = generateAll(
    samples.map((known) => [
      set(known),
      {
        clusters: ['home', 'stable', 'edge'].map((name) => ({ name })),
        folders: [...known, UNKNOWN].map(({ cluster, namespace }) => `dist/${cluster}/${namespace}`),
      },
    ]),
  );
  samples.forEach((known, index) => {
    const applications = answers[index] ?? [];
    const steps = set(known).spec.strategy?.rollingSync?.steps ?? [];
    expect(applications).toHaveLength(known.length + 1);
    expect(stepOf(applications, UNKNOWN, steps)).toBe(steps.length - 1);
    for (const one of known) {
      for (const other of known) {
        const order = Math.sign(stepOf(applications, one, steps) - stepOf(applications, other, steps));
        expect(order).toBe(Math.sign((one.stage ?? 0) - (other.stage ?? 0)));
      }
    }
  });
});

test('an Application without a stage label matches exactly one step of a rolling sync', () => {
  fc.assert(
    fc.property(folders, (known) => {
      expect(stepsOf({}, set(known).spec.strategy?.rollingSync?.steps ?? [])).toHaveLength(1);
    }),
  );
});

test('the last step of a rolling sync selects all Applications that no other step selects', () => {
  const known = [0, 2, 2, 7].map((stage) => ({ cluster: 'home', namespace: `n${stage}`, stage }));
  expect(rollingSync(known, { type: 'RollingSync', maxUpdate: '50%' })).toEqual({
    type: 'RollingSync',
    rollingSync: {
      steps: [
        { matchExpressions: [{ key: STAGE_LABEL, operator: 'In', values: ['0'] }], maxUpdate: '50%' },
        { matchExpressions: [{ key: STAGE_LABEL, operator: 'In', values: ['2'] }], maxUpdate: '50%' },
        { matchExpressions: [{ key: STAGE_LABEL, operator: 'NotIn', values: ['0', '2'] }], maxUpdate: '50%' },
      ],
    },
  });
});

test('a rolling sync of a single stage has one step without a condition', () => {
  expect(rollingSync([], { type: 'RollingSync' }).rollingSync?.steps).toEqual([{}]);
});

test.each([undefined, 1, 20, '1%', '100%'] as const)('a rolling sync accepts maxUpdate %p', (maxUpdate) => {
  expect(checkSyncStrategy({ type: 'RollingSync', maxUpdate })).toEqual([]);
});

test.each([0, -1, 1.5, '0%', '101%', '1.5%', '-5%'] as const)('a rolling sync refuses maxUpdate %p', (maxUpdate) => {
  expect(checkSyncStrategy({ type: 'RollingSync', maxUpdate })).toHaveLength(1);
});

test('the check of a rolling sync accepts the strategy AllAtOnce', () => {
  expect([...checkSyncStrategy(undefined), ...checkSyncStrategy({ type: 'AllAtOnce' })]).toEqual([]);
});
