import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_LINKERD_VERSION } from '#linkerd/releases/known-releases';
import { missingCharts } from './folders';
import { inventory, type Listed, listAll } from './inventory';
import { Kubectl, KubectlError, type LiveObject } from './kubectl';
import { CODES, type Options } from './options';
import { CERT_MANAGER_NAMESPACE, CLUSTER, FIRST_STATE, type ProgramSettings, TRAFFIC, writeOutput } from './program';
import { type ClusterFacts, type Refusal, RUN_LABEL, refusals } from './refusals';
import { formatResult, type RunResult, type StepOutcome, stepLine } from './results';
import { HELM_MESH } from './steps/helm-mesh';
import { INSTALL } from './steps/install';
import { POLICY } from './steps/policy';
import { namespacesOf, REMOVAL, removeAll } from './steps/removal';
import { RESTART } from './steps/restart';
import { ROTATION } from './steps/rotation';
import { STATUS } from './steps/status';
import { TAKEOVER } from './steps/takeover';
import { TRAFFIC_STEP } from './steps/traffic';
import { TrafficRecord } from './traffic';
import { type Step, StepFailure, type StepName, type StepResult, type Walk } from './walk';

const ALL: Readonly<Record<StepName, Step>> = {
  'helm-mesh': HELM_MESH,
  takeover: TAKEOVER,
  install: INSTALL,
  traffic: TRAFFIC_STEP,
  rotation: ROTATION,
  restart: RESTART,
  policy: POLICY,
  status: STATUS,
  removal: REMOVAL,
};

/** The outputs of a run, and the signal that ends it. */
export interface Surroundings {
  readonly print: (text: string) => void;
  readonly note: (text: string) => void;
  /** Aborts when the user interrupts the run. */
  readonly interrupted: AbortSignal;
}

/** Runs the chosen steps, and removes everything at the end, also after a failure. Returns the exit code. */
export async function runSteps(options: Options, surroundings: Surroundings): Promise<number> {
  const work = mkdtempSync(join(tmpdir(), 'cdk8s-linkerd-e2e-'));
  const remove = () => rmSync(work, { recursive: true, force: true });
  process.on('exit', remove);
  try {
    const cluster = new Kubectl(targetOf(options), surroundings.interrupted);
    const only = options.steps.join() === 'removal';
    return await (only ? removeEarlier : runAll)({ options, surroundings, cluster, outdir: join(work, 'dist') });
  } finally {
    remove();
    process.off('exit', remove);
  }
}

function targetOf({ context, kubeconfig, kubectl }: Options) {
  return { context, program: kubectl, ...(kubeconfig !== undefined && { kubeconfig }) };
}

interface Begun {
  readonly options: Options;
  readonly surroundings: Surroundings;
  readonly cluster: Kubectl;
  readonly outdir: string;
}

async function runAll(begun: Begun): Promise<number> {
  const { options, surroundings, cluster, outdir } = begun;
  const run = `e2e-${Date.now().toString(36)}`;
  const observed = await observe(cluster);
  const settings = settingsOf(options, observed, run);
  // In a separate folder: a first step without an operator would remove the anchors of this output.
  const first = `${outdir}.first`;
  writeOutput(first, settings, FIRST_STATE);
  const missing = missingCharts({ folder: join(first, CLUSTER), charts: options.charts });
  const facts = { ...observed, missingCharts: missing.map(({ name, version }) => `${name} ${version}`) };
  const found = refusals(facts, {
    namespaces: namespacesOf({ settings }),
    existingCertManager: options.existingCertManager,
  });
  if (found.length > 0) return refuse(found, surroundings);

  const before = await inventory(cluster);
  const rival = await claim(cluster, run);
  if (rival !== undefined) return refuse([rival], surroundings);
  const walk = walkOf(begun, { settings, before, kubeVersion: observed.version });
  const steps = await takeSteps(walk, begun);
  const isRemoved = steps.at(-1)?.step === 'removal' && steps.at(-1)?.ok === true;
  if (!isRemoved && !options.keep) steps.push(await cleanUp(walk, surroundings));
  const result: RunResult = {
    version: 1,
    run,
    kubernetes: observed.version,
    nodes: observed.nodes,
    release: options.release ?? DEFAULT_LINKERD_VERSION,
    steps,
  };
  surroundings.print(formatResult(result, options.format));
  if (surroundings.interrupted.aborted) return CODES.interrupted;
  return steps.every(({ ok }) => ok) ? CODES.done : CODES.failed;
}

