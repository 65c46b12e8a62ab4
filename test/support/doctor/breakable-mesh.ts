import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Duration } from 'cdk8s';
import { parse } from 'yaml';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { Platform } from '#lib/gitops/platform/platform';
import { trustAnchorCrd } from '#operator/api/crd/trust-anchor-crd';
import { startFakeCertManager } from '../anchor/fake-cert-manager';
import { type FakeTrustManager, startFakeTrustManager } from '../anchor/fake-trust-manager';
import { deleteIfThere } from '../cluster/client';
import { type OwnCluster, startCluster } from '../cluster/cluster';
import { customResourceDefinition } from '../cluster/crds';
import { unescaped } from '../cluster/dist-manifests';
import { type KubeObject, type Reference, ref } from '../cluster/objects';
import { rolloutGap } from '../cluster/rollout';

/** A mesh on a real API server, whose objects a test breaks. Only `restore` repairs them. */
export interface BreakableMesh {
  readonly cluster: OwnCluster;
  /** The output from which it was applied. */
  readonly dist: string;
  /** A fake trust-manager, which is paused at the start. */
  readonly trustManager: FakeTrustManager;
  /** Changes an object by a merge patch, also its status. */
  change(reference: Reference, patch: object, subresource?: 'status'): Promise<void>;
  remove(reference: Reference): Promise<void>;
  /** Marks an object for `restore` before a controller changes it. */
  keep(reference: Reference): Promise<void>;
  add(object: KubeObject): Promise<void>;
  /** Deletes the pods of a workload, and waits until they are gone. The changes apply to the new pods. */
  restart(name: string, namespace: string): Promise<void>;
  /** Restores all changed objects, and waits until Deployments have rolled out. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

const KINDS = [
  ['argoproj.io', 'Application'],
  ['cert-manager.io', 'Certificate'],
  ['cert-manager.io', 'CertificateRequest'],
  ['cert-manager.io', 'ClusterIssuer'],
  ['cert-manager.io', 'Issuer'],
  ['linkerd.io', 'ServiceProfile'],
  ['trust.cert-manager.io', 'Bundle'],
  ...['AuthorizationPolicy', 'HTTPRoute', 'MeshTLSAuthentication', 'NetworkAuthentication', 'Server'].map(
    (kind) => ['policy.linkerd.io', kind] as const,
  ),
] as const;

/** Starts a cluster with a mesh. A fake cert-manager issues its certificates, and stops. */
export async function startBreakableMesh(): Promise<BreakableMesh> {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-linkerd-doctor-'));
  const dist = join(directory, 'dist');
  synthesize(dist);
  // The worker's cluster has pods in the loopback network, which endpoints of a Service must not have.
  const cluster = await startCluster();
  for (const [group, kind] of KINDS) await cluster.apply(customResourceDefinition(group, kind));
  await cluster.apply(trustAnchorCrd() as unknown as KubeObject);
  const objects = objectsIn(join(dist, 'home'));
  const ofKind = (...kinds: readonly string[]) => objects.filter(({ kind }) => kinds.includes(kind));
  await cluster.applyAll(ofKind('Namespace', 'CustomResourceDefinition'));
  await cluster.applyAll(ofKind('Issuer', 'ClusterIssuer', 'Certificate', 'Bundle', 'Service', 'ServiceAccount'));
  const certManager = startFakeCertManager(cluster);
  const trustManager = startFakeTrustManager(cluster);
  await cluster.applyAll([...ofKind('Deployment').map(inPlainPods), ...PLATFORM, ...SHOP]);
  await cluster.eventually(() => issued(cluster, ofKind('Certificate')));
  await certManager.stop();
  await trustManager.pause();
  for (const one of [...ofKind('Deployment'), ...PLATFORM, ...SHOP]) await cluster.rolledOut(one);
  const webhooks = await withCas(cluster, ofKind('MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'));
  await cluster.applyAll(webhooks);
  await cluster.applyAll(
    ofKind('ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding').filter(({ metadata }) =>
      metadata.name?.endsWith('-shop'),
    ),
  );
  const changed = new Map<string, { readonly reference: Reference; readonly before: KubeObject | undefined }>();
  const save = async ({ apiVersion, kind, metadata: { name, namespace } }: Reference) => {
    const reference = ref(apiVersion, kind, name ?? '', namespace);
    const key = `${kind} ${namespace}/${name}`;
    if (!changed.has(key)) changed.set(key, { reference, before: await cluster.find(reference) });
  };
  return {
    cluster,
    dist,
    trustManager,
    change: async (reference, patch, subresource) => {
      await save(reference);
      await cluster.patch(reference, patch, subresource && { subresource });
    },
    keep: save,
    remove: async (reference) => {
      await save(reference);
      await cluster.delete(reference);
      await cluster.eventually(async () => expect(await cluster.find(reference)).toBeUndefined());
    },
    add: async (object) => {
      await save(object);
      await cluster.apply(object, { force: true });
      if (hasStatus(object)) await cluster.apply(object, { force: true, subresource: 'status' });
    },
    restart: async (name, namespace) => {
      const pods = await cluster.list('v1', 'Pod', { namespace });
      const own = pods.filter(({ metadata }) => metadata.name?.startsWith(`${name}-`));
      // Pods of an earlier restart may have gone.
      for (const pod of own) await deleteIfThere(cluster, pod);
      const gone = new Set(own.map(({ metadata }) => metadata.uid));
      await cluster.eventually(async () => {
        const left = await cluster.list('v1', 'Pod', { namespace });
        expect(left.filter(({ metadata }) => gone.has(metadata.uid))).toEqual([]);
      });
    },
    restore: async () => {
      for (const { reference, before } of changed.values()) {
        // A controller may write the object at the same time, which is a conflict.
        await cluster.eventually(() => restoreObject(cluster, reference, before));
      }
      changed.clear();
      const deployments = await cluster.list('apps/v1', 'Deployment');
      const waiting = deployments.filter((one) => rolloutGap(one) !== undefined);
      // No webhook answers, so pods of tenants start only without webhooks.
      if (waiting.length > 0) for (const one of webhooks) await cluster.delete(one);
      for (const one of waiting) await cluster.rolledOut(one);
      if (waiting.length > 0) await cluster.applyAll(webhooks, { force: true });
    },
    stop: async () => {
      await trustManager.stop();
      await cluster.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function synthesize(outdir: string): void {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
  platform.addCluster('home', { destination: { name: 'home' } }, (of) => {
    const anchor = { duration: Duration.days(365), renewBefore: Duration.days(100), rotation: 'manual' } as const;
    const mesh = new LinkerdMesh(of, 'mesh', {
      crds: { gatewayApi: 'existing' },
      operator: {},
      viz: false,
      pki: { trustAnchor: anchor },
    });
    new Meshing(of, 'meshing', { controlPlane: mesh.controlPlane }).namespace('shop', { requireProxy: 'deny' });
  });
  platform.synth();
}

function objectsIn(folder: string): readonly KubeObject[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.yaml') && !['Chart.yaml', 'values.yaml', '.argocd-source.yaml'].includes(basename(file)),
    )
    .map((file): KubeObject => parse(unescaped(readFileSync(join(folder, file), 'utf8'))));
}

const PROXY = { name: 'linkerd-proxy', image: 'cr.l5d.io/linkerd/proxy:edge-26.8.3' };

/** A Deployment with one replica and the injector's proxy, but without volumes, which would wait for Secrets. */
function inPlainPods(deployment: KubeObject): KubeObject {
  const { spec, metadata } = deployment;
  const { template } = spec;
  const { containers, volumes: _, initContainers: __, ...pod } = template.spec;
  const isInjected = metadata.namespace === 'linkerd-reconciler';
  return {
    ...deployment,
    spec: {
      ...spec,
      replicas: 1,
      template: {
        ...template,
        spec: {
          ...pod,
          affinity: undefined,
          topologySpreadConstraints: undefined,
          automountServiceAccountToken: false,
          containers: [
            ...containers.map(({ volumeMounts: ___, ...container }: KubeObject) => container),
            ...(isInjected ? [PROXY] : []),
          ],
        },
      },
    },
  };
}

function deployment(
  name: string,
  namespace: string,
  { labels, containers }: { readonly labels: Readonly<Record<string, string>>; readonly containers: readonly object[] },
): KubeObject {
  return {
    ...ref('apps/v1', 'Deployment', name, namespace),
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers } },
    },
  };
}

