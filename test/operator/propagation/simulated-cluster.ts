import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import { CONFIG_ANNOTATION, INJECTION_ANNOTATION } from '#operator/api/names';
import type { ArgoRollout } from '#operator/src/propagation/kinds/argo-rollout';
import type { Workload } from '#operator/src/propagation/kinds/workload';
import type { Pod } from '#operator/src/propagation/objects/pod';
import type { ClusterView } from '#operator/src/propagation/plan/cluster-view';
import type { PropagationStatus } from '#operator/src/propagation/plan/propagation-plan';
import { apiError } from '../../support/controller-runtime/api-error';
import {
  argoRollout,
  daemonSet,
  deployment,
  injector,
  namespace,
  ownerOf,
  pod,
  replicaSetOf,
  statefulSet,
} from '../../support/operator/propagation-objects';

/** Chooses an index below `count`, driven by the generator of the test. */
export type Choose = (count: number) => number;

type Simulated = Workload & { readonly isInjector?: boolean };

/** A pod with the fields that only the simulation reads. */
interface SimulatedPod {
  readonly id: number;
  readonly template: string | undefined;
  readonly created: number;
  /** The configuration that a pod has, or that an injector injects. */
  readonly config: string;
  terminating: boolean;
}

const REPLICAS = 2;

/**
 * The parts of a cluster that propagation needs: an injector, workloads, their controllers, and an API server with
 * optimistic locks. The caller makes every step. As the worst case, any injector pod that still answers may inject,
 * even while it terminates.
 */
export class SimulatedCluster {
  /** The configuration in the ConfigMap of the control plane. */
  config = 'config0';
  status: Partial<PropagationStatus> = {};
  /** In seconds. */
  now = 1_800_000_000;
  /** The values written to each workload in order, by name. */
  readonly written = new Map<string, string[]>();
  readonly workloads: Simulated[];
  readonly pods = new Map<Simulated['metadata']['name'], SimulatedPod[]>();
  /** Workloads with an incomplete restart, by name. */
  private readonly restarting = new Map<string, string>();
  private versions = 1;

  constructor(private readonly choose: Choose) {
    const spec = { replicas: REPLICAS, selector: { matchLabels: { app: 'linkerd-proxy-injector' } }, template: {} };
    this.workloads = [
      { ...injector(), spec },
      deployment('a', { spec }),
      deployment('b', { spec: { ...spec, strategy: { type: 'Recreate' } } }),
      statefulSet('c', { spec }),
      daemonSet('d'),
      argoRollout('e'),
    ];
    for (const { metadata } of this.workloads) {
      this.pods.set(metadata.name, []);
      for (let i = 0; i < REPLICAS; i += 1) this.create(metadata.name);
      this.updateStatus(metadata.name);
    }
    this.now += 10;
  }

  /**
   * Changes the configuration, but only after the injector restarts for the previous one. Injectors reread the
   * ConfigMap, so that a change before this restart would be lost.
   */
  configure(config: string): void {
    const marked = markOf(this.workload('linkerd-proxy-injector'));
    if (marked === undefined ? this.config === 'config0' : marked.startsWith(`${this.config}.`)) this.config = config;
  }

  /** Returns the view of a watch that is up to date. */
  view(): Omit<ClusterView, 'rejections'> {
    const all = this.workloads.map((workload) => this.podsOf(workload));
    const [injectorPods = [], ...others] = all;
    return structuredClone({
      namespaces: [namespace('shop')],
      pods: others.flat(),
      replicaSets: this.workloads.map(replicaSetOf),
      workloads: this.workloads,
      budgets: [],
      isIncomplete: false,
      injector: this.workloads[0] as ClusterView['injector'],
      injectorPods,
    });
  }

