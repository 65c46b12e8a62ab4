import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { isObject } from '#base/is-object';
import { checkDnsLabel, checkDnsSubdomain } from '#kubernetes/names';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { each, type KnownKeys, keysOf, unknownKeys } from '#kubernetes/options/known-keys';
import { PROXY_VALUE_FINDINGS } from '#linkerd/proxy-values/findings';
import { checkSubnets } from '#linkerd/proxy-values/subnets';
import { ALL_NETWORKS } from '../../checks/policy/audit-warnings';
import { podSetsOf } from '../../checks/policy/pod-sets';
import type { Meshable } from '../../gitops/tree/meshable';
import type { ServiceAccountRef } from '../viz/prometheus';
import { type ClientSet, NO_CLIENTS } from './client-set';
import { POLICY_FINDINGS } from './findings';

/** A block of addresses in CIDR notation, without some blocks within it. */
export interface NetworkBlock {
  /** The block: `10.0.0.0/8`. */
  readonly cidr: string;
  /**
   * Blocks within it to leave out.
   *
   * @default - none
   */
  readonly except?: readonly string[];
}

/** Workloads of another mesh that shares its trust anchor with this one, usually in another cluster. */
export interface ForeignWorkload {
  /**
   * The trust domain of their control plane. If that control plane sets none, it is the cluster domain of its cluster,
   * such as `cluster.local`.
   */
  readonly trustDomain: string;
  /**
   * Namespace of their control plane.
   *
   * @default 'linkerd'
   */
  readonly controlPlaneNamespace?: string;
  /** Namespace of the workloads. */
  readonly namespace: string;
  /**
   * Service account of the workloads.
   *
   * @default - all of the namespace
   */
  readonly serviceAccount?: string;
}

/** Clients without a construct: see `Clients`. */
export type ClientGroup =
  | { readonly kind: 'mesh' }
  | { readonly kind: 'everyone' }
  | { readonly kind: 'account'; readonly account: ServiceAccountRef }
  | { readonly kind: 'namespace'; readonly namespace: string }
  | { readonly kind: 'networks'; readonly networks: readonly (string | NetworkBlock)[] }
  | { readonly kind: 'foreign'; readonly workload: ForeignWorkload };

/**
 * A client of a port: a workload (by the service account of its pods), a ServiceAccount, a Namespace with all its
 * accounts, or one of `Clients`.
 */
export type PolicyClient = Meshable | ClientGroup;

/** Clients without a construct. */
export const Clients = {
  /** All meshed clients, including those of other clusters with the same trust anchor. */
  mesh: (): ClientGroup => ({ kind: 'mesh' }),

  /** All clients, meshed or not: as open as no policy, but with metrics. */
  everyone: (): ClientGroup => ({ kind: 'everyone' }),

  /** A service account that another tool creates, such as the chart of an ingress controller. */
  serviceAccount: (account: ServiceAccountRef): ClientGroup => ({ kind: 'account', account }),

  /** All service accounts of a namespace. */
  namespace: (namespace: string): ClientGroup => ({ kind: 'namespace', namespace }),

  /**
   * Clients by their addresses, meshed or not: for clients without a proxy. Unlike identities, addresses can be taken
   * over by other clients.
   */
  networks: (...networks: readonly (string | NetworkBlock)[]): ClientGroup => ({ kind: 'networks', networks }),

  /** Workloads of another mesh that shares its trust anchor with this one. */
  elsewhere: (workload: ForeignWorkload): ClientGroup => ({ kind: 'foreign', workload }),
} as const;

/** Clients as data; no clients if there are problems. */
export interface ResolvedClients {
  readonly clients: ClientSet;
  readonly problems: readonly Problem[];
}

const ACCOUNT = keysOf<ServiceAccountRef>({ namespace: true, name: true });
const NETWORK = keysOf<NetworkBlock>({ cidr: true, except: true });
const WORKLOAD = keysOf<ForeignWorkload>({
  trustDomain: true,
  controlPlaneNamespace: true,
  namespace: true,
  serviceAccount: true,
});

type Fields = Readonly<Record<string, unknown>>;

type GroupOf<Kind extends ClientGroup['kind']> = Extract<ClientGroup, { readonly kind: Kind }>;

/** Keys are checked because an unknown one could make a group wider than intended. */
const GROUPS: Readonly<Record<ClientGroup['kind'], KnownKeys>> = {
  mesh: keysOf<GroupOf<'mesh'>>({ kind: true }),
  everyone: keysOf<GroupOf<'everyone'>>({ kind: true }),
  account: keysOf<GroupOf<'account'>>({ kind: true, account: ACCOUNT }),
  namespace: keysOf<GroupOf<'namespace'>>({ kind: true, namespace: true }),
  networks: keysOf<GroupOf<'networks'>>({ kind: true, networks: each(NETWORK) }),
  foreign: keysOf<GroupOf<'foreign'>>({ kind: true, workload: WORKLOAD }),
};

