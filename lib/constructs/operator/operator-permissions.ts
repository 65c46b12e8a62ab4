import type { ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ServiceAccount } from '#imports/kubernetes';
import { manifest } from '../../gitops/tree/manifest';
import { PreparedConstruct } from '../../gitops/tree/prepare';
import { OPERATOR, OPERATOR_LABELS } from './operator-names';
import { type OperatorPlaces, operatorRbac, operatorRules } from './operator-rbac';

/** The parts that need permissions, evaluated at synth. */
interface OperatorParts {
  readonly attaches: () => boolean;
  readonly answersRequests: () => boolean;
  readonly certifies: () => readonly string[];
}

/**
 * Adds the operator's service account and its permissions, and returns the permissions. The operator rotates the trust
 * anchor if `places` has a namespace of cert-manager.
 */
export function addPermissions(
  scope: Construct,
  places: OperatorPlaces,
  { attaches, answersRequests, certifies }: OperatorParts,
): Construct {
  manifest(scope, 'service-account', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: OPERATOR, namespace: places.operator, labels: OPERATOR_LABELS },
  } satisfies ServiceAccount);
  return new PreparedConstruct(scope, 'permissions', (permissions) => {
    const rules = operatorRules(attaches(), places.certManager !== undefined, answersRequests(), certifies());
    for (const object of operatorRbac(rules, places)) {
      manifest(permissions, objectId(object), object as ApiObjectProps);
    }
  });
}

interface Named {
  readonly kind: string;
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

/** Returns the id of an object's construct, unique in its scope. */
export function objectId({ kind, metadata: { namespace, name } = {} }: Named): string {
  return [kind, namespace, name]
    .filter((part) => part !== undefined)
    .join('-')
    .toLowerCase();
}