  /** Performs one step of a controller: observes a spec, ends or creates a pod, or removes a terminated one. */
  control(name: string): void {
    const workload = this.workload(name);
    const pods = this.pods.get(name) ?? [];
    const active = pods.filter(({ terminating }) => !terminating);
    const old = active.filter((candidate) => this.isOld(workload, candidate));
    const vanishing = pods.find(({ terminating }) => terminating);
    if (vanishing !== undefined && (active.length === REPLICAS || this.choose(2) === 0)) {
      pods.splice(pods.indexOf(vanishing), 1);
    } else if (active.length < REPLICAS && this.mayCreate(workload, active, old)) this.create(name);
    else if (old[0] !== undefined) old[0].terminating = true;
    this.updateStatus(name);
  }

  /** A node fails, or a client deletes a pod. */
  evict(name: string): void {
    const pods = this.pods.get(name) ?? [];
    const victim = pods[this.choose(pods.length)];
    if (victim !== undefined) victim.terminating = true;
    this.updateStatus(name);
  }

  /** The workloads with an incomplete restart for the injected configuration. */
  inRestart(): readonly string[] {
    return [...this.restarting].filter(([, recorded]) => recorded === this.recorded()).map(([name]) => name);
  }

  /** Returns the configurations of a workload's pods. */
  configsOf(name: string): readonly string[] {
    return (this.pods.get(name) ?? []).filter(({ terminating }) => !terminating).map(({ config }) => config);
  }

  /** The part of the API that executes plans. `beforeWrite` may throw. */
  client(beforeWrite: () => void, afterWrite: () => void): KubeClient {
    const client: Pick<KubeClient, 'get' | 'patch'> = {
      get: async <T extends KubeObject>(_: unknown, key: string) =>
        structuredClone(this.workload(key.slice(key.indexOf('/') + 1))) as unknown as T,
      patch: async <T extends KubeObject>(_: unknown, key: string, { body }: { body: unknown }) => {
        beforeWrite();
        const changed = this.patch(key.slice(key.indexOf('/') + 1), body as MergePatch);
        afterWrite();
        return structuredClone(changed) as unknown as T;
      },
    };
    return client as KubeClient;
  }

  private patch(name: string, { metadata, spec }: MergePatch): Workload {
    const workload = this.workload(name);
    if (metadata.resourceVersion !== workload.metadata.resourceVersion) {
      throw apiError(409, { reason: 'Conflict', message: 'the object has been modified' });
    }
    const recorded = metadata.annotations?.[INJECTION_ANNOTATION];
    const annotations = recorded ? { [INJECTION_ANNOTATION]: recorded } : undefined;
    const value = spec?.restartAt ?? spec?.template?.metadata.annotations[CONFIG_ANNOTATION];
    if (value !== undefined && value !== markOf(workload)) {
      this.written.set(name, [...(this.written.get(name) ?? []), value]);
      this.restarting.set(name, this.recorded() ?? '');
    }
    const keepsAnnotations = metadata.annotations === undefined;
    return this.store({
      ...workload,
      spec: { ...workload.spec, ...spec },
      metadata: {
        ...workload.metadata,
        annotations: keepsAnnotations ? workload.metadata.annotations : annotations,
        generation: (workload.metadata.generation ?? 0) + 1,
      },
    } as Workload);
  }

  private recorded(): string | undefined {
    return this.workload('linkerd-proxy-injector').metadata.annotations?.[INJECTION_ANNOTATION];
  }

  private store(workload: Workload): Workload {
    this.versions += 1;
    const stored = { ...workload, metadata: { ...workload.metadata, resourceVersion: `${this.versions}` } };
    this.workloads[this.workloads.findIndex(({ metadata }) => metadata.name === workload.metadata.name)] = stored;
    return stored;
  }

  private create(name: string): void {
    const template = markOf(this.workload(name));
    const injectors = this.pods.get('linkerd-proxy-injector') ?? [];
    const isInjector = name === 'linkerd-proxy-injector';
    // As with failurePolicy Fail: without an injector, no pods are created.
    if (!isInjector && injectors.length === 0) return;
    const config = isInjector ? this.config : (injectors[this.choose(injectors.length)]?.config ?? '');
    this.versions += 1;
    this.pods.get(name)?.push({ id: this.versions, template, created: this.now, config, terminating: false });
  }

