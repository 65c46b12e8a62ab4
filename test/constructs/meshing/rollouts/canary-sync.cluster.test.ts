import { isDeepStrictEqual } from 'node:util';
import { ApiObject, App } from 'cdk8s';
import { parse } from 'yaml';
import type { Application } from '#imports/crds/argoproj.io';
import { CanaryRoute } from '#lib/constructs/meshing/rollouts/canary-route';
import { argoCdObjects } from '#lib/gitops/argocd/argocd-objects';
import { Cluster as ClusterTree } from '#lib/gitops/tree/cluster';
import { generate } from '#test/gitops/argocd/generate';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import { customResourceDefinition } from '#test/support/cluster/crds';
import { type KubeObject, ref } from '#test/support/cluster/objects';
import { synthCluster } from '#test/support/synth-cluster';
import { EDGE } from '../fixture';

const ROUTE = ['gateway.networking.k8s.io/v1', 'HTTPRoute'] as const;
const DEFINITION = [
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  'httproutes.gateway.networking.k8s.io',
] as const;
const HASH = 'rollouts-pod-template-hash';

/** A folder of the output, and the Application that its ApplicationSet generates for it. */
interface Output {
  readonly objects: readonly KubeObject[];
  readonly spec: Pick<Application['spec'], 'ignoreDifferences' | 'syncPolicy'>;
}

