import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import { INJECT } from '#linkerd/annotations';
import { CONFIG_ANNOTATION } from '#operator/api/names';
import type { Workload } from '#operator/src/propagation/kinds/workload';
import type { Pod } from '#operator/src/propagation/objects/pod';
import type { PropagationAction } from '#operator/src/propagation/plan/actions';
import type { ClusterView } from '#operator/src/propagation/plan/cluster-view';
import type { PropagationPlan, PropagationStatus } from '#operator/src/propagation/plan/propagation-plan';
import { createPlanner, type Planner } from '#operator/src/propagation/planner';
import {
  argoRollout,
  budget,
  clusterView,
  daemonSet,
  deployment,
  HASH,
  namespace,
  ownerOf,
  pod,
  replicaSetOf,
  SINCE,
  statefulSet,
  VALUE,
} from '../../support/operator/propagation-objects';

/** Ways in which a workload prevents the end of its restart without a fault of the configuration. */
export const OBSTACLES = [
  /** A quota on ReplicaSets: the controller never completes its observation of the change. */
  'unobserved',
  /** A quota on pods, with the workload's own deadline or none: no new pod is created. */
  'podless',
  /** A client's finalizer keeps the workload, from the start or from its restart. */
  'deleting',
  'deleted-later',
  /** Its owner does not exist. */
  'ownerless',
  /** Its pods were not ready before the restart. */
  'broken',
  /** New pods become ready, but never all of them. */
  'endless',
  /** A client removes the annotation, or writes another value. */
  'taken-back',
  'garbled',
  'from-the-future',
  /** The API server refuses the restart, by a policy or because a webhook does not answer. */
  'refused',
  'unanswered',
  /** A client writes to the workload all the time. */
  'overtaken',
  'paused',
  'paused-later',
  'budgeted',
  /** The workload is deleted during its restart. */
  'vanishing',
  /** Its new pods disable injection. */
  'opting-out',
] as const;

export type Behaviour = (typeof OBSTACLES)[number] | 'honest' | 'failing';

/** A workload with its behaviour during a restart. */
export interface Tenant {
  readonly behaviour: Behaviour;
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  /** The deadline of its own controller; only Deployments have one. */
  readonly ownDeadlineSeconds: number;
  /** The number of steps until it acts. */
  readonly delay: number;
}

interface Simulated extends Tenant {
  readonly name: string;
  readonly namespace: string;
  value?: string;
  generation: number;
  version: number;
  /** The time of its last restart. */
  restarted?: number;
  isGone: boolean;
  pods: SimulatedPod[];
  writes: number;
}

interface SimulatedPod {
  readonly name: string;
  readonly created: number;
  readonly value?: string;
  readonly isReady: boolean;
  readonly optedOut?: boolean;
}

/** The seconds of one step of the simulation. */
export const STEP = 5;
/** The deadline of the LinkerdConfig, in seconds. */
export const DEADLINE = 60;
const WANTED = 2;
const START = Date.parse(SINCE) / 1000 + 100;

/** Workloads of many tenants, in separate namespaces or one, and operators that restart them. */
export class SimulatedTenants {
  now = START;
  status: Partial<PropagationStatus> = {};
  isCured = false;
  /** The ids of workloads that restart by the last plan, or are about to, and that hold a slot. */
  held: readonly string[] = [];
  readonly workloads: Simulated[];
  private planner: Planner = this.newPlanner();

  constructor(
    tenants: readonly Tenant[],
    private readonly maxUnavailableWorkloads: number,
  ) {
    this.workloads = tenants.map((tenant, index) => ({
      ...tenant,
      name: `w${index}`,
      // One namespace for each kind of obstacle, like that of a tenant with many such workloads.
      namespace: tenant.behaviour === 'honest' || tenant.behaviour === 'failing' ? `good-${index}` : tenant.behaviour,
      generation: 2,
      version: 1,
      isGone: false,
      writes: 0,
      pods: [0, 1].map((i) => ({
        name: `old-${i}`,
        created: START - 1_000,
        isReady: tenant.behaviour !== 'broken' || i > 0,
      })),
    }));
  }

  /** Reconciles once: writes the status, then acts. */
  reconcile(): PropagationPlan {
    const target = {
      configHash: HASH,
      maxUnavailableWorkloads: this.maxUnavailableWorkloads,
      progressDeadlineSeconds: DEADLINE,
      previous: this.status,
    };
    const slices = this.planner.plan(this.view(), target, new Date(this.now * 1000));
    let step = slices.next();
    while (!step.done) step = slices.next();
    const plan = step.value;
    this.held = this.placesIn(plan);
    this.status = JSON.parse(JSON.stringify(plan.report.status));
    for (const action of plan.actions) this.write(action);
    return plan;
  }

