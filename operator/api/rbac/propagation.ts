import { INJECTOR_DEPLOYMENT } from '../names';
import type { RbacRule } from './rule';

/** The permissions for propagating a configuration to proxies. */
export const PROPAGATION_RULES: readonly RbacRule[] = [
  {
    scope: 'cluster',
    apiGroups: [''],
    resources: ['namespaces'],
    verbs: ['list', 'watch'],
    why: 'To find the namespaces that the injector ignores.',
  },
  {
    scope: 'cluster',
    perNamespace: true,
    apiGroups: [''],
    resources: ['pods'],
    verbs: ['list', 'watch'],
    why: 'To find the pods that follow the configuration.',
  },
  {
    scope: 'cluster',
    perNamespace: true,
    apiGroups: ['apps'],
    resources: ['replicasets'],
    verbs: ['list', 'watch'],
    why: 'To find the Deployment that a pod belongs to.',
  },
  {
    scope: 'cluster',
    perNamespace: true,
    apiGroups: ['apps'],
    resources: ['daemonsets', 'deployments', 'statefulsets'],
    verbs: ['list', 'watch', 'patch'],
    why: 'To restart workloads by an annotation of their pod templates, and to follow their rollouts.',
  },
  {
    scope: 'cluster',
    perNamespace: true,
    apiGroups: ['argoproj.io'],
    resources: ['rollouts'],
    verbs: ['list', 'watch', 'patch'],
    why: "To restart Argo Rollouts' workloads. Requested only if the cluster has any.",
  },
  {
    scope: 'cluster',
    perNamespace: true,
    apiGroups: ['policy'],
    resources: ['poddisruptionbudgets'],
    verbs: ['list', 'watch'],
    why: 'To restart only workloads that may be disrupted now.',
  },
  {
    scope: 'control-plane',
    apiGroups: ['apps'],
    resources: ['deployments'],
    resourceNames: [INJECTOR_DEPLOYMENT],
    verbs: ['get'],
    why: 'To verify, just before a restart, that the injector has not changed since the decision.',
  },
];
