import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Testing } from 'cdk8s';
import { LinkerdControlPlane } from '#lib/constructs/control-plane/linkerd-control-plane';
import { CertRotationCronJob } from '#lib/constructs/rotation/cert-rotation-cron-job';
import { PROGRAM } from '#operator/bundle/build-bundle';
import type { Cluster } from '../../support/cluster/cluster';
import { customResourceDefinition } from '../../support/cluster/crds';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { addPki } from '../../support/control-plane-fixture';
import { type LogLine, runOperatorProgram } from '../../support/operator/operator-process';
import { plainObjects } from '../../support/plain-app';
import { type FakeIssuer, serialNumber, startFakeIssuer } from './fake-issuer';

/** The outcome of one run of `rotate`. */
interface Run {
  readonly code: number | null;
  readonly logs: readonly LogLine[];
}

/** Deviations of a run from the CronJob. */
interface RunSettings {
  readonly runId?: string;
  /** @default - the arguments of the CronJob */
  readonly args?: readonly string[];
  /** Additional flags. */
  readonly flags?: readonly string[];
}

/** The state that a rotation changes: serial numbers of certificates, and numbers of rollouts of Deployments. */
export interface Generations {
  readonly certificates: Readonly<Record<string, string>>;
  readonly rollouts: Readonly<Record<string, number>>;
}

/**
 * The environment of a rotation: the emitted Certificates, CronJob and permissions, Deployments with the names of the
 * charts, and a fake cert-manager. It has its own namespaces.
 */
export interface RotatedMesh {
  readonly namespace: string;
  /** The namespace of the extension with `tap`. */
  readonly extension: string;
  /** The CronJob's user in audit events. */
  readonly user: string;
  readonly issuer: FakeIssuer;
  readonly cronJob: KubeObject;
  /** Runs the program to its end as the CronJob's ServiceAccount. */
  rotate(settings?: RunSettings): Promise<Run>;
  generations(): Promise<Generations>;
  deployment(name: string): Promise<KubeObject>;
  /** Starts the program without waiting for its end. The program must have been built. */
  start(runId?: string): { stderr(): string; kill(signal: NodeJS.Signals): Promise<Run> };
  /** Stops the fake and removes the namespaces. */
  remove(): Promise<void>;
  /** The Events of an object: `reason: message (count)`. */
  events(kind: string, name: string): Promise<readonly string[]>;
}

/** The Deployments of the charts, each with its mounted certificates. */
const CERTIFICATES_OF = {
  'linkerd-identity': ['linkerd-identity-issuer'],
  'linkerd-proxy-injector': ['linkerd-proxy-injector'],
  'linkerd-destination': ['linkerd-sp-validator', 'linkerd-policy-validator'],
  tap: ['tap'],
};

export async function createMesh(cluster: Cluster): Promise<RotatedMesh> {
  const restricted = { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } };
  const namespace = await cluster.namespace('linkerd', restricted);
  const extension = await cluster.namespace('viz');
  await cluster.apply(customResourceDefinition('cert-manager.io', 'Certificate'));
  const issuer = startFakeIssuer(cluster, [namespace, extension]);
  const objects = emittedObjects(namespace, extension);
  await cluster.applyAll(objects);
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'linkerd-identity-trust-roots', namespace },
    data: { 'ca-bundle.crt': issuer.anchor },
  });
  const placed = Object.keys(CERTIFICATES_OF).map((name) => ({ name, in: name === 'tap' ? extension : namespace }));
  for (const { name, in: place } of placed) await cluster.apply(deploymentOf(name, place));
  for (const { name, in: place } of placed) await cluster.rolledOut(ref('apps/v1', 'Deployment', name, place));

  const cronJob = objects.find(({ kind }) => kind === 'CronJob') as KubeObject;
  const kubeconfig = cluster.kubeconfig({ token: await cluster.serviceAccountToken(namespace, 'linkerd-restarter') });
  const deployment = (name: string) =>
    cluster.get(ref('apps/v1', 'Deployment', name, name === 'tap' ? extension : namespace));
  const mesh: RotatedMesh = {
    namespace,
    extension,
    user: `system:serviceaccount:${namespace}:linkerd-restarter`,
    issuer,
    cronJob,
    deployment,
    start: (runId) =>
      startProgram([
        ...argumentsOf(cronJob),
        `--kubeconfig=${kubeconfig}`,
        ...(runId === undefined ? [] : [`--run-id=${runId}`]),
      ]),
    remove: async () => {
      await issuer.stop();
      for (const name of [namespace, extension]) await cluster.delete(ref('v1', 'Namespace', name));
    },
    rotate: async ({ runId, args = argumentsOf(cronJob), flags = [] } = {}) => {
      const { code, stderr } = await runOperatorProgram({
        args: [...args, `--kubeconfig=${kubeconfig}`, ...flags],
        env: runId === undefined ? {} : { RUN_ID: runId },
      });
      return { code, logs: linesOf(stderr) };
    },
    generations: () => generationsOf(cluster, mesh),
    events: async (kind, name) => {
      const place = name === 'tap' ? extension : namespace;
      const events = await cluster.list('v1', 'Event', { namespace: place });
      return events
        .filter(
          ({ involvedObject, type }) =>
            involvedObject.kind === kind && involvedObject.name === name && type === 'Warning',
        )
        .map(({ reason, message, count }) => `${reason}: ${message} (${count})`);
    },
  };
  await cluster.eventually(() => mesh.generations());
  return mesh;
}

