import { objectKey } from '#controller-runtime/objects/kube-object';
import type { Pod } from '../objects/pod';
import type { OwnedPods } from './owners';

/**
 * The workloads of a namespace that request restarts, as `Kind/name`. The lists of names and of namespaces are limited,
 * so that a status stays small; the counts of listed namespaces are complete.
 */
export interface NamespaceWorkloads {
  readonly namespace: string;
  readonly injected: readonly string[];
  readonly injectedCount: number;
  /** Workloads without a proxy, which have no reason to restart. */
  readonly uninjected: readonly string[];
  readonly uninjectedCount: number;
}

/** Pods that request restarts and have no workload that could restart, as `namespace/name`. */
export interface UnmanagedPods {
  readonly count: number;
  readonly pods: readonly string[];
}

/** Maximum number of workload names in a status, because API objects must stay small. */
const WORKLOADS_LISTED = 500;
const PODS_LISTED = 50;

/** Lists workloads by their namespaces. */
export function namespaceWorkloads({
  managed,
  injected: withProxies,
}: Omit<OwnedPods, 'unmanaged'>): readonly NamespaceWorkloads[] {
  const namespaces = new Map<string, { readonly injected: string[]; readonly uninjected: string[] }>();
  for (const id of [...managed.keys()].sort()) {
    const [namespace = '', ...name] = id.split('/');
    const lists = namespaces.get(namespace) ?? { injected: [], uninjected: [] };
    namespaces.set(namespace, lists);
    lists[withProxies.has(id) ? 'injected' : 'uninjected'].push(name.join('/'));
  }
  let left = WORKLOADS_LISTED;
  const cut = (names: readonly string[]): readonly string[] => {
    const listed = names.slice(0, left);
    left -= listed.length;
    return listed;
  };
  return [...namespaces].slice(0, WORKLOADS_LISTED).map(([namespace, { injected, uninjected }]) => ({
    namespace,
    injected: cut(injected),
    injectedCount: injected.length,
    uninjected: cut(uninjected),
    uninjectedCount: uninjected.length,
  }));
}

/** Counts pods without a workload, and lists the first of them. */
export function unmanagedPods(pods: readonly Pod[]): UnmanagedPods {
  return { count: pods.length, pods: pods.map(objectKey).sort().slice(0, PODS_LISTED) };
}
