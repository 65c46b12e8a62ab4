import type { ClusterInventory, FolderInventory, ObjectIdentity } from '#lib/gitops/synth/inventory';
import type { GroupKindName, PinnedChart } from '#linkerd/charts/pinned-chart';

export const DEFINITION = 'apiextensions.k8s.io/CustomResourceDefinition';

/** A chart that renders given kinds. */
export function chart(kinds: readonly GroupKindName[], foreignNamespaces: readonly string[] = []): PinnedChart {
  return {
    name: 'chart',
    version: '1.0.0',
    repository: 'https://charts.example.com',
    valuesOf: 'v1.0.0',
    kinds,
    foreignNamespaces,
  };
}

/** A folder. Default: without charts and objects. */
export function folder(namespace: string, content: Partial<FolderInventory> = {}): FolderInventory {
  return { namespace, stage: 0, charts: [], objects: [], ...content };
}

/** A cluster with a unique destination. */
export function cluster(name: string, ...folders: readonly FolderInventory[]): ClusterInventory {
  return { name, destination: { server: `https://${name}.example.com:6443` }, folders };
}

/** An object of the core group. */
export function object(kind: string, name: string, namespace?: string): ObjectIdentity {
  return { apiVersion: 'v1', kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** Returns the paths of all folders below `dist`. */
export function paths(...clusters: readonly ClusterInventory[]): readonly string[] {
  return clusters.flatMap(({ name, folders }) => folders.map(({ namespace }) => `dist/${name}/${namespace}`));
}
