import { type CertManagerVersion, certManagerRelease } from '#linkerd/releases/cert-manager';
import { anotherCluster, type Cluster, emptyCluster, type OwnCluster } from '../cluster/cluster';
import { customResourceDefinition } from '../cluster/crds';
import { type KubeObject, ref } from '../cluster/objects';
import { logTail } from '../cluster/processes';
import { type CertManagerOptions, type FakeCertManager, startFakeCertManager } from './fake-cert-manager';
import { type FakeIdentity, type IdentityOptions, startFakeIdentity } from './fake-identity';
import {
  type FakeInjector,
  type InjectorOptions,
  identityVariables,
  startFakeInjector,
  TRUST_ANCHORS,
} from './fake-injector';
import { type FakeTrustManager, startFakeTrustManager, type TrustManagerOptions } from './fake-trust-manager';
import { type FakeProxies, startFakeProxies } from './proxies';
import { type MeshReport, verifyMesh } from './verify-mesh';

/** Options of the parts of a rig. */
export interface AnchorRigOptions {
  readonly certManager?: CertManagerOptions;
  readonly trustManager?: TrustManagerOptions;
  readonly injector?: InjectorOptions;
  readonly identity?: IdentityOptions;
  /** Containers of proxies name their identity, and proxies terminate TLS for it. @default false */
  readonly probed?: boolean;
  /** Starts a separate API server, for a test file with two rigs. @default false */
  readonly isSecond?: boolean;
  /** Namespaces whose pods get proxies. @default ['shop'] */
  readonly meshed?: readonly string[];
}

/**
 * An empty cluster with fakes of each component that takes part in the trust of a mesh: cert-manager, trust-manager,
 * the injector, identity and proxies. The namespaces cert-manager and linkerd exist, and are empty.
 */
export interface AnchorRig {
  readonly cluster: OwnCluster;
  readonly certManager: FakeCertManager;
  readonly trustManager: FakeTrustManager;
  readonly injector: FakeInjector;
  readonly identity: FakeIdentity;
  readonly proxies: FakeProxies;
  /** Waits until this number of proxies run, each with a certificate that all the others accept. */
  settled(proxies: number, options?: { readonly timeoutMs?: number }): Promise<MeshReport>;
  /** Stops all parts and the cluster. @throws the first error of a part */
  stop(): Promise<void>;
}

const DEFINITIONS = [
  ['cert-manager.io', 'Certificate'],
  ['cert-manager.io', 'CertificateRequest'],
  ['cert-manager.io', 'Issuer'],
  ['cert-manager.io', 'ClusterIssuer'],
  ['trust.cert-manager.io', 'Bundle'],
] as const;

/** Fields of a Certificate's spec that cert-manager added after 1.16. */
const LATER_FIELDS = ['renewal', 'signatureAlgorithm'];

/** Kinds of issuers that the fake does not support. Their schemas are long, and slow the API server down. */
const OTHER_ISSUERS = ['acme', 'vault', 'venafi'];

/** A definition of cert-manager without the fields that the version lacks. */
function ofVersion(version: CertManagerVersion = 'v1.21.1', definition: KubeObject): KubeObject {
  const { kind } = definition.spec.names;
  const isOld = kind === 'Certificate' && !certManagerRelease(version).renewalPolicy;
  const left = structuredClone(definition);
  for (const { schema } of left.spec.versions) {
    const { properties } = schema.openAPIV3Schema.properties.spec;
    for (const field of [...OTHER_ISSUERS, ...(isOld ? LATER_FIELDS : [])]) delete properties[field];
  }
  return left;
}