/**
 * Creates the namespace of the run, so that only one of several concurrent runs continues. It cannot be interrupted,
 * because the cleanup needs the answer.
 */
async function claim(interruptible: Kubectl, run: string): Promise<Refusal | undefined> {
  const cluster = interruptible.until();
  const metadata = { name: TRAFFIC, labels: { [RUN_LABEL]: run } };
  const { code, stderr } = await cluster.run(
    ['create', '-f', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata }),
  );
  if (code === 0) return undefined;
  // The answer may have been lost after the namespace was created.
  const namespace = await cluster.get({ resource: 'namespaces', name: TRAFFIC });
  if (namespace?.metadata.labels?.[RUN_LABEL] === run) return undefined;
  return {
    code: 'earlierRun',
    text: `another run has begun in this cluster: wait for its end (${stderr.trim().slice(0, 240)})`,
  };
}

function refuse(found: readonly Refusal[], { note }: Surroundings): number {
  note(`refused, nothing was written:\n${found.map(({ text }) => `  - ${text}`).join('\n')}`);
  return CODES.failed;
}

function settingsOf(
  options: Options,
  { definitions }: Pick<ClusterFacts, 'definitions'>,
  run: string,
): ProgramSettings {
  const { existingCertManager, release, images, nodeImage, rate, propagationSeconds } = options;
  return {
    run,
    existingCertManager,
    existingGatewayApi: definitions.includes('httproutes.gateway.networking.k8s.io'),
    ...(release !== undefined && { release }),
    ...(images !== undefined && { images }),
    ...(nodeImage !== undefined && { nodeImage }),
    rate,
    propagationSeconds,
  };
}

function walkOf(
  { options, surroundings, cluster, outdir }: Begun,
  known: Pick<Walk, 'before' | 'kubeVersion' | 'settings'>,
): Walk {
  const { context, charts } = options;
  const walk: Walk = {
    ...known,
    cluster,
    context,
    charts,
    outdir,
    traffic: new TrafficRecord(),
    state: FIRST_STATE,
    waiting: '',
    note: (text) => {
      walk.waiting = text;
      surroundings.note(`    ${text}`);
    },
  };
  return walk;
}

async function takeSteps(walk: Walk, { options, surroundings }: Begun): Promise<StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  for (const name of options.steps) {
    if (options.keep && name === 'removal') continue;
    const signal = AbortSignal.any([surroundings.interrupted, AbortSignal.timeout(options.timeoutMs)]);
    walk.cluster = walk.cluster.until(signal);
    const outcome = await outcomeOf(name, walk, (one) => ALL[name].run(one));
    outcomes.push(outcome);
    surroundings.note(stepLine(outcome));
    if (!outcome.ok) break;
  }
  return outcomes;
}

/** Maximum time of a removal: a longer one is blocked. */
const REMOVAL_MS = 15 * 60_000;

async function cleanUp(walk: Walk, { note }: Surroundings): Promise<StepOutcome> {
  walk.cluster = walk.cluster.until(AbortSignal.timeout(REMOVAL_MS));
  const outcome = await outcomeOf('cleanup', walk, removeAll);
  note(stepLine(outcome));
  return outcome;
}

async function outcomeOf(
  step: StepOutcome['step'],
  walk: Walk,
  act: (walk: Walk) => Promise<StepResult>,
): Promise<StepOutcome> {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  walk.waiting = '';
  try {
    return { step, ok: true, ...(await act(walk)), seconds: seconds() };
  } catch (error) {
    const { result } = error as { readonly result?: StepResult };
    return { step, ok: false, ...result, text: failureText(error, walk), seconds: seconds() };
  }
}

