import fc from 'fast-check';
import type { Client } from '../support/cluster/client';
import { emptyCluster, type OwnCluster } from '../support/cluster/cluster';
import { definitionsOf, manifestsIn } from '../support/cluster/dist-manifests';
import { syncFolder } from '../support/cluster/folder-sync';
import { type LateInjector, startLateInjector } from '../support/cluster/late-injector';
import type { KubeObject } from '../support/cluster/objects';

/** Change it to see other orders; each of them must end well. */
const SEED = Number(process.env.FIRST_SYNC_SEED ?? 1);

/** Namespaces of `home` whose pods may not start without a proxy. The operator has none, as it rotates the anchor. */
const REQUIRED = ['linkerd-viz', 'shop', 'tracing'];

/** Those of them whose pods are not of the mesh itself: nothing holds these back. */
const USERS = ['shop', 'tracing'];

/** Controllers that were refused wait longer each time. */
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

/** What users run in the namespaces of the mesh: each kind of controller tries again in a way of its own. */
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

/** The objects of each folder, with the webhooks at the test's own server. */
function foldersOf(late: LateInjector): ReadonlyMap<string, readonly KubeObject[]> {
  const emitted = manifestsIn('home').map(([file, object]) => ({ folder: file.split('/')[0] ?? '', object }));
  const own = WORKLOADS.map((object) => ({ folder: object.metadata.namespace ?? '', object }));
  const folders = Map.groupBy([...emitted, ...own], ({ folder }) => folder);
  // Longhorn's objects lie over those of its chart, which nobody installs here.
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

/** How many pods each namespace should have, by what its workloads say. */
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
  // Where the test fails, the cluster ends before they do.
  syncs.catch(() => undefined);

  // It cannot be much later: Services wait for the injector as well, and what is in later waves for these.
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
