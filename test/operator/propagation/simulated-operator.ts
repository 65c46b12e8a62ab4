import { writtenObjects } from '#operator/src/propagation/caches/workload-caches';
import { rulesOf, type Workload } from '#operator/src/propagation/kinds/workload';
import type { ClusterView } from '#operator/src/propagation/plan/cluster-view';
import type { PropagationPlan, PropagationTarget } from '#operator/src/propagation/plan/propagation-plan';
import { runActions } from '#operator/src/propagation/run-actions';
import { planPropagation } from './plan-propagation';
import type { SimulatedCluster } from './simulated-cluster';

export const MAX_UNAVAILABLE = 1;

/** The parts of the cluster that an operator watches separately. Each watch may lag. */
export const WATCHES = ['pods', 'workloads', 'injector', 'injectorPods'] as const;

type View = Omit<ClusterView, 'rejections'>;

class Crash extends Error {}

/** One process of the operator, with caches of any age. */
export class SimulatedOperator {
  private seen: View;
  private ours = writtenObjects<Workload>();
  private target: Pick<PropagationTarget, 'configHash' | 'previous'>;

  constructor(private readonly cluster: SimulatedCluster) {
    this.seen = cluster.view();
    this.target = { configHash: cluster.config, previous: cluster.status };
  }

  /** Updates one cache. */
  see(watch: (typeof WATCHES)[number]): void {
    this.seen = { ...this.seen, [watch]: this.cluster.view()[watch] };
  }

  /** Updates all caches. */
  seeAll(): void {
    this.seen = this.cluster.view();
    this.readConfig();
  }

  /** Reads the LinkerdConfig. */
  readConfig(): void {
    this.target = { configHash: this.cluster.config, previous: this.cluster.status };
  }

  plan(): PropagationPlan {
    const workloads = this.ours.over(this.seen.workloads);
    const injector = workloads.find(({ metadata }) => metadata.name === this.seen.injector?.metadata.name);
    const view = { ...this.seen, workloads, injector: injector as View['injector'], rejections: new Map() };
    const limits = { adoptedHash: 'config0', maxUnavailableWorkloads: MAX_UNAVAILABLE, progressDeadlineSeconds: 1e9 };
    return planPropagation(view, { ...this.target, ...limits }, new Date(this.cluster.now * 1000));
  }

  /** Reconciles once. With `crash`, the process ends after this number of writes, the last of which may be lost. */
  async reconcile(crash?: { readonly writes: number; readonly isLastMade: boolean }): Promise<void> {
    const plan = this.plan();
    const { configHash } = this.target;
    if (crash?.writes === 0) return this.restart();
    this.cluster.status = plan.report.status;
    this.target = { ...this.target, previous: plan.report.status };
    let left = crash?.writes ?? Number.POSITIVE_INFINITY;
    const count = (isDying: boolean) => () => {
      if (isDying) left -= 1;
      if (left <= 0 && crash?.isLastMade === !isDying) throw new Crash();
    };
    const client = this.cluster.client(count(true), count(false));
    const written = (_: unknown, object: unknown) => {
      const workload = object as Workload;
      this.ours.add(rulesOf(workload).slim(workload));
    };
    const observer = { written, refused: () => undefined };
    const holdsConfig = async () => this.cluster.config === configHash;
    try {
      await runActions(client, plan.actions, observer, { signal: new AbortController().signal, holdsConfig });
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      this.restart();
    }
  }

  /** Replaces the process with one that has read everything. */
  restart(): void {
    this.ours = writtenObjects();
    this.seeAll();
  }
}
