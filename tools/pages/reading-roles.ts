import {
  ARGOCD_LISTS,
  type ClusterListName,
  DOCTOR_LISTS,
  readingRules,
  STATUS_LISTS,
} from '#lib/review/live/observation';
import type { Blocks } from './blocks';

/** The roles with the permissions of the commands that read live clusters. */
export function readingRoles(): Blocks {
  return {
    'status-role': role('status', [...STATUS_LISTS, ...ARGOCD_LISTS]),
    'doctor-role': role('doctor', DOCTOR_LISTS),
  };
}

function role(command: string, lists: readonly ClusterListName[]): string {
  const rules = readingRules(lists).flatMap(({ apiGroups, resources, verbs }) => [
    `  - apiGroups: [${apiGroups.map((group) => (group === '' ? '""' : group)).join(', ')}]`,
    `    resources: [${resources.join(', ')}]`,
    `    verbs: [${verbs.join(', ')}]`,
  ]);
  const head = ['apiVersion: rbac.authorization.k8s.io/v1', 'kind: ClusterRole', 'metadata:'];
  return ['```yaml', ...head, `  name: cdk8s-linkerd-${command}`, 'rules:', ...rules, '```'].join('\n');
}
