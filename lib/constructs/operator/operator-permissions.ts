import type { ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ServiceAccount } from '../../../imports/kubernetes';
import { manifest } from '../../gitops/tree/manifest';
import { PreparedConstruct } from '../../gitops/tree/prepare';
import { OPERATOR, OPERATOR_LABELS } from './operator-names';
import { type OperatorPlaces, operatorRbac, operatorRules } from './operator-rbac';

/**
 * Adds the operator's service account and what it may do, and returns the latter. A namespace for cert-manager means that
 * it rotates the trust anchor.
 *
 * @param attaches tells, at synth, whether the operator attaches pods by Multus
 */
export function addPermissions(scope: Construct, places: OperatorPlaces, attaches: () => boolean): Construct {
  manifest(scope, 'service-account', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: OPERATOR, namespace: places.operator, labels: OPERATOR_LABELS },
  } satisfies ServiceAccount);
  return new PreparedConstruct(scope, 'permissions', (permissions) => {
    for (const object of operatorRbac(operatorRules(attaches(), places.certManager !== undefined), places)) {
      manifest(permissions, objectId(object), object as ApiObjectProps);
    }
  });
}

/** An object as far as its id in the construct tree follows from it. */
interface Named {
  readonly kind: string;
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

/** The id of an object's construct, by which no two objects of one scope are alike. */
export function objectId({ kind, metadata: { namespace, name } = {} }: Named): string {
  return [kind, namespace, name]
    .filter((part) => part !== undefined)
    .join('-')
    .toLowerCase();
}