function startProgram(args: readonly string[]): ReturnType<RotatedMesh['start']> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close');
  return {
    stderr: () => stderr,
    kill: async (signal) => {
      child.kill(signal);
      const [code] = await ended;
      return { code, logs: linesOf(stderr) };
    },
  };
}

/** The Certificates of the mesh and all objects of its rotation, as the constructs emit them. */
function emittedObjects(namespace: string, extension: string): readonly KubeObject[] {
  const chart = Testing.chart();
  const { pki, trust } = addPki(chart, { controlPlaneNamespace: namespace });
  const controlPlane = new LinkerdControlPlane(chart, 'linkerd', { pki, trust, delivery: 'helm' });
  pki.webhookCertificate(chart, 'tap', { service: 'tap', namespace: extension });
  new CertRotationCronJob(chart, 'rotation', { controlPlane });
  const kinds = ['Certificate', 'ServiceAccount', 'Role', 'RoleBinding', 'ConfigMap', 'CronJob'];
  return (plainObjects(chart) as KubeObject[]).filter(
    ({ kind, metadata }) => kinds.includes(kind) && [namespace, extension].includes(metadata.namespace ?? ''),
  );
}

function deploymentOf(name: string, namespace: string): KubeObject {
  const labels = { app: name };
  const container = {
    name: 'main',
    image: 'registry.example/controller:1',
    securityContext: {
      allowPrivilegeEscalation: false,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers: [container] } },
    },
  };
}

export function argumentsOf(cronJob: KubeObject): readonly string[] {
  return cronJob.spec.jobTemplate.spec.template.spec.containers[0].args;
}

async function generationsOf(cluster: Cluster, mesh: RotatedMesh): Promise<Generations> {
  const certificates: Record<string, string> = {};
  const rollouts: Record<string, number> = {};
  for (const [name, names] of Object.entries(CERTIFICATES_OF)) {
    const { metadata } = await mesh.deployment(name);
    rollouts[name] = metadata.generation ?? 0;
    for (const certificate of names) {
      const secretName = certificate === 'linkerd-identity-issuer' ? certificate : `${certificate}-k8s-tls`;
      certificates[certificate] = serialNumber(await cluster.get(ref('v1', 'Secret', secretName, metadata.namespace)));
    }
  }
  return { certificates, rollouts };
}

/** Returns the names of renewed certificates, and the number of rollouts of each restarted Deployment. */
export function changes(before: Generations, after: Generations) {
  const renewed = Object.keys(before.certificates).filter(
    (name) => before.certificates[name] !== after.certificates[name],
  );
  const rolled = Object.entries(after.rollouts)
    .map(([name, generation]) => [name, generation - (before.rollouts[name] ?? 0)] as const)
    .filter(([, count]) => count > 0);
  return { renewed, rolled: Object.fromEntries(rolled) };
}

/** Runs a rotation. @returns its changes and its exit */
export async function changesOf(mesh: RotatedMesh, settings?: RunSettings) {
  const before = await mesh.generations();
  const run = await mesh.rotate(settings);
  return { ...changes(before, await mesh.generations()), ...run };
}

function linesOf(stderr: string): readonly LogLine[] {
  return stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(line) as LogLine;
      } catch {
        return { msg: line };
      }
    });
}
