import type { RotationUnit } from '../rotation';
import type { RbacRule } from './rule';

/** A unit, and the Secrets of its Certificates. */
export interface PermittedUnit extends RotationUnit {
  readonly secrets: readonly string[];
}

/** The permissions of `rotate` in one namespace. */
export interface RotationRole {
  readonly namespace: string;
  readonly rules: readonly Omit<RbacRule, 'scope'>[];
}

/** Returns the permissions to rotate these units: only for the named objects, and without `list`. */
export function rotationRoles(units: readonly PermittedUnit[]): readonly RotationRole[] {
  const namespaces = [...new Set(units.map(({ namespace }) => namespace))];
  return namespaces.map((namespace) => ({
    namespace,
    rules: rulesFor(units.filter((unit) => unit.namespace === namespace)),
  }));
}

function rulesFor(units: readonly PermittedUnit[]): RotationRole['rules'] {
  const certificates = sorted(units.flatMap((unit) => unit.certificates));
  const trustRoots = sorted(units.flatMap((unit) => unit.trustRoots ?? []));
  return [
    {
      apiGroups: ['cert-manager.io'],
      resources: ['certificates'],
      resourceNames: certificates,
      verbs: ['get'],
      why: 'to find the Secret of a Certificate, and to wait until it is issued',
    },
    {
      apiGroups: ['cert-manager.io'],
      resources: ['certificates/status'],
      resourceNames: certificates,
      verbs: ['patch'],
      why: 'to ask cert-manager for a new certificate, by the condition Issuing',
    },
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: sorted(units.flatMap((unit) => unit.secrets)),
      verbs: ['get'],
      why: 'to verify that the certificate is new and matches its key, before pods restart with them',
    },
    ...(trustRoots.length === 0
      ? []
      : [
          {
            apiGroups: [''],
            resources: ['configmaps'],
            resourceNames: trustRoots,
            verbs: ['get'],
            why: 'to verify that the new issuer chains to an anchor of identity, which would not start otherwise',
          } as const,
        ]),
    {
      apiGroups: ['apps'],
      resources: ['deployments'],
      resourceNames: sorted(units.map(({ deployment }) => deployment)),
      verbs: ['get', 'patch'],
      why: 'to restart the pods that hold the old certificate in memory, and to follow their rollout',
    },
    {
      apiGroups: [''],
      resources: ['events'],
      verbs: ['create', 'patch'],
      why: 'to report in Events of the Certificate or Deployment why a rotation stopped, and how often',
    },
  ];
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