  private mayCreate(
    { kind, metadata }: Workload,
    active: readonly SimulatedPod[],
    old: readonly SimulatedPod[],
  ): boolean {
    // Strategy Recreate: new pods start only after all old ones are gone.
    const gone = (this.pods.get(metadata.name)?.length ?? 0) === active.length && old.length === 0;
    return kind !== 'Deployment' || metadata.name !== 'b' || gone;
  }

  private isOld(workload: Workload, { template, created }: SimulatedPod): boolean {
    if (workload.kind !== 'Rollout') return template !== markOf(workload);
    const { restartAt } = workload.spec;
    return (
      restartAt !== undefined && created * 1000 < Date.parse(restartAt) && this.now * 1000 >= Date.parse(restartAt)
    );
  }

  private updateStatus(name: string): void {
    const workload = this.workload(name);
    const active = (this.pods.get(name) ?? []).filter(({ terminating }) => !terminating);
    const updated = active.filter((candidate) => !this.isOld(workload, candidate)).length;
    const status = { observedGeneration: workload.metadata.generation, ...statusOf(workload, active.length, updated) };
    const isRestarted = workload.kind === 'Rollout' && this.now * 1000 < Date.parse(workload.spec.restartAt ?? '');
    if (isRestarted) return;
    this.store({ ...workload, status } as Workload);
    if (active.length === REPLICAS && updated === REPLICAS) this.restarting.delete(name);
  }

  private podsOf(workload: Workload): Pod[] {
    const { name, namespace: podNamespace } = workload.metadata;
    const isByReplicaSet = workload.kind === 'Deployment' || workload.kind === 'Rollout';
    const owner = ownerOf(isByReplicaSet ? replicaSetOf(workload) : workload);
    return (this.pods.get(name) ?? []).map(({ id, template, created, terminating }) =>
      pod(`${name}-${id}`, {
        namespace: podNamespace,
        owner,
        terminating,
        created: kubeTime(new Date(created * 1000)),
        value: workload.kind === 'Rollout' ? undefined : template,
        labels: { app: name },
      }),
    );
  }

  private workload(name: string): Workload {
    const found = this.workloads.find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw new Error(`There is no workload ${name}`);
    return found;
  }
}

interface MergePatch {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  readonly spec?: {
    readonly restartAt?: string;
    readonly template?: { readonly metadata: { readonly annotations: Readonly<Record<string, string>> } };
  };
}

/** Returns the configuration for which the pods of a workload restart. */
function markOf(workload: Workload): string | undefined {
  if (workload.kind === 'Rollout') return workload.spec.restartAt;
  return workload.spec.template.metadata?.annotations?.[CONFIG_ANNOTATION];
}

function statusOf(workload: Workload, active: number, updated: number): Workload['status'] {
  const isComplete = active === REPLICAS && updated === REPLICAS;
  switch (workload.kind) {
    case 'Deployment':
      return { replicas: active, updatedReplicas: updated, availableReplicas: active };
    case 'StatefulSet':
      return {
        readyReplicas: active,
        updatedReplicas: updated,
        currentRevision: isComplete ? 'b' : 'a',
        updateRevision: 'b',
      };
    case 'DaemonSet':
      return { desiredNumberScheduled: REPLICAS, updatedNumberScheduled: updated, numberAvailable: active };
    case 'Rollout':
      return rolloutStatus(workload, isComplete);
  }
}

function rolloutStatus({ spec, status }: ArgoRollout, isComplete: boolean): ArgoRollout['status'] {
  return isComplete
    ? { phase: 'Healthy', restartedAt: spec.restartAt }
    : { phase: 'Progressing', restartedAt: status?.restartedAt };
}