  /** Reconciles with pauses until a plan satisfies `until`. In some steps the operator crashes first. */
  run(steps: number, crashed: readonly boolean[], until: (plan: PropagationPlan) => boolean): boolean {
    for (let index = 0; index < steps; index += 1) {
      if (crashed[index % crashed.length]) this.crash();
      if (until(this.reconcile())) return true;
      this.step();
    }
    return false;
  }

  /** Another process takes over. */
  crash(): void {
    this.planner = this.newPlanner();
  }

  /** Time passes, and all controllers and tenants act. */
  step(): void {
    this.now += STEP;
    for (const workload of this.workloads) this.act(workload);
  }

  idOf({ kind, name, namespace: of }: Simulated): string {
    return `${of}/${kind}/${name}`;
  }

  private placesIn({ actions, report }: PropagationPlan): readonly string[] {
    const { passedBy, inProgress } = report.status;
    const free = new Set(passedBy?.restarts.map(({ workload }) => workload));
    // Suspended restarts that the status keeps must not occupy slots.
    const standStill: readonly Behaviour[] = ['deleted-later', 'paused-later'];
    const restarted = this.workloads
      .filter(({ value, behaviour }) => value === VALUE && !standStill.includes(behaviour))
      .map((it) => this.idOf(it));
    const begun = new Set([...restarted, ...actions.map(({ id }) => id)]);
    return inProgress.map(({ workload }) => workload).filter((id) => begun.has(id) && !free.has(id));
  }

  private newPlanner(): Planner {
    return createPlanner(() => this.now * 1000);
  }

  private write(action: PropagationAction): void {
    const workload = this.workloads.find((it) => this.idOf(it) === action.id);
    if (workload === undefined || action.id === undefined) throw new Error(`restarted ${action.id}`);
    const { behaviour } = workload;
    if (behaviour === 'refused' || behaviour === 'unanswered') {
      this.planner.refused(action.id, behaviour, HASH);
      return;
    }
    if (behaviour === 'overtaken') {
      this.planner.overtaken(action.id, HASH);
      return;
    }
    const { template } = action.body.spec as {
      template: { metadata: { annotations: Readonly<Record<string, string>> } };
    };
    workload.value = template.metadata.annotations[CONFIG_ANNOTATION];
    workload.generation += 1;
    workload.version += 1;
    workload.restarted = this.now;
    workload.writes += 1;
    this.planner.written(action);
  }

  private act(workload: Simulated): void {
    const { behaviour, restarted, delay } = workload;
    if (behaviour === 'overtaken') workload.version += 1;
    if (restarted === undefined || this.now < restarted + delay * STEP) return;
    const fresh = (isReady: boolean, optedOut?: boolean): SimulatedPod[] =>
      workload.pods.some(({ created }) => created >= restarted)
        ? workload.pods
        : [0, 1].map((i) => ({
            name: `new-${i}`,
            created: this.now,
            value: workload.value,
            isReady,
            optedOut,
          }));
    switch (behaviour) {
      case 'honest':
        workload.pods = fresh(true);
        return;
      case 'failing':
        workload.pods = this.isCured ? workload.pods.map((it) => ({ ...it, isReady: true })) : fresh(false);
        return;
      case 'broken':
        workload.pods = fresh(false);
        return;
      case 'endless':
        workload.pods = fresh(true);
        return;
      case 'opting-out':
        workload.pods = fresh(true, true);
        return;
      case 'taken-back':
        workload.value = undefined;
        return;
      case 'garbled':
        workload.value = 'x'.repeat(300);
        return;
      case 'from-the-future':
        workload.value = `${HASH}.29991231T235959Z`;
        return;
      case 'vanishing':
        workload.isGone = true;
        workload.pods = [];
        return;
    }
  }

