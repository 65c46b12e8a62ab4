import type { Listed } from './inventory';
import { type Kubectl, KubectlError } from './kubectl';
import type { ProgramSettings, ProgramState } from './program';
import type { Counts, TrafficRecord } from './traffic';

/** The steps in their order. */
export const STEPS = [
  'helm-mesh',
  'takeover',
  'install',
  'traffic',
  'rotation',
  'restart',
  'policy',
  'status',
  'removal',
] as const;
export type StepName = (typeof STEPS)[number];

/** Steps that begin with a mesh from Helm. */
const ON_HELM_MESH: readonly StepName[] = ['helm-mesh', 'takeover'];

/** The default steps. */
export const USUAL_STEPS: readonly StepName[] = STEPS.filter((name) => !ON_HELM_MESH.includes(name));

/** Steps that work in a mesh without a program. */
const WITHOUT_PROGRAM = ['helm-mesh', 'traffic', 'rotation', 'removal'];

/** A step found another state than the one that it requires. */
export class StepFailure extends Error {}

/** The result of a step. */
export interface StepResult {
  /** One line for people. */
  readonly text: string;
  /** Facts for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Requests that the client sent meanwhile. */
  readonly traffic?: Counts;
}

/** The state that steps share. */
export interface Walk {
  cluster: Kubectl;
  readonly settings: ProgramSettings;
  /** Name of the context in the kubeconfig. */
  readonly context: string;
  /** Folder of the output, below which each cluster has its own. */
  readonly outdir: string;
  /** Folder with the charts. */
  readonly charts: string;
  readonly kubeVersion: string;
  /** The objects of the cluster at the beginning. */
  readonly before: readonly Listed[];
  /** The counts of the client since it started. */
  readonly traffic: TrafficRecord;
  /** The current state of the program. */
  state: ProgramState;
  /** Shows what a step waits for. */
  readonly note: (text: string) => void;
  /** The last text that `note` showed. */
  waiting: string;
}

/** A step of the walk. */
export interface Step {
  readonly name: StepName;
  /** A description of the step. */
  readonly summary: string;
  run(walk: Walk): Promise<StepResult>;
}

/** Returns why the chosen steps cannot run, or undefined. */
export function checkSteps(chosen: readonly string[]): string | undefined {
  const unknown = chosen.filter((name) => !(STEPS as readonly string[]).includes(name));
  if (unknown.length > 0) return `${unknown.join(', ')}: the steps are ${STEPS.join(', ')}`;
  if (chosen.length === 0) return `name a step: ${STEPS.join(', ')}`;
  if (chosen.includes('helm-mesh')) {
    const others = chosen.filter((name) => !WITHOUT_PROGRAM.includes(name));
    if (others.length > 0) return `${others.join(', ')}: impossible with helm-mesh, which applies no program`;
  }
  const needs = chosen.filter((name) => !['helm-mesh', 'install', 'removal'].includes(name));
  const hasMesh = chosen.includes('install') || chosen.includes('helm-mesh');
  if (needs.length > 0 && !hasMesh) return `${needs.join(', ')}: add install`;
  const counted = needs.filter((name) => !['takeover', 'traffic'].includes(name));
  return counted.length > 0 && !chosen.includes('traffic') ? `${counted.join(', ')}: add traffic` : undefined;
}

/** Returns the chosen steps in the order in which they run. */
export function stepsInOrder(chosen: readonly string[]): readonly StepName[] {
  return STEPS.filter((name) => chosen.includes(name));
}

/** Waits until a check returns no reason, and shows each new one. */
export async function until({ cluster, note }: Walk, gap: () => Promise<string | undefined>): Promise<void> {
  let noted: string | undefined;
  for (;;) {
    const found = await gap().catch(readGap);
    if (found === undefined) return;
    if (found !== noted) note(found);
    noted = found;
    await cluster.pause(PAUSE_MS);
  }
}

/** Returns the message of kubectl as a reason to wait and retry. */
function readGap(error: unknown): string {
  if (error instanceof KubectlError) return error.message;
  throw error;
}

const PAUSE_MS = 2_000;
