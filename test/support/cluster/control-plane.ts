import { mkdirSync } from 'node:fs';
import { goTool } from '../go-tools';
import { writeAuditPolicy } from './audit';
import { type Client, createClient } from './client';
import { type Credentials, writeCredentials } from './credentials';
import { eventually } from './eventually';
import { type ControlPlaneOptions, flags, type Ports, PROGRAMS, type Program } from './flags';
import { writeKwokStages } from './kwok-stages';
import { endProcess, killControlPlane, readPids } from './pid-files';
import { deadProcesses, freePorts, logTail, startProcess, startWatchdog } from './processes';

/** The paths of the programs. Each is built when this module is loaded, if it is missing. */
const PATHS = new Map<Program, string>(PROGRAMS.map((program) => [program, goTool(program)]));

/** A running control plane as plain data, so that another test file can read it from a file. */
export interface ControlPlane extends Credentials {
  /** The folder of keys, data and logs. */
  readonly dir: string;
  readonly server: string;
  readonly ports: Ports;
  readonly options: ControlPlaneOptions;
}

/** The time within which a program must be ready. It takes seconds on an idle machine. */
const READY_TIMEOUT_MS = 60_000;

/** Nodes, each in its own zone, so that pods with topology spread constraints can be scheduled. */
const NODES = ['node-a', 'node-b', 'node-c'];

/**
 * Starts etcd, the API server, the controller manager, the scheduler and kwok in a new folder, on free ports. When
 * this returns, a Deployment would roll out. All programs end when this process does.
 * Without controllers, it starts only etcd and the API server.
 * @throws if a program ends (with its last log lines), or is not ready within a minute
 */
export async function startControlPlane(
  dir: string,
  { controllers = true, ...options }: ControlPlaneOptions & { readonly controllers?: boolean } = {},
): Promise<ControlPlane> {
  mkdirSync(dir, { recursive: true });
  const [apiServer = 0, etcdClient = 0, etcdPeer = 0] = await freePorts(3);
  const server = `https://127.0.0.1:${apiServer}`;
  const ports = { apiServer, etcdClient, etcdPeer };
  const plane: ControlPlane = { dir, server, ports, options, ...writeCredentials(dir, server) };
  writeAuditPolicy(dir);
  writeKwokStages(dir);
  startWatchdog(dir);
  try {
    startProgram(plane, 'etcd');
    await startApiServer(plane);
    if (controllers) await startControllers(plane);
  } catch (error) {
    await killControlPlane(dir);
    throw error;
  }
  return plane;
}

/** Starts the API server, and waits until it is ready. A restart has the same port and data. */
export async function startApiServer(plane: ControlPlane): Promise<void> {
  startProgram(plane, 'kube-apiserver');
  const client = adminClient(plane);
  await allAlive(plane, async () => {
    await client.request({ method: 'GET', path: '/readyz' });
  });
}

/** Ends the API server as an update would: it closes open connections after two seconds. */
export async function stopApiServer({ dir }: ControlPlane): Promise<void> {
  await endProcess(dir, 'kube-apiserver', 2_000);
}

/** Whether all programs run. */
export function isWhole({ dir }: ControlPlane): boolean {
  return readPids(dir).size >= PROGRAMS.length && deadProcesses(dir).length === 0;
}

function adminClient({ server, ca, admin }: ControlPlane): Client {
  return createClient({ server, ca: ca.cert, identity: admin });
}

function startProgram({ dir, ports, options }: ControlPlane, program: Program): void {
  startProcess(dir, program, PATHS.get(program) ?? program, flags(program, dir, ports, options));
}

async function startControllers(plane: ControlPlane): Promise<void> {
  for (const program of ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const) startProgram(plane, program);
  await addNodes(plane);
}

/** Adds nodes, and waits until controller manager and kwok have made them Ready and removed the taint of new nodes. */
async function addNodes(plane: ControlPlane): Promise<void> {
  const client = adminClient(plane);
  for (const name of NODES) {
    const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'topology.kubernetes.io/zone': name };
    await client.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
  }
  await allAlive(plane, async () => {
    const nodes = await client.list('v1', 'Node');
    const waiting = nodes.filter(({ spec, status }) => spec.taints !== undefined || !isReady(status));
    if (waiting.length > 0) throw new Error(`Not ready: ${waiting.map(({ metadata }) => metadata.name).join(', ')}.`);
    await client.get({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } });
  });
}

function isReady(status: { conditions?: readonly { type: string; status: string }[] } | undefined): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
}

/** Waits for a check to pass. @throws at once if a program has ended */
async function allAlive({ dir }: ControlPlane, check: () => Promise<void>): Promise<void> {
  let dead: string[] = [];
  await eventually(
    async () => {
      dead = deadProcesses(dir);
      if (dead.length === 0) await check();
    },
    { timeoutMs: READY_TIMEOUT_MS },
  );
  if (dead.length > 0) {
    throw new Error(dead.map((name) => `${name} ended:\n${logTail(dir, name)}`).join('\n'));
  }
}