/** Starts a cluster with all fakes. */
export async function startAnchorRig(options: AnchorRigOptions = {}): Promise<AnchorRig> {
  const cluster = await (options.isSecond ? anotherCluster() : emptyCluster());
  for (const [group, kind] of DEFINITIONS) {
    await cluster.apply(ofVersion(options.certManager?.version, customResourceDefinition(group, kind)));
  }
  const meshed = options.meshed ?? ['shop'];
  for (const name of ['cert-manager', 'linkerd', ...meshed]) {
    const annotations: Record<string, string> = meshed.includes(name) ? { 'linkerd.io/inject': 'enabled' } : {};
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations } });
  }
  const certManager = startFakeCertManager(cluster, options.certManager);
  const trustManager = startFakeTrustManager(cluster, options.trustManager);
  const injector = await startFakeInjector(cluster, { namesIdentity: options.probed ?? false, ...options.injector });
  const identity = startFakeIdentity(cluster, options.identity);
  const proxies = startFakeProxies(cluster, identity, { serves: options.probed ?? false });
  return {
    cluster,
    certManager,
    trustManager,
    injector,
    identity,
    proxies,
    settled: async (count, waiting) => {
      try {
        return await cluster.eventually(() => settledReport(verifyMesh({ proxies, identity }), count), waiting);
      } catch (error) {
        throw new Error([(error as Error).message, ...(await whatHoldsUp(cluster))].join('\n'));
      }
    },
    stop: async () => {
      const ends = [proxies, identity, injector, trustManager, certManager].map((part) => part.stop());
      const results = await Promise.allSettled(ends);
      await cluster.stop();
      const failed = results.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
  };
}

function settledReport(report: MeshReport, count: number): MeshReport {
  const { proxies, starting, failures } = report;
  if (proxies === count && starting.length === 0 && failures.length === 0) return report;
  const waiting = starting.map(({ name, failure }) => `${name} has no certificate: ${failure ?? 'not yet'}`);
  throw new Error([`${proxies} of ${count} proxies run.`, ...waiting, ...failures].join('\n'));
}

/** A line for each pod that does not run, each ReplicaSet short of pods, each Warning; then the ends of logs. */
async function whatHoldsUp(cluster: Cluster): Promise<readonly string[]> {
  const pods = await cluster.list('v1', 'Pod');
  const replicaSets = await cluster.list('apps/v1', 'ReplicaSet');
  const events = await cluster.list('v1', 'Event');
  return [
    ...pods
      .filter(({ status }) => status?.phase !== 'Running' || status.podIP === undefined)
      .map(({ metadata, spec, status }) => `${nameOf(metadata)} on ${spec.nodeName}: ${JSON.stringify(status)}`),
    ...replicaSets
      .filter(({ spec, status }) => spec.replicas !== (status?.replicas ?? 0))
      .map(
        ({ metadata, spec, status }) =>
          `${nameOf(metadata)} should have ${spec.replicas} pods: ${JSON.stringify(status)}`,
      ),
    ...events
      .filter(({ type }) => type === 'Warning')
      .map(({ involvedObject, reason, message }) => `${nameOf(involvedObject)}: ${reason}: ${message}`),
    ...['kwok', 'kube-scheduler', 'kube-controller-manager'].map((name) => logTail(cluster.dir, name)),
  ];
}

function nameOf({ namespace, name }: { readonly namespace?: string; readonly name?: string }): string {
  return `${namespace}/${name}`;
}

/** The reference by which proxies of the control plane read the bundle when they start; the chart has the same. */
const BUNDLE_REFERENCE = { configMapKeyRef: { name: 'linkerd-identity-trust-roots', key: 'ca-bundle.crt' } };

/** The Deployment linkerd-identity: its pods contain their proxy, which is not injected. */
export function identityDeployment(replicas: number, { namesIdentity = false } = {}): KubeObject {
  const env = [{ name: TRUST_ANCHORS, valueFrom: BUNDLE_REFERENCE }, ...identityVariables(namesIdentity)];
  const proxy = { name: 'linkerd-proxy', image: 'proxy', env };
  return deployment('linkerd-identity', 'linkerd', {
    replicas,
    containers: [{ name: 'identity', image: 'main' }, proxy],
  });
}

/** A Deployment of a meshed namespace. */
export function meshedDeployment(name: string, namespace: string, replicas: number): KubeObject {
  return deployment(name, namespace, { replicas, containers: [{ name: 'main', image: 'main' }] });
}

interface Pods {
  readonly replicas: number;
  readonly containers: readonly object[];
}

function deployment(name: string, namespace: string, { replicas, containers }: Pods): KubeObject {
  const labels = { app: name };
  return {
    ...ref('apps/v1', 'Deployment', name, namespace),
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers } },
    },
  };
}
