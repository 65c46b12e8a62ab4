import type { Problem } from '../../../kubernetes/findings/problem';

/** Reports where an extension does not know the namespace of its control plane. */
export function checkControlPlaneNamespace({
  linkerdNamespace,
}: {
  readonly linkerdNamespace: string | undefined;
}): readonly Problem[] {
  if (linkerdNamespace) return [];
  return [
    {
      code: 'control-plane-namespace-missing',
      about: 'values.linkerdNamespace',
      what: `values.linkerdNamespace is ${JSON.stringify(linkerdNamespace ?? null)}`,
      why: 'It would not find the control plane, and the roles that it needs there would not be in its namespace',
      fix: 'set linkerdNamespace to the namespace of the control plane, such as "linkerd"',
    },
  ];
}
