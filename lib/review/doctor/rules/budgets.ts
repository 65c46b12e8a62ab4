import { LabelIndex } from '#base/label-index';
import { itemsOf } from '../../live/observation';
import type { ObservedPod } from '../../live/pods';
import type { ObservedBudget } from '../../live/workloads';
import { named, workloadId } from '../../status/finding';
import { type DoctorInput, doctorFact, type Fact } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { namespacesOf, workloadOfPod } from '../mesh';

/** Checks for budgets that permit no eviction while a drain, or a restart by the operator, waits for it. */
export function checkBudgets(input: DoctorInput): readonly Fact[] {
  const closed = new Set((itemsOf(input.seen.nodes) ?? []).filter((one) => one.isCordoned).map(({ name }) => name));
  const restarting = waitingFor(input);
  const ofMesh = namespacesOf(input.mesh);
  // Neither a drain nor the operator evicts other pods.
  const waiting = new LabelIndex(
    (itemsOf(input.seen.pods) ?? []).filter((pod) => {
      const isDrained = closed.has(pod.node ?? '') && ofMesh.has(pod.namespace);
      return !pod.isOver && (isDrained || restarting.has(workloadId(pod)));
    }),
  );
  return (itemsOf(input.seen.budgets) ?? []).flatMap((budget) => {
    if (budget.allowed > 0 || budget.expected === 0) return [];
    const pods = waiting.select(budget.namespace, budget.selector);
    const drained = ofMesh.has(budget.namespace) ? pods.filter(({ node = '' }) => closed.has(node)) : [];
    const restarted = pods.filter((pod) => restarting.has(workloadId(pod)));
    return [
      ...(drained.length === 0 ? [] : [blocked(budget, drained, 'drain', input)]),
      ...(restarted.length === 0 ? [] : [blocked(budget, restarted, 'restart', input)]),
    ];
  });
}

/** Returns the workloads that the operator still restarts: `shop/Deployment/web`. */
function waitingFor({ seen }: DoctorInput): ReadonlySet<string> {
  const laggards = (itemsOf(seen.trustAnchors) ?? []).flatMap((one) => one.laggards?.workloads ?? []);
  const held = (itemsOf(seen.configs) ?? []).flatMap(({ inProgress, passedBy }) => [
    ...inProgress,
    ...passedBy.workloads,
  ]);
  return new Set([...laggards, ...held]);
}

function blocked(
  { namespace, name, healthy, wanted, since }: ObservedBudget,
  pods: readonly ObservedPod[],
  what: 'drain' | 'restart',
  { kubectl }: DoctorInput,
): Fact {
  const ids = pods.map(workloadOfPod);
  const parameters = { budget: `${namespace}/${name}`, workloads: named(ids), kubectl, namespace, name };
  const nodes = named(pods.map(({ node = '' }) => node));
  const problem =
    what === 'drain'
      ? DOCTOR_FINDINGS.evictionBlockedDrain({ ...parameters, nodes })
      : DOCTOR_FINDINGS.evictionBlockedRestart(parameters);
  const breaks = what === 'drain' ? {} : { eviction: ids };
  const evidence = [`healthy pods: ${healthy}, required: ${wanted}`];
  return doctorFact(problem, { since, breaks, needs: { workload: ids, start: ids }, evidence });
}
