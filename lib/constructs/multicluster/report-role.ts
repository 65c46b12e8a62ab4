import type { Construct } from 'constructs';
import type { Role, RoleBinding } from '../../../imports/kubernetes';
import { REPORT_RULES } from '../../../operator/api/rbac/exchange';
import { MEMBER_CONFIG_MAP } from '../../../operator/api/trust-anchor';
import { manifest } from '../../gitops/tree/manifest';

/** Lets the accounts of other clusters read this cluster's report on a shared trust anchor, and nothing else there. */
export function addReportRole(
  scope: Construct,
  certManagerNamespace: string,
  accounts: readonly { readonly namespace: string; readonly name: string }[],
): void {
  if (accounts.length === 0) return;
  const metadata = { name: MEMBER_CONFIG_MAP, namespace: certManagerNamespace };
  manifest(scope, 'role', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata,
    rules: REPORT_RULES.map(({ apiGroups, resources, resourceNames = [], verbs }) => ({
      apiGroups: [...apiGroups],
      resources: [...resources],
      resourceNames: [...resourceNames],
      verbs: [...verbs],
    })),
  } satisfies Role);
  manifest(scope, 'role-binding', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: MEMBER_CONFIG_MAP },
    subjects: accounts.map((account) => ({ kind: 'ServiceAccount', ...account })),
  } satisfies RoleBinding);
}
