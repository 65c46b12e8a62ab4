import { readdirSync } from 'node:fs';
import { type OwnCluster, startCluster } from '../support/cluster/cluster';
import { DIST, definitionsOf, manifestsIn } from '../support/cluster/dist-manifests';
import type { KubeObject } from '../support/cluster/objects';

/** The objects in folders of the output, by file, in an order for kubectl apply. */
function manifests(folders: readonly string[]): [string, KubeObject][] {
  return folders.flatMap(manifestsIn).sort(([, a], [, b]) => phase(a) - phase(b));
}

/** Namespaces come before their objects. Webhooks come last, since no server answers them. */
function phase({ kind }: KubeObject): number {
  if (kind === 'Namespace') return 0;
  if (kind === 'APIService') return 2;
  return kind.endsWith('WebhookConfiguration') ? 3 : 1;
}

const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

/** A workload of Longhorn's chart, with the fields that this project changes. */
function longhorn(kind: 'DaemonSet' | 'Deployment', name: string): KubeObject {
  const labels = { app: name };
  const env = [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'longhorn-system' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name, image: 'example.com/longhorn:1', env }] } },
    },
  };
}

/** A CRD without a schema in this project. */
const analysisTemplates: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'analysistemplates.argoproj.io' },
  spec: {
    group: 'argoproj.io',
    scope: 'Namespaced',
    names: { kind: 'AnalysisTemplate', plural: 'analysistemplates' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

interface Output {
  readonly folders: readonly string[];
  /** The objects that the output requires from elsewhere. */
  readonly present: readonly KubeObject[];
}

const OUTPUTS: Readonly<Record<string, Output>> = {
  // Argo CD also runs in a cluster.
  home: {
    folders: ['argocd', 'home'],
    present: [
      namespace('argocd'),
      namespace('longhorn-system'),
      longhorn('DaemonSet', 'longhorn-manager'),
      longhorn('Deployment', 'longhorn-ui'),
    ],
  },
  stable: { folders: ['stable'], present: [namespace('monitoring'), analysisTemplates] },
};

it('the round trip covers all clusters and their Argo CD', () => {
  expect(Object.values(OUTPUTS).flatMap(({ folders }) => folders)).toEqual(readdirSync(DIST));
});

// Each output gets its own API server, as clusters cannot share one.
describe.each(Object.entries(OUTPUTS))('%s', (_, { folders, present }) => {
  const objects = manifests(folders);
  let cluster: OwnCluster;

  beforeAll(async () => {
    // Without controllers, whose status updates would change resource versions.
    cluster = await startCluster({ controllers: false });
    await Promise.all(
      definitionsOf(objects.map(([, object]) => object)).map((definition) => cluster.apply(definition)),
    );
    await cluster.applyAll(present, { fieldManager: 'helm' });
  });

  afterAll(() => cluster?.stop());

  async function statusOf(object: KubeObject): Promise<void> {
    expect(await cluster.get(object)).toHaveProperty('status.conditions');
  }

  it('has objects', () => expect(objects.length).toBeGreaterThan(0));

  it.each(objects)('the API server accepts %s, and a second apply changes nothing', async (_file, object) => {
    // Argo CD takes over the objects that it manages.
    const options = { fieldManager: 'argocd-controller', force: true };
    await cluster.apply(object, options);
    // The API server itself soon writes whether an APIService is available.
    if (object.kind === 'APIService') await cluster.eventually(() => statusOf(object));
    const stored = await cluster.get(object);

    const again = await cluster.apply(object, options);

    expect(again).toEqual(stored);
    expect(again.metadata.resourceVersion).toMatch(/^\d+$/);
  });
});
