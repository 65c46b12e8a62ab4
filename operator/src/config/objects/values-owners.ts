import type { ManagedFieldsEntry } from '../../runtime/objects/kube-object';
import { VALUES_KEY } from './linkerd-config';

/** The last writers of the values of a ConfigMap, as the API server keeps them. */
export interface ValuesOwners {
  readonly ours: boolean;
  /** The field managers of others. None where nothing is known. */
  readonly others: readonly string[];
}

/** @param fieldManager - the name under which we write */
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
