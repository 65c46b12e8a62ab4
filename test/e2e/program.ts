import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  CertManager,
  type Cluster,
  ensureNamespace,
  LinkerdConfig,
  LinkerdMesh,
  Meshing,
  OperatorImage,
  type OwnTrustAnchor,
  Platform,
  TrustManager,
} from '#lib';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { RUN_LABEL } from './refusals';

/** Name of the cluster in the output. */
export const CLUSTER = 'e2e';
/** Namespace of the servers and of their clients. */
export const TRAFFIC = 'linkerd-e2e';
/** Namespace of clients that a policy does not allow. */
export const STRANGERS = 'linkerd-e2e-strangers';
/** The run's own namespaces. */
export const OWN_NAMESPACES = [TRAFFIC, STRANGERS] as const;
/** Namespaces of the mesh, whose names are the same in each cluster. */
export const MESH_NAMESPACES = ['linkerd', 'linkerd-crds', 'linkerd-reconciler'] as const;
export const CERT_MANAGER_NAMESPACE = 'cert-manager';

/** What stays the same during a run. */
export interface ProgramSettings {
  /** Name of the run, in a label of the namespaces. */
  readonly run: string;
  /** The cluster has cert-manager and trust-manager. */
  readonly existingCertManager: boolean;
  /** The cluster has the CRDs of the Gateway API. */
  readonly existingGatewayApi: boolean;
  /** Release of Linkerd; the newest one if absent. */
  readonly release?: LinkerdVersion;
  /** Registry that replaces all registries of images, or one for each, as `mirror.images` of a Platform. */
  readonly images?: string | Readonly<Record<string, string>>;
  /** Image with Node.js, for the operator and the traffic. */
  readonly nodeImage?: string;
  /** Requests of each kind per second. */
  readonly rate: number;
  /** The longest time until a changed ConfigMap reaches pods. */
  readonly propagationSeconds: number;
}

/** What a user changes in the program from step to step. */
export interface ProgramState {
  /** Whether there is an operator, which rotates the anchor. */
  readonly isOperated: boolean;
  /** The format of the proxies' logs. */
  readonly logFormat: 'json' | 'plain';
  /** Whether only the client may reach the server. */
  readonly isClosed: boolean;
  /** A new value starts a rotation. */
  readonly rotateNow?: string;
}

/** The state with which a mesh begins. */
export const FIRST_STATE: ProgramState = { isOperated: true, logFormat: 'plain', isClosed: false };

/**
 * The shortest times that synth, the API server, cert-manager and Linkerd permit. cert-manager refuses certificates for
 * less than an hour. An anchor must be renewed before its issuers expire, in the second half of its life.
 */
const SHORTEST = {
  issuanceLifetime: Duration.minutes(3),
  identityIssuer: { duration: Duration.hours(1), renewBefore: Duration.minutes(20) },
  trustAnchor: { duration: Duration.hours(4), renewBefore: Duration.hours(2) },
  webhooks: { duration: Duration.hours(2), renewBefore: Duration.hours(1) },
} as const;

/** The operator's image by default. */
export const NODE_IMAGE = imageOf(OperatorImage.bundled());

function imageOf(image: OperatorImage): string {
  return image.kind === 'bundled' ? image.node : '';
}

/** Writes the output of the program, and returns the number of its files. */
export function writeOutput(folder: string, settings: ProgramSettings, state: ProgramState): number {
  const { images, nodeImage } = settings;
  const platform = new Platform({
    repoUrl: 'https://git.example.com/platform.git',
    outdir: folder,
    operatorImage: OperatorImage.bundled(nodeImage === undefined ? {} : { node: nodeImage }),
    ...(images !== undefined && { mirror: { images } }),
    acknowledge: { 'certificate-alerts-missing': 'the cluster of a test has no Prometheus operator' },
  });
  platform.addCluster(CLUSTER, {}, (cluster) => program(cluster, settings, state));
  const { written, unchanged } = platform.synth();
  return written + unchanged;
}

/** The program of docs/start-here.md, with the shortest times and with traffic. */
function program(cluster: Cluster, settings: ProgramSettings, state: ProgramState): void {
  const { existingCertManager, existingGatewayApi, release } = settings;
  const mesh = new LinkerdMesh(cluster, 'mesh', {
    ...(release !== undefined && { version: release }),
    crds: { gatewayApi: existingGatewayApi ? 'existing' : 'install' },
    highAvailability: false,
    viz: false,
    ...(state.isOperated && { operator: {} }),
    // The heartbeat counts clusters for Linkerd's statistics, which should not include test clusters.
    values: { disableHeartBeat: true },
    ...(existingCertManager && {
      certManager: CertManager.fromExisting(cluster, 'cert-manager'),
      trustManager: TrustManager.fromExisting(cluster, 'trust-manager'),
    }),
    pki: {
      issuanceLifetime: SHORTEST.issuanceLifetime,
      identityIssuer: SHORTEST.identityIssuer,
      webhooks: SHORTEST.webhooks,
      trustAnchor: trustAnchor(settings, state),
    },
  });
  if (mesh.operator !== undefined) {
    const values = state.logFormat === 'plain' ? {} : { values: { proxy: { logFormat: state.logFormat } } };
    new LinkerdConfig(cluster, 'config', { operator: mesh.operator, ...values });
  }
  addTraffic(cluster, new Meshing(cluster, 'meshing', { controlPlane: mesh.controlPlane }), settings, state);
}

