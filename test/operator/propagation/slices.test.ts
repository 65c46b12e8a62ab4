import { createHash } from 'node:crypto';
import { DEPLOYMENT_RULES } from '#operator/src/propagation/kinds/deployment';
import { slimPod } from '#operator/src/propagation/objects/pod';
import type { ClusterView } from '#operator/src/propagation/plan/cluster-view';
import { planInSlices } from '#operator/src/propagation/plan/plan';
import type { PropagationPlan } from '#operator/src/propagation/plan/propagation-plan';
import { SLICE } from '#operator/src/propagation/plan/survey';
import {
  budget,
  clusterView,
  deployment,
  HASH,
  ownerOf,
  pod,
  replicaSetOf,
} from '../../support/operator/propagation-objects';
import { planPropagation } from './plan-propagation';

const DEPLOYMENTS = 2_000;
const PODS = 5_000;
const NOW = new Date('2026-11-21T10:00:00Z');
const TARGET = { configHash: HASH, maxUnavailableWorkloads: 1, progressDeadlineSeconds: 600 };

/** Many workloads in one namespace. A restart of each disrupts a pod, which its budget does not allow. */
function crowd(): ClusterView {
  const spec = { replicas: 3, strategy: { rollingUpdate: { maxUnavailable: 1 } }, template: {} };
  const workloads = Array.from({ length: DEPLOYMENTS }, (_, index) => deployment(`web-${index}`, { spec }));
  const sets = workloads.map(replicaSetOf);
  const pods = Array.from({ length: PODS }, (_, index) => {
    const [owner, set] = [workloads[index % DEPLOYMENTS], sets[index % DEPLOYMENTS]];
    if (owner === undefined || set === undefined) throw new Error('there are too few');
    return pod(`pod-${index}`, { owner: ownerOf(set), labels: { app: owner.metadata.name } });
  });
  const budgets = workloads.map(({ metadata: { name } }) => budget(name, name, 0));
  return clusterView({ workloads, replicaSets: sets, pods, budgets });
}

/** The same objects, with a call of `note` for each property that is read. */
function noting<T extends object>(objects: readonly T[], note: (object: T) => void): readonly T[] {
  return objects.map(
    (object) =>
      new Proxy(object, {
        get: (target, key) => {
          note(object);
          return Reflect.get(target, key);
        },
      }),
  );
}

test('a plan for thousands of objects yields after a limited number of each kind', () => {
  const view = crowd();
  const touched = [new Set<object>(), new Set<object>(), new Set<object>()] as const;
  const [pods, workloads, sets] = touched;
  const noted = {
    ...view,
    pods: noting(view.pods, (object) => void pods.add(object)),
    workloads: noting(view.workloads, (object) => void workloads.add(object)),
    replicaSets: noting(view.replicaSets, (object) => void sets.add(object)),
    // With budgets, the last step checks each candidate workload.
    budgets: [],
  };
  const largest = [0, 0, 0];
  const slices = planInSlices(noted, TARGET, NOW);
  let step: IteratorResult<void, PropagationPlan>;
  do {
    for (const set of touched) set.clear();
    step = slices.next();
    for (const [index, { size }] of touched.entries()) largest[index] = Math.max(largest[index] ?? 0, size);
  } while (!step.done);
  expect(Math.max(...largest)).toBeLessThanOrEqual(SLICE);
  expect(step.value).toEqual(planPropagation({ ...view, budgets: [] }, TARGET, NOW));
  expect(step.value.actions).toHaveLength(1);
});

test('the planner checks each budget against its candidate pods instead of all pods of its namespace', () => {
  const view = crowd();
  let reads = 0;
  const budgets = noting(view.budgets, () => {
    reads += 1;
  });
  const plan = planPropagation({ ...view, budgets }, TARGET, NOW);
  expect(plan.actions).toEqual([]);
  expect(plan.report.progressing.message).toContain('PodDisruptionBudget web-0 allows 0 disruptions');
  // About a dozen reads for each. All pairs would need four million.
  expect(reads).toBeLessThan(20 * DEPLOYMENTS);
});

test('metadata that a tenant writes on an object do not fill the cache', () => {
  const long = createHash('sha512').update('x').digest('hex').repeat(2_000);
  const annotations = { 'linkerd.io/inject': long, 'cdk8s-linkerd/config': long, other: long };
  const env = [{ name: 'LONG', value: long }];
  const full = pod('a', { labels: { app: 'a' } });
  const container = { name: 'linkerd-proxy', image: long, env } as { name: string };
  const kept = slimPod({
    ...full,
    metadata: { ...full.metadata, annotations, managedFields: [{ manager: long }] },
    spec: { containers: [container] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', message: long } as never] },
  });
  expect(JSON.stringify(kept).length).toBeLessThan(1_000);
  const web = deployment('web');
  const template = { metadata: { annotations }, spec: { containers: [container] } };
  const slim = DEPLOYMENT_RULES.slim({
    ...web,
    metadata: { ...web.metadata, annotations, labels: { long } },
    spec: { ...web.spec, template },
  });
  expect(JSON.stringify(slim).length).toBeLessThan(1_000);
});
