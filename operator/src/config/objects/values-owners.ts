import type { ManagedFieldsEntry } from '#controller-runtime/objects/kube-object';
import { VALUES_KEY } from './linkerd-config';

/** The last writers of the values of a ConfigMap, from the API server's records. */
export interface ValuesOwners {
  readonly ours: boolean;
  /** Other field managers. Empty if unknown. */
  readonly others: readonly string[];
}

/** @param fieldManager - the operator's own */
export function valuesOwners(
  managedFields: readonly ManagedFieldsEntry[] | undefined,
  fieldManager: string,
): ValuesOwners {
  const owners = (managedFields ?? [])
    .filter((entry) => entry.subresource === undefined || entry.subresource === '')
    .filter(({ fieldsV1 }) => hasValues(fieldsV1?.['f:data']))
    .map(({ manager }) => manager ?? 'unknown');
  return {
    ours: owners.includes(fieldManager),
    others: [...new Set(owners.filter((manager) => manager !== fieldManager))],
  };
}

function hasValues(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, `f:${VALUES_KEY}`);
}
