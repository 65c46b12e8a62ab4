import type { KubeClient } from '#controller-runtime/client/kube-client';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import type { ManagedFieldsEntry } from '#controller-runtime/objects/kube-object';
import { baselineName } from '#operator/api/linkerd-config';
import { type ConfigMap, type LinkerdConfig, VALUES_KEY } from './linkerd-config';

/** The control plane's ConfigMap and that of the baseline, as they are now. */
export interface ConfigMaps {
  readonly configMap: ConfigMap | undefined;
  readonly baseline: ConfigMap | undefined;
}

/** Reads both from the API server: they decide what is written, so a cache is not enough. */
export async function readConfigMaps(
  client: Pick<KubeClient, 'get'>,
  { controlPlaneNamespace, configMapName }: LinkerdConfig['spec'],
  signal?: AbortSignal,
): Promise<ConfigMaps> {
  const read = (name: string) => client.get<ConfigMap>(CONFIG_MAPS, `${controlPlaneNamespace}/${name}`, { signal });
  const reads = [read(configMapName), read(baselineName(configMapName))] as const;
  // If both fail, the first error is always reported.
  await Promise.allSettled(reads);
  return { configMap: await reads[0], baseline: await reads[1] };
}

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
