import {
  IDENTITY_ISSUER,
  SELF_SIGNED_ISSUER,
  TRUST_ANCHOR_DEFAULTS,
  TRUST_ANCHOR_LABEL,
  TRUST_ROOTS,
  TRUST_ROOTS_KEY,
  type TrustAnchorSpec,
} from '#anchor/trust-anchor';
import { operatorRules } from '#lib/constructs/operator/operator-rbac';
import { trustAnchorCrd } from '#operator/api/crd/trust-anchor-crd';
import {
  type AnchorRig,
  type AnchorRigOptions,
  identityDeployment,
  meshedDeployment,
  startAnchorRig,
} from '../../support/anchor/anchor-rig';
import { startMirror } from '../../support/anchor/mirror';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { installOperator, type OperatorInstallation } from '../../support/operator/operator-installation';
import type { OperatorProcess } from '../../support/operator/operator-process';

export const ANCHOR_REF = ref('config.linkerd.io/v1alpha1', 'TrustAnchor', 'linkerd');

/** The ClusterIssuer that names the signing anchor. */
export const POINTER = ref('cert-manager.io/v1', 'ClusterIssuer', IDENTITY_ISSUER);

/** The trust bundle. */
export const ROOTS = ref('v1', 'ConfigMap', TRUST_ROOTS, 'linkerd');

/** The default lifetime of leaves. */
const LEAF_SECONDS = 6;

/** A spec with times in seconds. */
const QUICK_SPEC = {
  ...TRUST_ANCHOR_DEFAULTS,
  commonName: 'root.linkerd.cluster.local',
  duration: '2h',
  renewBefore: '10m',
  issuanceLifetime: `${LEAF_SECONDS}s`,
  clockSkewAllowance: '1s',
  propagationDelay: '2s',
  laggards: { policy: 'Report', maxUnavailableWorkloads: 2, progressDeadlineSeconds: 20 },
} as const satisfies TrustAnchorSpec;

/** The identity chain in Git for a mesh whose anchor the operator rotates. */
export function gitManifests(spec: Partial<TrustAnchorSpec> = {}): readonly KubeObject[] {
  const selector = { matchLabels: { [TRUST_ANCHOR_LABEL]: 'current' } };
  return [
    { ...ref('cert-manager.io/v1', 'Issuer', SELF_SIGNED_ISSUER, 'cert-manager'), spec: { selfSigned: {} } },
    {
      ...ref('cert-manager.io/v1', 'Certificate', IDENTITY_ISSUER, 'linkerd'),
      spec: {
        secretName: IDENTITY_ISSUER,
        isCA: true,
        commonName: 'identity.linkerd.cluster.local',
        duration: '1h',
        renewBefore: '10m',
        issuerRef: { name: IDENTITY_ISSUER, kind: 'ClusterIssuer', group: 'cert-manager.io' },
        privateKey: { algorithm: 'ECDSA', rotationPolicy: 'Always' },
        usages: ['cert sign', 'crl sign'],
      },
    },
    {
      ...ref('trust.cert-manager.io/v1alpha1', 'Bundle', TRUST_ROOTS),
      spec: {
        sources: [{ secret: { selector, key: 'tls.crt' } }, { configMap: { selector, key: TRUST_ROOTS_KEY } }],
        target: {
          configMap: { key: TRUST_ROOTS_KEY },
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'linkerd' } },
        },
      },
    },
    { ...ANCHOR_REF, spec: { ...QUICK_SPEC, ...spec } },
  ];
}

/** A mesh for an operator that has not started yet. */
export interface AnchoredMesh extends AnchorRig {
  /** Starts replicas, which end with the mesh. */
  readonly operator: OperatorInstallation;
  /** The replicas that are still running. */
  replicas(): readonly OperatorProcess[];
  /** The TrustAnchor from a watch. @throws if it does not exist */
  anchor(): Promise<KubeObject>;
  phase(): Promise<string | undefined>;
  reaches(phase: string, timeoutMs?: number): Promise<KubeObject>;
  /** Waits until a rotation to this generation has finished. */
  rotatedTo(generation: number, timeoutMs?: number): Promise<KubeObject>;
}

/** Options of the operator. */
interface MeshOptions {
  /** Answer requests for bridges. @default false */
  readonly answersRequests?: boolean;
  /** The clusters whose anchors the operator may certify. @default - none */
  readonly certifies?: readonly string[];
}