  private view(): Omit<ClusterView, 'rejections'> {
    const objects = this.workloads.filter(({ isGone }) => !isGone).map((workload) => this.objectOf(workload));
    const ghosts = this.workloads.map((it) => ({ ...argoRollout(it.name), namespace: it.namespace }));
    const owners = this.workloads.map((workload, index): KubeObject => {
      if (workload.behaviour !== 'ownerless')
        return objects.find((it) => it.metadata.name === workload.name) as Workload;
      return { ...(ghosts[index] as KubeObject), metadata: { name: workload.name, namespace: workload.namespace } };
    });
    const isBySet = (owner: KubeObject | undefined) => owner?.kind === 'Deployment' || owner?.kind === 'Rollout';
    return clusterView({
      namespaces: [...new Set(this.workloads.map((it) => it.namespace))].map((name) => ({
        ...namespace(name),
        metadata: { name, annotations: { [INJECT]: 'enabled' } },
      })),
      workloads: objects.filter(({ metadata }) => !metadata.namespace?.startsWith('ownerless')),
      replicaSets: owners.filter((owner) => owner !== undefined && isBySet(owner)).map(replicaSetOf),
      pods: this.workloads.flatMap((workload, index) => this.podsOf(workload, owners[index], isBySet(owners[index]))),
      budgets: this.workloads
        .filter(({ behaviour }) => behaviour === 'budgeted')
        .map(({ name, namespace: of }) => {
          const none = budget(name, name, 0);
          return { ...none, metadata: { ...none.metadata, namespace: of } };
        }),
    });
  }

  private podsOf(workload: Simulated, owner: KubeObject | undefined, isBySet: boolean): Pod[] {
    if (owner === undefined) return [];
    return workload.pods.map(({ name, created, value, isReady, optedOut }) => {
      const made = pod(`${workload.name}-${name}`, {
        namespace: workload.namespace,
        owner: ownerOf(isBySet ? replicaSetOf(owner) : owner),
        created: kubeTime(new Date(created * 1000)),
        value,
        injected: !optedOut,
        ready: isReady,
        labels: { app: workload.name },
      });
      if (!optedOut) return made;
      const annotations = { ...made.metadata.annotations, [INJECT]: 'disabled' };
      return { ...made, metadata: { ...made.metadata, annotations } };
    });
  }

  private objectOf(workload: Simulated): Workload {
    const { behaviour, name, namespace: of, value, restarted, pods, kind } = workload;
    const isRestarted = restarted !== undefined;
    const created = pods.filter(({ created: at }) => isRestarted && at >= restarted);
    const updated = isRestarted ? created.length : WANTED;
    const ready = pods.filter(({ isReady }) => isReady).length;
    const observedGeneration = behaviour === 'unobserved' && isRestarted ? 2 : workload.generation;
    const object = {
      Deployment: () => this.deploymentOf(workload, { observedGeneration, updated, ready }),
      StatefulSet: () =>
        statefulSet(name, {
          namespace: of,
          value,
          spec: { replicas: this.wantedOf(workload), template: {} },
          status: {
            observedGeneration,
            readyReplicas: ready,
            updatedReplicas: updated,
            currentRevision: updated === WANTED ? 'b' : 'a',
            updateRevision: 'b',
          },
        }),
      DaemonSet: () =>
        daemonSet(name, {
          namespace: of,
          value,
          status: {
            observedGeneration,
            desiredNumberScheduled: this.wantedOf(workload),
            updatedNumberScheduled: updated,
            numberAvailable: ready,
          },
        }),
    }[kind]();
    const isDeleting = behaviour === 'deleting' || (behaviour === 'deleted-later' && isRestarted);
    return {
      ...object,
      metadata: {
        ...object.metadata,
        generation: workload.generation,
        resourceVersion: `${workload.version}`,
        ...(isDeleting && { deletionTimestamp: kubeTime(new Date(this.now * 1000)) }),
      },
    } as Workload;
  }

  /** A rollout that never ends expects one pod more than will exist. */
  private wantedOf({ behaviour, restarted }: Simulated): number {
    return behaviour === 'endless' && restarted !== undefined ? WANTED + 1 : WANTED;
  }

  private deploymentOf(
    workload: Simulated,
    { observedGeneration, updated, ready }: { observedGeneration: number; updated: number; ready: number },
  ): Workload {
    const { behaviour, name, namespace: of, value, restarted, ownDeadlineSeconds } = workload;
    const wanted = this.wantedOf(workload);
    const isLate =
      restarted !== undefined && this.now >= restarted + ownDeadlineSeconds && updated + ready < 2 * wanted;
    const paused = behaviour === 'paused' || (behaviour === 'paused-later' && restarted !== undefined);
    return deployment(name, {
      namespace: of,
      value,
      spec: {
        replicas: wanted,
        paused,
        progressDeadlineSeconds: ownDeadlineSeconds,
        template: {},
        strategy: { type: 'Recreate' },
      },
      status: {
        observedGeneration,
        replicas: WANTED,
        updatedReplicas: updated,
        availableReplicas: ready,
        conditions: isLate ? [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded', message: 'too slow' }] : [],
      },
    });
  }
}
