import { violationOf } from '../../../operator/api/kubernetes/violation';
import type { Problem } from '../../kubernetes/findings/problem';
import type { Values } from '../../kubernetes/values';

/** Refuses values by which a chart would make a PodSecurityPolicy. */
export function checkPodSecurityPolicy(values: Values): readonly Problem[] {
  if (values.enablePSP !== true) return [];
  return [
    {
      code: 'pod-security-policy-unsupported',
      violates: violationOf('value', 'enablePSP'),
      about: 'values.enablePSP',
      what: 'values.enablePSP is true',
      why: 'Kubernetes has no PodSecurityPolicy since 1.25, so that the sync fails on an unknown kind',
      fix: 'remove enablePSP: the namespaces carry the labels of the Pod Security Standards',
    },
  ];
}