function failureText(error: unknown, { waiting }: Walk): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly name?: string } };
  // A wait that a signal ends throws an AbortError, whose cause is the reason.
  const reason = name === 'AbortError' ? (cause?.name ?? name) : name;
  if (reason === 'TimeoutError' || reason === 'AbortError') {
    const why = reason === 'TimeoutError' ? 'not done in time' : 'interrupted';
    return `${why}${waiting === '' ? '' : `; it waited for: ${waiting}`}`;
  }
  if (error instanceof StepFailure || error instanceof KubectlError) return error.message;
  return String((error as { readonly stack?: string }).stack ?? error);
}

/** Removes the objects of an earlier run: by its label, in its namespaces, and the anchors of its mesh. */
async function removeEarlier({ options, surroundings, cluster, outdir }: Begun): Promise<number> {
  const all = await inventory(cluster);
  // The namespaces of the run may already be gone.
  const run = all.find((object) => object.run !== undefined)?.run ?? 'none';
  const names = new Set(
    all.filter((object) => object.kind === 'Namespace' && object.run === run).map(({ name }) => name),
  );
  const isOurs = (object: Listed) => object.run === run || names.has(object.namespace ?? '');
  // If the run created the mesh, the anchors in the cluster also belong to the run.
  const isAnchor = ({ kind, namespace, name }: Listed) =>
    (kind === 'ClusterIssuer' || namespace === CERT_MANAGER_NAMESPACE) && /^linkerd-/.test(name);
  const before = all.filter((object) => !isOurs(object) && !(names.has('linkerd') && isAnchor(object)));
  const existingCertManager = !names.has(CERT_MANAGER_NAMESPACE);
  const settings = { ...settingsOf(options, { definitions: [] }, run), existingCertManager };
  const walk = walkOf({ options, surroundings, cluster, outdir }, { settings, before, kubeVersion: '' });
  walk.cluster = cluster.until(AbortSignal.any([surroundings.interrupted, AbortSignal.timeout(options.timeoutMs)]));
  const outcome = await outcomeOf('removal', walk, removeAll);
  surroundings.note(stepLine(outcome));
  if (surroundings.interrupted.aborted) return CODES.interrupted;
  return outcome.ok ? CODES.done : CODES.failed;
}

/** Reads the state of the cluster. */
async function observe(cluster: Kubectl): Promise<Omit<ClusterFacts, 'missingCharts'>> {
  const version = JSON.parse(await cluster.text(['version', '-o', 'json'])).serverVersion?.gitVersion ?? 'unknown';
  const nodes = await cluster.list('nodes');
  const namespaces = await cluster.list('namespaces');
  const listed = await listAll(cluster, [
    'customresourcedefinitions',
    'mutatingwebhookconfigurations',
    'validatingwebhookconfigurations',
  ]);
  const definitions = listed.filter(({ kind }) => kind === 'CustomResourceDefinition');
  return {
    version,
    definitions: definitions.map(({ name }) => name),
    earlierDefinitions: definitions.filter(({ run }) => run !== undefined).map(({ name }) => name),
    namespaces: namespaces.map(({ metadata: { name, labels = {} } }) => ({ name, labels })),
    webhooks: listed.filter(({ kind }) => kind !== 'CustomResourceDefinition').map(({ name }) => name),
    nodes: nodes.filter(takesPods).length,
    isAdministrator: (await cluster.run(['auth', 'can-i', '*', '*', '--all-namespaces'])).stdout.trim() === 'yes',
  };
}

function takesPods({ spec, status }: LiveObject): boolean {
  const conditions: readonly { type: string; status: string }[] = status?.conditions ?? [];
  const taints: readonly { effect: string }[] = spec?.taints ?? [];
  const isReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
  return isReady && spec?.unschedulable !== true && !taints.some(({ effect }) => effect !== 'PreferNoSchedule');
}
