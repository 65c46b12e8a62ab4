import { stepsOf } from '#lib/review/upgrade/steps';
import { definitionChanges } from '#linkerd/releases/definition-changes';
import { definitionIn } from '#linkerd/releases/definitions';
import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import type { KubeObject } from '../../support/cluster/objects';

const NAME = 'gauges.upgrade.example.com';
const [GROUP, KIND] = ['upgrade.example.com', 'Gauge'];
const REFERENCE = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: NAME } };
const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };

/** A CRD with these versions, the last of which is the storage version. */
function gauges(...versions: readonly string[]): KubeObject {
  return {
    ...REFERENCE,
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'gauges', singular: 'gauge', kind: KIND, listKind: 'GaugeList' },
      versions: versions.map((name, index) => ({ name, served: true, storage: index === versions.length - 1, schema })),
    },
  };
}

let cluster: Cluster;
beforeAll(async () => {
  cluster = await sharedCluster();
});
afterAll(() => cluster.delete(REFERENCE));

async function storedVersions(): Promise<unknown> {
  const { status } = (await cluster.get(REFERENCE)) as { readonly status?: { readonly storedVersions?: unknown } };
  return status?.storedVersions;
}

test('the API server refuses a CRD without a stored version, until the steps of a plan are complete', async () => {
  const [before, after] = [gauges('v1', 'v2'), gauges('v1')];
  await cluster.apply(before);
  const namespace = await cluster.namespace();
  const gauge = { apiVersion: `${GROUP}/v2`, kind: KIND, metadata: { name: 'fuel', namespace }, spec: {} };
  await cluster.eventually(() => cluster.apply(gauge));
  const apply = () => cluster.apply(after, { force: true });
  await expect(apply()).rejects.toThrow(
    /status\.storedVersions\[0\].*"v2".*missing from spec\.versions|must appear in spec\.versions/,
  );

  const definitions = definitionChanges(definitionIn(before as never), definitionIn(after as never));
  const moves = [{ part: 'crds', from: 'edge-26.8.3', to: 'edge-26.8.2' }] as const;
  const steps = stepsOf({
    moves,
    definitions,
    namespaces: {},
    removedFolders: [],
    injected: [],
    hasConfig: false,
    lines: [],
  });
  const { commands } = steps.find(({ title }) => title.includes(NAME)) ?? { commands: [] };
  const patches = commands.flatMap((command) => /^kubectl patch crd (\S+) .*-p '(.*)'$/.exec(command) ?? []);
  expect(patches.filter((text) => text === NAME)).toHaveLength(2);
  const [, , flip = '', , , forget = ''] = patches;
  await cluster.patch(REFERENCE, JSON.parse(flip));
  // The API server writes in the other version only after a moment.
  await cluster.eventually(async () => expect(await storedVersions()).toEqual(['v2', 'v1']));
  const { metadata, ...rest } = await cluster.get(gauge);
  await cluster.replace({ ...rest, metadata });
  await cluster.patch(REFERENCE, JSON.parse(forget), { subresource: 'status' });
  await apply();
  expect(await storedVersions()).toEqual(['v1']);
  expect(await cluster.get({ ...gauge, apiVersion: `${GROUP}/v1` })).toMatchObject({ spec: {} });
});