/** Returns the clients of a group. */
export function clientsOfGroup(field: string, group: ClientGroup): ResolvedClients {
  const unknown = Object.hasOwn(GROUPS, group.kind) ? unknownKeys<Fields>(GROUPS[group.kind], { ...group }, field) : [];
  return unknown.length > 0 ? found(NO_CLIENTS, unknown) : clientsOfKind(field, group);
}

function clientsOfKind(field: string, group: ClientGroup): ResolvedClients {
  switch (group.kind) {
    case 'mesh':
      return found({ ...NO_CLIENTS, identities: [{ kind: 'text', text: '*' }] });
    case 'everyone':
      return found({ ...NO_CLIENTS, networks: ALL_NETWORKS });
    case 'account': {
      const { namespace, name } = group.account ?? {};
      return found({ ...NO_CLIENTS, identities: [{ kind: 'account', namespace, name }] }, [
        ...checkDnsLabel(`The namespace of ${field}`, namespace),
        ...checkDnsSubdomain(`The name of ${field}`, name),
      ]);
    }
    case 'namespace':
      return found(
        { ...NO_CLIENTS, identities: [{ kind: 'namespace', name: group.namespace }] },
        checkDnsLabel(field, group.namespace),
      );
    case 'networks':
      return networksOf(field, group.networks);
    case 'foreign':
      return foreignOf(field, group.workload);
    default:
      return found(NO_CLIENTS, [noClient(field, shownValue(group))]);
  }
}

/** Returns the clients of a Kubernetes object. */
export function clientsOfObject(field: string, object: KubernetesObject): ResolvedClients {
  const { name, namespace = 'default' } = object.metadata;
  const type = `${apiGroup(object.apiVersion)}/${object.kind}`;
  if (type === '/ServiceAccount') return found({ ...NO_CLIENTS, identities: [{ kind: 'account', namespace, name }] });
  if (type === '/Namespace') return found({ ...NO_CLIENTS, identities: [{ kind: 'namespace', name }] });
  const accounts = new Set(podSetsOf(object).map(({ account }) => account));
  if (accounts.size === 0) return found(NO_CLIENTS, [noClient(field, describeObject(object))]);
  return found({
    ...NO_CLIENTS,
    identities: [...accounts].map((account) => ({ kind: 'account', namespace, name: account })),
  });
}

function networksOf(field: string, blocks: readonly (string | NetworkBlock)[]): ResolvedClients {
  const given: readonly (string | NetworkBlock)[] = Array.isArray(blocks) ? blocks : [];
  const networks = given.map((network) => ({
    cidr: typeof network === 'string' ? network : network?.cidr,
    except: (isObject(network) && (network as NetworkBlock).except) || [],
  }));
  const problems = networks.flatMap(({ cidr, except }, index) => [
    ...checkSubnets(`${field}: network ${index}`, [String(cidr)], PROXY_VALUE_FINDINGS.addressRefusedClientNetwork),
    ...checkSubnets(`${field}: except of network ${index}`, except, PROXY_VALUE_FINDINGS.addressRefusedClientNetwork),
  ]);
  if (given.length === 0) return found(NO_CLIENTS, [noClient(field, 'Clients.networks() without a network')]);
  return found({ ...NO_CLIENTS, networks: problems.length === 0 ? networks : [] }, problems);
}

function foreignOf(field: string, workload: ForeignWorkload): ResolvedClients {
  const { trustDomain, controlPlaneNamespace = 'linkerd', namespace, serviceAccount } = workload ?? {};
  const text = `${serviceAccount ?? '*'}.${namespace}.serviceaccount.identity.${controlPlaneNamespace}.${trustDomain}`;
  return found({ ...NO_CLIENTS, identities: [{ kind: 'text', text }] }, [
    ...checkDnsSubdomain(`trustDomain of ${field}`, trustDomain),
    ...checkDnsLabel(`controlPlaneNamespace of ${field}`, controlPlaneNamespace),
    ...checkDnsLabel(`namespace of ${field}`, namespace),
    ...(serviceAccount === undefined ? [] : checkDnsSubdomain(`serviceAccount of ${field}`, serviceAccount)),
  ]);
}

function found(clients: ClientSet, problems: readonly Problem[] = []): ResolvedClients {
  return { clients: problems.length === 0 ? clients : NO_CLIENTS, problems };
}

function noClient(field: string, client: string): Problem {
  return POLICY_FINDINGS.policyClientUnknown({ field, client });
}