/** The Deployments of the charts of cert-manager and trust-manager. */
const PLATFORM = [
  ['cert-manager', 'cert-manager'],
  ['cert-manager-cainjector', 'cainjector'],
  ['trust-manager', 'trust-manager'],
].map(([name = '', label = '']) =>
  deployment(name, 'cert-manager', {
    labels: { 'app.kubernetes.io/name': label },
    containers: [{ name, image: `${name}:1` }],
  }),
);

const SHOP = [
  deployment('web', 'shop', { labels: { app: 'web' }, containers: [{ name: 'web', image: 'web:1' }, PROXY] }),
];

async function issued(cluster: OwnCluster, certificates: readonly KubeObject[]): Promise<void> {
  for (const one of certificates) {
    const { status } = await cluster.get(one);
    const ready = status?.conditions?.find(({ type }: { readonly type: string }) => type === 'Ready');
    if (ready?.status !== 'True') throw new Error(`${one.metadata.name} is not ready`);
  }
  await cluster.get(ref('v1', 'ConfigMap', 'linkerd-identity-trust-roots', 'linkerd'));
}

/** Simulates cainjector once. Webhooks get a timeout of one second, since none of them answers. */
async function withCas(cluster: OwnCluster, configurations: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  return Promise.all(
    configurations.map(async (one) => {
      const [namespace, name = ''] = one.metadata.annotations?.['cert-manager.io/inject-ca-from']?.split('/') ?? [];
      const certificate = await cluster.get(ref('cert-manager.io/v1', 'Certificate', name, namespace));
      const secret = await cluster.get(ref('v1', 'Secret', certificate.spec.secretName, namespace));
      const caBundle = secret.data['ca.crt'];
      const webhooks = one.webhooks.map((webhook: KubeObject) => ({
        ...webhook,
        timeoutSeconds: 1,
        clientConfig: { ...webhook.clientConfig, caBundle },
      }));
      return { ...one, webhooks };
    }),
  );
}

