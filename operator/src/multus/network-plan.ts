import { isDeepStrictEqual } from 'node:util';
import { MULTUS_ENABLED } from '../../api/multus/annotations';
import { type MeshNamespaces, unattachedNamespaces } from '../../api/multus/unattached-namespaces';
import type { CniConfig } from './cni-config';

/** The state of a namespace that decides about its network. */
export interface ObservedNamespace {
  readonly name: string;
  /** Value of the annotation `linkerd.io/multus`. */
  readonly multus?: string;
  readonly isTerminating: boolean;
  /** Its NetworkAttachmentDefinition `linkerd-cni`. */
  readonly network?: ObservedNetwork;
}

/** The network of a namespace as it is. */
export interface ObservedNetwork {
  /** True if the operator made it. */
  readonly isOurs: boolean;
  /** True if it comes from Git, by MultusAttach. */
  readonly isEmitted?: boolean;
  readonly isTerminating: boolean;
  readonly config: string;
}

/** The plan for a namespace's network; `wait` and `leave` are for somebody else to mend. */
export type NetworkPlan =
  | { readonly action: 'none' }
  | NetworkWrite
  /** The network is wanted, but nobody knows what it should say. */
  | { readonly action: 'wait'; readonly why: string }
  /** Somebody else's network says something else. */
  | { readonly action: 'leave' };

/** A write to the API server. */
export type NetworkWrite =
  | { readonly action: 'create' | 'update'; readonly config: string }
  | { readonly action: 'delete' };

/** Plans what to do so that the namespace has the network if, and only if, it wants it. */
export function planNetwork(namespace: ObservedNamespace, cniConfig: CniConfig, mesh: MeshNamespaces): NetworkPlan {
  const { network } = namespace;
  // Who terminates a namespace deletes what is in it; and nothing can be created beside what is still being deleted.
  if (namespace.isTerminating || network?.isTerminating) return { action: 'none' };
  if (!wantsNetwork(namespace, mesh)) return { action: network?.isOurs || network?.isEmitted ? 'delete' : 'none' };
  if ('problem' in cniConfig) return network ? { action: 'none' } : { action: 'wait', why: cniConfig.problem };
  const { config } = cniConfig;
  if (network === undefined) return { action: 'create', config };
  if (!network.isOurs) return { action: saysTheSame(network.config, config) ? 'none' : 'leave' };
  return network.config === config ? { action: 'none' } : { action: 'update', config };
}

function wantsNetwork({ name, multus }: ObservedNamespace, mesh: MeshNamespaces): boolean {
  if (unattachedNamespaces(mesh).includes(name)) return false;
  return name === mesh.linkerdNamespace || multus === MULTUS_ENABLED;
}

function saysTheSame(theirs: string, ours: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(theirs), JSON.parse(ours));
  } catch {
    return false;
  }
}