/** Starts a mesh without workloads. */
export async function startAnchoredMesh(
  args: readonly string[] = [],
  { answersRequests = false, certifies = [], ...options }: AnchorRigOptions & MeshOptions = {},
): Promise<AnchoredMesh> {
  const rig = await startAnchorRig({
    ...options,
    identity: { issuanceLifetimeMs: LEAF_SECONDS * 1_000, crashRetryMs: 200, ...options.identity },
  });
  const { cluster } = rig;
  await cluster.apply(trustAnchorCrd() as unknown as KubeObject);
  const installed = await installOperator(cluster, {
    linkerdNamespace: 'linkerd',
    certManagerNamespace: 'cert-manager',
    multus: false,
    rules: operatorRules(false, true, answersRequests, certifies),
    args,
  });
  const { start, replicas } = remembering(installed.start);
  // Tests read the TrustAnchor continuously: a watch costs the API server less than requests.
  const mirror = startMirror(cluster, [ANCHOR_REF]);
  await mirror.filled;
  const anchor = async (): Promise<KubeObject> => {
    const found = mirror.find('TrustAnchor', ANCHOR_REF.metadata.name ?? '');
    if (found === undefined) throw new Error('There is no TrustAnchor.');
    return found;
  };
  const phase = async (): Promise<string | undefined> => (await anchor()).status?.phase as string | undefined;
  return {
    ...rig,
    operator: { ...installed, start },
    replicas,
    stop: async () => {
      mirror.stop();
      await Promise.all(replicas().map((replica) => replica.stop()));
      await rig.stop();
    },
    anchor,
    phase,
    reaches: (wanted, timeoutMs = 60_000) =>
      cluster.eventually(
        async () => {
          const now = await anchor();
          expect(now.status?.phase).toBe(wanted);
          return now;
        },
        { timeoutMs },
      ),
    rotatedTo: (generation, timeoutMs = 120_000) =>
      cluster.eventually(
        async () => {
          const now = await anchor();
          const { phase: is, memory, ...status } = now.status ?? {};
          if (is === 'Stable' && memory?.current?.generation === generation) return now;
          throw new Error(`It is ${is}: ${JSON.stringify(status)}`);
        },
        { timeoutMs },
      ),
  };
}

/** Starts a mesh with the Deployment of an injector, by which the operator detects injection. */
export async function startInjectedMesh(options: MeshOptions = {}): Promise<AnchoredMesh> {
  const mesh = await startAnchoredMesh([], options);
  await mesh.cluster.apply(injectorDeployment());
  return mesh;
}

export function injectorDeployment(): KubeObject {
  return meshedDeployment('linkerd-proxy-injector', 'linkerd', 1);
}

/** A mesh for all tests of a file: started before them, stopped after them. */
export function meshOfFile(start: () => Promise<AnchoredMesh>): AnchoredMesh {
  const mesh = {} as AnchoredMesh;
  beforeAll(async () => {
    Object.assign(mesh, await start());
  }, 180_000);
  afterAll(async () => await mesh.stop?.());
  return mesh;
}

interface RunningMesh {
  readonly spec?: Partial<TrustAnchorSpec>;
  /** Replicas of identity. @default 2 */
  readonly identities?: number;
  /** Workloads of one pod. @default 3 */
  readonly workloads?: number;
  /** The lifetime of leaves. @default 6 */
  readonly leafSeconds?: number;
}

/** Starts a mesh in which the operator has created the first anchor, and all pods have its certificates. */
export async function startRunningMesh(props: RunningMesh = {}): Promise<AnchoredMesh> {
  const { spec, identities = 2, workloads: count = 3, leafSeconds = LEAF_SECONDS } = props;
  const mesh = await startAnchoredMesh([], { identity: { issuanceLifetimeMs: leafSeconds * 1_000 } });
  await mesh.cluster.applyAll(gitManifests({ issuanceLifetime: `${leafSeconds}s`, ...spec }));
  await mesh.operator.start();
  await mesh.rotatedTo(1);
  await mesh.cluster.applyAll([identity(identities), ...workloads(count)]);
  await mesh.settled(identities + count, { timeoutMs: 180_000 });
  return mesh;
}

/** Starts operators, and lists those that are still running. */
function remembering(
  begin: OperatorInstallation['start'],
): Pick<OperatorInstallation, 'start'> & { replicas(): readonly OperatorProcess[] } {
  const running = new Set<OperatorProcess>();
  return {
    start: async (...options) => {
      const process = await begin(...options);
      const remembered: OperatorProcess = {
        ...process,
        kill: (signal) => {
          running.delete(remembered);
          return process.kill(signal);
        },
        stop: () => {
          running.delete(remembered);
          return process.stop();
        },
      };
      running.add(remembered);
      return remembered;
    },
    replicas: () => [...running],
  };
}

/** The Deployment of identity, with the labels of its chart. */
export function identity(replicas = 2, options: { readonly namesIdentity?: boolean } = {}): KubeObject {
  return labelled(identityDeployment(replicas, options), {
    'linkerd.io/control-plane-component': 'identity',
    'linkerd.io/control-plane-ns': 'linkerd',
  });
}

export function workloads(count: number, replicas = 1): readonly KubeObject[] {
  return Array.from({ length: count }, (_, index) => meshedDeployment(`web-${index}`, 'shop', replicas));
}

function labelled(deployment: KubeObject, labels: Readonly<Record<string, string>>): KubeObject {
  const { template, ...spec } = deployment.spec;
  const metadata = { ...template.metadata, labels: { ...template.metadata.labels, ...labels } };
  return { ...deployment, spec: { ...spec, template: { ...template, metadata } } };
}
