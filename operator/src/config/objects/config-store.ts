import { baselineName } from '../../../api/linkerd-config';
import type { KubeClient } from '../../runtime/client/kube-client';
import { CONFIG_MAPS } from '../../runtime/objects/built-in-resources';
import type { ConfigMap, LinkerdConfig } from './linkerd-config';

/** The control plane's ConfigMap and the one that keeps the baseline, as they are now. */
export interface ConfigMaps {
  readonly configMap: ConfigMap | undefined;
  readonly baseline: ConfigMap | undefined;
}

/** Reads both from the API server: what they say decides what is written, so that a cache would not do. */
export async function readConfigMaps(
  client: Pick<KubeClient, 'get'>,
  { controlPlaneNamespace, configMapName }: LinkerdConfig['spec'],
  signal?: AbortSignal,
): Promise<ConfigMaps> {
  const read = (name: string) => client.get<ConfigMap>(CONFIG_MAPS, `${controlPlaneNamespace}/${name}`, { signal });
  const reads = [read(configMapName), read(baselineName(configMapName))] as const;
  // Where both fail, it is always the first that is told.
  await Promise.allSettled(reads);
  return { configMap: await reads[0], baseline: await reads[1] };
}
