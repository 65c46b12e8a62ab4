import { isClusterScoped } from '#linkerd/api-groups';
import type { ClusterInventory, FolderInventory } from '../synth/inventory';
import { groupKind, kindOf } from './group-kind';

/**
 * A namespace of a cluster to which a project may deploy. The cluster is given by its name or by the URL of its API
 * server.
 */
export interface Destination {
  readonly namespace: string;
  readonly name?: string;
  readonly server?: string;
}

/** A namespaced kind that a project may deploy. */
export interface NamespacedResource {
  /** API group without a version; empty for the core group. */
  readonly group: string;
  readonly kind: string;
}

/** A cluster-scoped kind that a project may deploy; with a name, only the object of exactly that name. */
export interface ClusterResource extends NamespacedResource {
  readonly name?: string;
}

/** Returns all deployed kinds, as `group/Kind`. */
export function deployedKinds(inventories: readonly ClusterInventory[]): ReadonlySet<string> {
  const folders = foldersIn(inventories);
  return new Set([
    ...folders.flatMap(({ objects }) => objects.map(kindOf)),
    ...folders.flatMap(({ charts }) => charts.flatMap(({ kinds }) => kinds)),
  ]);
}

/**
 * Returns the deployed cluster-scoped objects: by kind if a chart renders the kind, otherwise by name. A project that
 * may write any Namespace could remove the label that exempts kube-system from the mesh.
 */
export function clusterResources(inventories: readonly ClusterInventory[]): readonly ClusterResource[] {
  const folders = foldersIn(inventories);
  const fromCharts = new Set<string>(
    folders.flatMap(({ charts }) => charts.flatMap(({ kinds }) => kinds)).filter(isGlobal),
  );
  const names = new Map<string, Set<string>>([...fromCharts].map((kind) => [kind, new Set()]));
  const unbound = folders.flatMap(({ objects }) => objects.filter(({ namespace }) => namespace === undefined));
  for (const object of unbound) {
    const kind = kindOf(object);
    if (!isGlobal(kind) || fromCharts.has(kind)) continue;
    const known = names.get(kind) ?? new Set();
    names.set(kind, known.add(object.name));
  }
  return sorted(names.keys()).flatMap((kind): readonly ClusterResource[] => {
    const known = sorted(names.get(kind) ?? []);
    return known.length > 0 ? known.map((name) => ({ ...groupKind(kind), name })) : [groupKind(kind)];
  });
}

/**
 * Returns the deployed namespaced kinds; with `children`, also those that controllers create for them: Argo CD shows no
 * objects, and no logs, of kinds that their project does not permit.
 */
export function namespacedResources(
  inventories: readonly ClusterInventory[],
  children: boolean,
): readonly NamespacedResource[] {
  const kinds = deployedKinds(inventories);
  const all = new Set([...kinds, ...(children ? childKinds(kinds) : [])]);
  return sorted(all)
    .filter((kind) => !isGlobal(kind))
    .map(groupKind);
}

/** Returns the namespaces that the output writes to, by cluster; clusters of a fleet are given by their names. */
export function destinations(inventories: readonly ClusterInventory[], fleet: boolean): readonly Destination[] {
  return inventories.flatMap(({ name, destination, folders }) =>
    sorted(new Set(folders.flatMap(namespacesOf))).map((namespace) => ({
      ...(fleet ? { name } : destination),
      namespace,
    })),
  );
}

function namespacesOf({ namespace, objects, charts }: FolderInventory): readonly string[] {
  return [
    namespace,
    ...objects.flatMap((object) => object.namespace ?? []),
    ...charts.flatMap(({ foreignNamespaces }) => foreignNamespaces),
  ];
}

function foldersIn(inventories: readonly ClusterInventory[]): readonly FolderInventory[] {
  return inventories.flatMap(({ folders }) => folders);
}

function isGlobal(kind: string): boolean {
  const { group, kind: name } = groupKind(kind);
  return isClusterScoped({ apiVersion: `${group}/v1`, kind: name });
}

function sorted(texts: Iterable<string>): readonly string[] {
  return [...texts].sort();
}

/** The kinds that Argo CD shows as children of a kind: by an ownerReference, or by a rule of Argo CD. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  '/Service': ['/Endpoints', 'discovery.k8s.io/EndpointSlice'],
  'apps/DaemonSet': ['apps/ControllerRevision', '/Pod'],
  'apps/Deployment': ['apps/ReplicaSet', '/Pod'],
  'apps/StatefulSet': ['apps/ControllerRevision', '/Pod', '/PersistentVolumeClaim'],
  'batch/CronJob': ['batch/Job', '/Pod'],
  'batch/Job': ['/Pod'],
  'cert-manager.io/Certificate': ['cert-manager.io/CertificateRequest'],
  'trust.cert-manager.io/Bundle': ['/ConfigMap'],
};

function childKinds(kinds: Iterable<string>): readonly string[] {
  return [...kinds].flatMap((kind) => CHILDREN[kind] ?? []);
}
