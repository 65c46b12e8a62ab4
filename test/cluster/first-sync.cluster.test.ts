import fc from 'fast-check';
import type { Client } from '../support/cluster/client';
import { emptyCluster, type OwnCluster } from '../support/cluster/cluster';
import { definitionsOf, manifestsIn } from '../support/cluster/dist-manifests';
import { syncFolder } from '../support/cluster/folder-sync';
import { type LateInjector, startLateInjector } from '../support/cluster/late-injector';
import type { KubeObject } from '../support/cluster/objects';

/** The seed of the order. The test must pass with any seed. */
const SEED = Number(process.env.FIRST_SYNC_SEED ?? 1);

/**
 * Namespaces of `home` whose pods must not start without a proxy. Excludes the operator's, since it rotates the anchor.
 */
const REQUIRED = ['linkerd-viz', 'shop', 'tracing'];

/** The namespaces in REQUIRED of user workloads, whose pods may start at any time. */
const USERS = ['shop', 'tracing'];

/** Controllers retry a refused write with growing waits. */
const PATIENT = { timeoutMs: 120_000, intervalMs: 250 };

let cluster: OwnCluster;
let injector: LateInjector;
const ending = new AbortController();

beforeAll(async () => {
  cluster = await emptyCluster();
  injector = await startLateInjector(cluster);
});

afterAll(async () => {
  ending.abort();
  await injector?.stop();
  await cluster?.stop();
});

const template = (name: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'app', image: 'example.com/app:1' }] },
});

function workload(kind: string, name: string, namespace: string, spec: object = {}): KubeObject {
  const selector = { matchLabels: { app: name } };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace },
    spec: { selector, template: template(name), ...spec },
  };
}

/** The workloads of users in meshed namespaces. Each kind of controller has another way to retry. */
const WORKLOADS = [
  workload('Deployment', 'storefront', 'shop', { replicas: 2 }),
  workload('StatefulSet', 'database', 'shop', { replicas: 2, serviceName: 'database' }),
  workload('DaemonSet', 'agent', 'shop'),
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migration', namespace: 'shop' },
    spec: {
      backoffLimit: 0,
      template: { ...template('migration'), spec: { ...template('').spec, restartPolicy: 'Never' } },
    },
  },
  workload('Deployment', 'tempo', 'tracing'),
];

/** The objects of each folder, with webhooks that call a server of the test. */
function foldersOf(late: LateInjector): ReadonlyMap<string, readonly KubeObject[]> {
  const emitted = manifestsIn('home').map(([file, object]) => ({ folder: file.split('/')[0] ?? '', object }));
  const own = WORKLOADS.map((object) => ({ folder: object.metadata.namespace ?? '', object }));
  const folders = Map.groupBy([...emitted, ...own], ({ folder }) => folder);
  // Longhorn's objects only change those of its chart, which is not installed here.
  folders.delete('longhorn-system');
  return new Map(
    [...folders].map(([folder, contents]) => [
      folder,
      contents.map(({ object }) => (object.kind.endsWith('WebhookConfiguration') ? late.addressed(object) : object)),
    ]),
  );
}

function random(objects: readonly KubeObject[], seed: number): readonly KubeObject[] {
  const [order = []] = fc.sample(fc.shuffledSubarray([...objects], { minLength: objects.length }), {
    seed,
    numRuns: 1,
  });
  return order;
}

/** The number of pods that a namespace should have by its workloads. */
function wantedPods(objects: readonly KubeObject[], namespace: string): number {
  const counted: Readonly<Record<string, (object: KubeObject) => number>> = {
    DaemonSet: () => 3,
    Deployment: ({ spec }) => spec.replicas ?? 1,
    Job: () => 1,
    StatefulSet: ({ spec }) => spec.replicas ?? 1,
  };
  return objects
    .filter(({ metadata }) => metadata.namespace === namespace)
    .reduce((sum, object) => sum + (counted[object.kind]?.(object) ?? 0), 0);
}

const names = (containers: readonly { readonly name: string }[] = []) => containers.map(({ name }) => name);
const hasProxy = ({ spec }: KubeObject) =>
  [spec.containers, spec.initContainers].flatMap(names).includes('linkerd-proxy');

async function refusedPods(client: Client, namespace: string): Promise<number> {
  const events = await client.list('v1', 'Event', { namespace, fieldSelector: 'reason=FailedCreate' });
  return events.filter(({ message }) => String(message).includes(`linkerd-require-proxy-${namespace}`)).length;
}

test('a sync of all folders at once, the injector last, gives every pod a proxy without a manual deletion', async () => {
  const folders = foldersOf(injector);
  const objects = [...folders.values()].flat();
  await Promise.all(definitionsOf(objects).map((definition) => cluster.apply(definition)));

  const [delays = []] = fc.sample(
    fc.array(fc.nat({ max: 2_000 }), { minLength: folders.size, maxLength: folders.size }),
    { seed: SEED, numRuns: 1 },
  );
  const syncs = Promise.all(
    [...folders.values()].map((folder, index) =>
      syncFolder(cluster, folder, {
        shuffled: (wave) => random(wave, SEED + index),
        delayMs: delays[index] ?? 0,
        signal: ending.signal,
      }),
    ),
  );
  // If the test fails, the cluster ends before the syncs do.
  syncs.catch(() => undefined);

  // The injector cannot be much later: Services wait for it, and later sync waves wait for them.
  const configuration = objects.filter(({ metadata }) => metadata.name === 'linkerd-proxy-injector-webhook-config');
  await cluster.eventually(
    () => Promise.all([...WORKLOADS, ...configuration].map((object) => cluster.get(object))),
    PATIENT,
  );
  await cluster.eventually(async () => {
    for (const namespace of USERS) expect(await refusedPods(cluster, namespace)).toBeGreaterThan(0);
  }, PATIENT);
  injector.begin();

  await syncs;
  for (const namespace of REQUIRED) {
    await cluster.eventually(async () => {
      const pods = await cluster.list('v1', 'Pod', { namespace });
      expect(pods.map((pod) => [pod.metadata.name, hasProxy(pod)])).toEqual(
        Array.from({ length: wantedPods(objects, namespace) }, () => [expect.any(String), true]),
      );
    }, PATIENT);
  }
});
