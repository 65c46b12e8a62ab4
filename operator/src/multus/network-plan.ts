import { isDeepStrictEqual } from 'node:util';
import { MULTUS_ENABLED } from '#linkerd/annotation-values';
import { type MeshNamespaces, unattachedNamespaces } from '../../api/multus/unattached-namespaces';
import type { CniConfig } from './cni-config';

/** The state of a namespace that determines its network. */
export interface ObservedNamespace {
  readonly name: string;
  /** Value of the annotation `linkerd.io/multus`. */
  readonly multus?: string;
  readonly isTerminating: boolean;
  /** Its NetworkAttachmentDefinition `linkerd-cni`. */
  readonly network?: ObservedNetwork;
}

/** The current network of a namespace. */
export interface ObservedNetwork {
  /** True if the operator created it. */
  readonly isOurs: boolean;
  /** True if MultusAttach emitted it, so that its content comes from Git. */
  readonly isEmitted?: boolean;
  readonly isTerminating: boolean;
  readonly config: string;
}

/** The plan for a namespace's network; `wait` and `leave` need a user. */
export type NetworkPlan =
  | { readonly action: 'none' }
  | NetworkWrite
  /** The network is needed, but its content is unknown. */
  | { readonly action: 'wait'; readonly why: string }
  /** Another client created the network, with other content. */
  | { readonly action: 'leave' };

/** A write to the API server. */
export type NetworkWrite =
  | { readonly action: 'create' | 'update'; readonly config: string }
  | { readonly action: 'delete' };

/** Plans the steps after which the namespace has the network exactly if it needs it. */
export function planNetwork(namespace: ObservedNamespace, cniConfig: CniConfig, mesh: MeshNamespaces): NetworkPlan {
  const { network } = namespace;
  // A terminating namespace deletes its contents. A terminating network must be gone before it can be recreated.
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