function trustAnchor({ propagationSeconds }: ProgramSettings, { isOperated, rotateNow }: ProgramState): OwnTrustAnchor {
  if (!isOperated) return { ...SHORTEST.trustAnchor, rotation: 'manual' };
  const propagationDelay = Duration.seconds(propagationSeconds);
  const operator = { propagationDelay, workloads: 8, ...(rotateNow !== undefined && { rotateNow }) };
  return { ...SHORTEST.trustAnchor, rotation: 'operator', operator };
}

function addTraffic(cluster: Cluster, meshing: Meshing, settings: ProgramSettings, state: ProgramState): void {
  const { run } = settings;
  meshing.namespace(TRAFFIC, { requireProxy: 'deny' });
  meshing.namespace(STRANGERS, { requireProxy: 'deny' });
  for (const name of OWN_NAMESPACES) ensureNamespace(cluster, name, { labels: { [RUN_LABEL]: run } });
  for (const namespace of OWN_NAMESPACES) {
    new ApiObject(cluster, `scripts-${namespace}`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'traffic', namespace },
      data: Object.fromEntries([CLIENT, SERVER].map((file) => [file, readFileSync(join(__dirname, file), 'utf8')])),
    });
  }
  const rate = `${settings.rate}`;
  const server = workload(cluster, settings, { namespace: TRAFFIC, name: 'server', script: SERVER, replicas: 2 });
  const env = { SERVER: `server.${TRAFFIC}`, RATE: rate };
  const client = workload(cluster, settings, { namespace: TRAFFIC, name: 'client', script: CLIENT, env });
  const strange = { ...env, RATE: '1', KINDS: 'fresh,opaque' };
  const stranger = workload(cluster, settings, {
    namespace: STRANGERS,
    name: 'stranger',
    script: CLIENT,
    env: strange,
  });
  const outsider = workload(cluster, settings, {
    namespace: STRANGERS,
    name: 'outsider',
    script: CLIENT,
    env: { ...strange, MESHED: 'false' },
  });
  meshing.inject(server, { restart: 'auto', opaquePorts: [9090] });
  meshing.inject(client);
  meshing.inject(stranger);
  meshing.exclude(outsider);
  const service = new ApiObject(cluster, 'service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'server', namespace: TRAFFIC },
    spec: {
      selector: { app: 'server' },
      ports: [
        { name: 'http', port: 8080 },
        { name: 'tcp-echo', port: 9090 },
      ],
    },
  });
  meshing.opaquePorts(service, [9090]);
  if (state.isClosed) meshing.allow(service, { from: [client] });
}

const CLIENT = 'traffic-client.cjs';
const SERVER = 'traffic-server.cjs';

interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly script: string;
  readonly replicas?: number;
  readonly env?: Readonly<Record<string, string>>;
}

function workload(scope: Construct, { nodeImage }: ProgramSettings, options: Workload): ApiObject {
  const { namespace, name, script, replicas = 1, env = {} } = options;
  const isServer = script === SERVER;
  new ApiObject(scope, `account-${name}`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
  return new ApiObject(scope, name, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          serviceAccountName: name,
          automountServiceAccountToken: false,
          securityContext: { runAsUser: 1000, runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'traffic',
              image: nodeImage ?? NODE_IMAGE,
              command: ['node', `/traffic/${script}`],
              env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              resources: { requests: { cpu: '10m', memory: '48Mi' }, limits: { memory: '160Mi' } },
              volumeMounts: [{ name: 'traffic', mountPath: '/traffic' }],
              ...(isServer && SERVING),
            },
          ],
          volumes: [{ name: 'traffic', configMap: { name: 'traffic' } }],
        },
      },
    },
  });
}

/** The delay before the stop lets clients stop using a pod. */
const SERVING = {
  ports: [
    { name: 'http', containerPort: 8080 },
    { name: 'tcp-echo', containerPort: 9090 },
  ],
  readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
  lifecycle: { preStop: { sleep: { seconds: 5 } } },
};
