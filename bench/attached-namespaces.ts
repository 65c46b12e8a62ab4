import type { Cluster } from '#test/support/cluster/cluster';
import { customResourceDefinition } from '#test/support/cluster/crds';
import { annotate, cniConfigMap } from '#test/support/operator/network-fixture';
import type { OperatorInstallation } from '#test/support/operator/operator-installation';
import { installation } from './operators';

/** The namespaces that the benchmarks attach with Multus and detach. */
export const NAMESPACES: readonly string[] = Array.from({ length: 500 }, (_, index) => `bench-${index}`);

/** Number of the control plane's own networks, which always exist. */
export const OWN_NETWORKS = 1;

const WRITERS = 16;
const POLL_MS = 50;

/** Installs what the operator needs, except the namespaces. */
export async function prepare(cluster: Cluster): Promise<OperatorInstallation> {
  await cluster.apply(customResourceDefinition('k8s.cni.cncf.io', 'NetworkAttachmentDefinition'));
  const installed = await installation(cluster);
  await cluster.apply(cniConfigMap(installed.cniNamespace, { 'proxy-uid': 2102 }));
  return installed;
}

export async function createNamespaces(cluster: Cluster): Promise<void> {
  await forEachNamespace((name) => cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
}

/** Attaches all namespaces with Multus, or detaches them with `null`. */
export async function annotateAll(cluster: Cluster, multus: 'enabled' | null): Promise<void> {
  const annotations = { 'linkerd.io/multus': multus, 'linkerd.io/inject': 'enabled' };
  await forEachNamespace((name) => annotate(cluster, name, annotations));
}

/** Waits until the cluster has `count` networks. */
export async function networksCounted(cluster: Cluster, count: number): Promise<void> {
  while ((await countNetworks(cluster)) !== count) await pause(POLL_MS);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function forEachNamespace(act: (name: string) => Promise<unknown>): Promise<void> {
  const rest = [...NAMESPACES];
  const write = async (): Promise<void> => {
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) await act(name);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** Returns the number of networks, from a list of one item that costs the API server little. */
async function countNetworks(cluster: Cluster): Promise<number> {
  const path = '/apis/k8s.cni.cncf.io/v1/network-attachment-definitions';
  const list = await cluster.request({ method: 'GET', path, query: { limit: '1' } });
  const { items, metadata } = list as { items: readonly unknown[]; metadata: { remainingItemCount?: number } };
  return items.length + (metadata.remainingItemCount ?? 0);
}