/** Whether an object has a status subresource that tests write. */
function hasStatus({ apiVersion, kind, status }: KubeObject): boolean {
  const isOfTest = /^(?:.*cert-manager|config\.linkerd)\.io\//.test(apiVersion) || kind === 'Pod';
  return status !== undefined && isOfTest;
}

/** An object without its status and the fields that the API server sets. */
function bare({ status: _, metadata, ...object }: KubeObject): KubeObject {
  const { uid, resourceVersion, managedFields, creationTimestamp, generation, ...kept } = metadata;
  return { ...object, apiVersion: object.apiVersion, kind: object.kind, metadata: kept };
}

async function restoreObject(cluster: OwnCluster, reference: Reference, before: KubeObject | undefined): Promise<void> {
  const now = await cluster.find(reference);
  if (before === undefined) {
    if (now?.metadata.finalizers !== undefined) await cluster.patch(reference, { metadata: { finalizers: null } });
    if (now !== undefined && now.metadata.deletionTimestamp === undefined) await cluster.delete(reference);
    return;
  }
  if (reference.kind === 'CustomResourceDefinition') {
    await cluster.apply(bare(before), { force: true });
    return;
  }
  if (now === undefined) await cluster.create(bare(before));
  else {
    const { metadata, ...object } = bare(before);
    const { resourceVersion } = now.metadata;
    await cluster.replace({ ...object, metadata: { ...metadata, resourceVersion } } as KubeObject);
  }
  if (!hasStatus(before)) return;
  const created = await cluster.get(reference);
  await cluster.replace({ ...created, status: before.status }, { subresource: 'status' });
}
