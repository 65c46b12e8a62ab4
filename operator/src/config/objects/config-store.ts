import type { KubeClient } from '#controller-runtime/client/kube-client';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import { baselineName } from '#operator/api/linkerd-config';
import type { ConfigMap, LinkerdConfig } from './linkerd-config';

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