/** Synthesizes a canary: a route (by the construct or by hand), three Services, a Rollout and a ConfigMap. */
function output(
  namespace: string,
  { port = 80, greeting = 'hello', byHand = false }: { port?: number; greeting?: string; byHand?: boolean } = {},
): Output {
  const tree = new ClusterTree(new App(), 'home', {
    external: [
      { kind: 'CustomResourceDefinition', name: DEFINITION[2] },
      { kind: 'CustomResourceDefinition', name: 'rollouts.argoproj.io' },
    ],
  });
  const emit = (apiVersion: string, kind: string, name: string, content: object) =>
    new ApiObject(tree, `${kind}-${name}`, { apiVersion, kind, metadata: { name, namespace }, ...content });
  new ApiObject(tree, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  emit('v1', 'ConfigMap', 'settings', { data: { greeting } });
  for (const name of ['web', 'web-stable', 'web-canary']) {
    emit('v1', 'Service', name, { spec: { selector: { app: 'web' }, ports: [{ port }] } });
  }
  const named = (name: string) => ({ name, namespace });
  const services = { service: named('web'), stable: named('web-stable'), canary: named('web-canary'), port };
  const route = new CanaryRoute(tree, 'route', { controlPlane: EDGE, ...services });
  const { strategy } = route;
  if (byHand) {
    route.node.tryRemoveChild('route');
    const backend = (name: string, weight: number) => ({ group: '', kind: 'Service', name, port, weight });
    const parent = { group: '', kind: 'Service', name: 'web', port };
    const rules = [{ backendRefs: [backend('web-stable', 100), backend('web-canary', 0)] }];
    emit(...ROUTE, 'web', { spec: { parentRefs: [parent], rules } });
    emit('argoproj.io/v1alpha1', 'Rollout', 'web', { spec: { strategy: { canary: strategy } } });
  }
  const { files, inventory, findings } = synthCluster(tree);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { objects } = argoCdObjects([inventory], { repoUrl: 'https://git.example.com/platform.git' });
  const set = objects.find((object) => object.kind === 'ApplicationSet');
  if (set?.kind !== 'ApplicationSet') throw new Error('no ApplicationSet');
  const [application] = generate(set, { folders: [`dist/home/${namespace}`] });
  const patch = application?.patch as { readonly spec?: Output['spec'] } | undefined;
  return {
    // The API server of the test does not have the CRD of Rollouts.
    objects: [...files]
      .filter(([path]) => path.startsWith(`${namespace}/`))
      .map(([, text]) => parse(text) as KubeObject)
      .filter(({ kind }) => kind !== 'Rollout'),
    spec: { ...application?.template.spec, ...patch?.spec },
  };
}

/**
 * Syncs as Argo CD 3.5.1 does, with server-side diff: an existing object differs if server-side apply would change it,
 * without the ignored fields. Argo CD applies all objects; with ApplyOutOfSyncOnly, only those that differ. Returns the
 * names of the objects that differ.
 */
async function sync(cluster: Cluster, { objects, spec }: Output): Promise<readonly string[]> {
  const differing: string[] = [];
  const options = { fieldManager: 'argocd-controller', force: true } as const;
  for (const object of objects) {
    const live = await cluster.find(object);
    const after = live && (await cluster.apply(object, { ...options, dryRun: true }));
    const differs = !isDeepStrictEqual(seen(after, spec), seen(live, spec));
    if (differs) differing.push(`${object.kind} ${object.metadata.name}`);
    const isLeftOut = spec.syncPolicy?.syncOptions?.includes('ApplyOutOfSyncOnly=true') === true && !differs;
    if (live === undefined || !isLeftOut) await cluster.apply(object, options);
  }
  return differing;
}

/** Returns an object as Argo CD compares it. */
function seen(object: KubeObject | undefined, { ignoreDifferences = [] }: Output['spec']): unknown {
  if (object === undefined) return undefined;
  const copy = structuredClone(object);
  Object.assign(copy.metadata, { managedFields: undefined, resourceVersion: undefined, generation: undefined });
  for (const { kind, name, namespace, jsonPointers = [], jqPathExpressions = [] } of ignoreDifferences) {
    if (kind !== object.kind || name !== object.metadata.name || namespace !== object.metadata.namespace) continue;
    for (const pointer of jsonPointers) remove(copy, pointer.slice(1).split('/'));
    for (const path of jqPathExpressions) remove(copy, path.slice(1).split(/\.|(?=\[\]\?)/));
  }
  return copy;
}

/** Deletes the fields at a path; `[]?` stands for all items of a list. */
function remove(from: unknown, [key = '', ...rest]: readonly string[]): void {
  if (typeof from !== 'object' || from === null) return;
  if (key === '[]?') for (const item of Object.values(from)) remove(item, rest);
  else if (rest.length > 0) remove((from as Record<string, unknown>)[key], rest);
  else delete (from as Record<string, unknown>)[key];
}

/** Updates the route and the Services as Argo Rollouts does in the middle of a rollout. */
async function shift(cluster: Cluster, namespace: string): Promise<void> {
  const rollouts = { fieldManager: 'rollouts-controller' };
  const route = await cluster.get(ref(...ROUTE, 'web', namespace));
  const [rule] = route.spec.rules;
  rule.backendRefs[0].weight = 80;
  rule.backendRefs[1].weight = 20;
  await cluster.replace(route, rollouts);
  for (const [name, hash] of [
    ['web-stable', 'aaa'],
    ['web-canary', 'bbb'],
  ] as const) {
    const service = await cluster.get(ref('v1', 'Service', name, namespace));
    service.spec.selector[HASH] = hash;
    await cluster.replace(service, rollouts);
  }
}

async function state(cluster: Cluster, namespace: string) {
  const { spec } = await cluster.get(ref(...ROUTE, 'web', namespace));
  const backends: readonly { readonly weight: number; readonly port: number }[] = spec.rules[0].backendRefs;
  const hashes = ['web-stable', 'web-canary'].map(async (name) => {
    const service = await cluster.get(ref('v1', 'Service', name, namespace));
    return service.spec.selector[HASH];
  });
  return {
    weights: backends.map(({ weight }) => weight),
    ports: backends.map(({ port }) => port),
    hashes: await Promise.all(hashes),
  };
}

const IN_ROLLOUT = { weights: [80, 20], ports: [80, 80], hashes: ['aaa', 'bbb'] };

let cluster: Cluster;
beforeAll(async () => {
  cluster = await sharedCluster();
  if ((await cluster.find(ref(...DEFINITION))) === undefined) {
    await cluster.apply(customResourceDefinition('gateway.networking.k8s.io', 'HTTPRoute'));
  }
});

describe.each([
  ['a CanaryRoute', false],
  ['a route by hand, which a Rollout names,', true],
])('%s in the middle of a rollout', (_what, byHand) => {
  let namespace: string;
  beforeEach(async () => {
    namespace = await cluster.namespace('canary');
    await sync(cluster, output(namespace, { byHand }));
    await shift(cluster, namespace);
  });

  test('is in sync for Argo CD, which changes no weights or selectors', async () => {
    expect(await sync(cluster, output(namespace, { byHand }))).toEqual([]);
    expect(await state(cluster, namespace)).toEqual(IN_ROLLOUT);
    expect(await sync(cluster, output(namespace, { byHand, greeting: 'good morning' }))).toEqual([
      'ConfigMap settings',
    ]);
    expect(await state(cluster, namespace)).toEqual(IN_ROLLOUT);
  });

  test('is reset by a sync of all objects, although Argo CD ignores the difference', async () => {
    const { objects, spec } = output(namespace, { byHand });
    const options = spec.syncPolicy?.syncOptions?.filter((option) => option !== 'ApplyOutOfSyncOnly=true');
    expect(await sync(cluster, { objects, spec: { ...spec, syncPolicy: { syncOptions: options } } })).toEqual([]);
    expect(await state(cluster, namespace)).toEqual({
      weights: [100, 0],
      ports: [80, 80],
      hashes: [undefined, undefined],
    });
  });

  test('follows a change of its rules in Git', async () => {
    const changed = output(namespace, { byHand, port: 8080 });
    expect(await sync(cluster, changed)).toContain('HTTPRoute web');
    expect(await state(cluster, namespace)).toMatchObject({ weights: [100, 0], ports: [8080, 8080] });
    expect(await sync(cluster, changed)).toEqual([]);
  });
});
