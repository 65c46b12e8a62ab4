import { grouped } from '#base/grouped';
import { isSameValue } from '#base/same-value';
import type { Value } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { type Consequence, consequence } from './catalogue';
import type { ComparedCluster, Pair } from './compared';
import { specOf } from './compared';
import { removalOf } from './removals';

/** The API group of webhooks and policies for admission. */
export const ADMISSION = 'admissionregistration.k8s.io';

const KIND = /^((?:Validating|Mutating)AdmissionPolicy)(Binding)?$/;

/** Returns the consequences for each admission policy. Its bindings decide whether the API server enforces it. */
export function ofAdmission(pairs: readonly Pair[], cluster: ComparedCluster): readonly Consequence[] {
  const changed = pairs.filter(({ before, after }) => !isSameValue(before?.spec as Value, after?.spec as Value));
  const policies = grouped(
    changed.flatMap((pair) => {
      const object = admissionPolicyOf(pair.after ?? pair.before);
      return object === undefined ? [] : [[object, pair] as const];
    }),
  );
  if (policies.size === 0) return [];
  const [before, after] = [cluster.objectsBefore(), cluster.objects()];
  return [...policies].map(([object, pairs]) => {
    const removed = pairs.flatMap((pair) => (pair.after === undefined && pair.before !== undefined ? pair.before : []));
    const outcomes = removed.map((one) => removalOf(one, cluster).outcome);
    const outcome = (['unknown', 'kept', 'deleted'] as const).find((one) => outcomes.includes(one));
    return consequence({
      code: 'admission-policy-changed',
      object,
      before: enforcementOf(object, before),
      after: enforcementOf(object, after),
      ...(outcome === undefined ? {} : { removal: outcome === 'kept' ? 'confirmation' : outcome }),
    });
  });
}

/** Returns the admission policy that an object defines or binds; undefined for other objects. */
export function admissionPolicyOf(object: KubernetesObject | undefined): string | undefined {
  if (object === undefined || apiGroup(object.apiVersion) !== ADMISSION) return undefined;
  const [, kind, binding] = KIND.exec(object.kind) ?? [];
  if (kind === undefined || binding === undefined) return kind === undefined ? undefined : describeObject(object);
  const { policyName } = specOf(object);
  return typeof policyName === 'string' ? `${kind} ${policyName}` : describeObject(object);
}

function enforcementOf(policy: string, objects: readonly KubernetesObject[]): string {
  const all = objects.filter((object) => admissionPolicyOf(object) === policy);
  if (all.length === 0) return 'none';
  const bindings = all.filter(({ kind }) => kind.endsWith('Binding'));
  const actions = bindings.flatMap((binding) => {
    const { validationActions } = specOf(binding);
    return Array.isArray(validationActions) ? validationActions.map(String) : ['mutation'];
  });
  const failures = all.flatMap((object) => {
    const { failurePolicy = 'Fail' } = specOf(object);
    return failurePolicy === 'Fail' ? [] : [`failurePolicy ${failurePolicy}`];
  });
  return [...(bindings.length === 0 ? ['no binding'] : new Set(actions)), ...failures].join(', ');
}
