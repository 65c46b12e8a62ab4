import { MEMBER_CONFIG_MAP, memberCopyName } from '#anchor/trust-anchor';
import type { RbacRule } from './rule';

/** The permission of another cluster's account to read this cluster's report on the shared trust anchor. */
export const REPORT_RULES: readonly RbacRule[] = [
  {
    scope: 'cert-manager',
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: [MEMBER_CONFIG_MAP],
    verbs: ['get'],
    why: "To read this cluster's report on the shared trust anchor, which holds no secrets.",
  },
];

/** Returns the permissions for copying another cluster's report. None reads a Secret: the kubeconfig is mounted. */
export function exchangeRules(member: string): readonly RbacRule[] {
  return [
    {
      scope: 'cert-manager',
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: [memberCopyName(member)],
      verbs: ['get', 'create', 'patch'],
      why: "To read the copy of the other cluster's report, and to write it if it is outdated.",
    },
  ];
}
