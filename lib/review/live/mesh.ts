import {
  at,
  conditionsOf,
  idIn,
  listAt,
  MAX_NAMES,
  nameIn,
  numberAt,
  type ObservedCondition,
  type ObservedName,
  present,
  type Time,
  textAt,
  timeAt,
} from './fields';

/** An object of the operator. */
export interface ObservedOperated {
  readonly name: string;
  readonly conditions: readonly ObservedCondition[];
  /** The operator has not observed the current spec. */
  readonly isOutdated: boolean;
}

function observeOperated(object: unknown): ObservedOperated {
  const observed = at(object, 'status', 'observedGeneration');
  return {
    name: nameIn(object),
    conditions: conditionsOf(object),
    isOutdated: observed !== at(object, 'metadata', 'generation'),
  };
}

/** A TrustAnchor. */
export interface ObservedTrustAnchor extends ObservedOperated {
  readonly phase?: string;
  readonly isPaused: boolean;
  /** The text in the status: `9y`, `-5m`. */
  readonly slack?: string;
  readonly nextRotation?: Time;
  readonly laggards?: { readonly pods: number; readonly workloads: readonly string[]; readonly since?: Time };
}

export function observeTrustAnchor(object: unknown): ObservedTrustAnchor {
  const workloads = listAt(object, 'status', 'laggards', 'workloads').slice(0, MAX_NAMES);
  const times = workloads.flatMap((one) => timeAt(one, 'since') ?? []);
  return present<ObservedTrustAnchor>({
    ...observeOperated(object),
    phase: textAt(object, 'status', 'phase'),
    isPaused: at(object, 'spec', 'paused') === true,
    slack: textAt(object, 'status', 'slack'),
    nextRotation: timeAt(object, 'status', 'nextRotation'),
    laggards: {
      pods: numberAt(object, 'status', 'laggards', 'pods'),
      workloads: names(workloads, 'workload'),
      ...(times.length > 0 && { since: Math.min(...times) }),
    },
  });
}

/** A LinkerdConfig. */
export interface ObservedConfig extends ObservedOperated {
  readonly inProgress: readonly string[];
  readonly unmanagedPods: { readonly count: number; readonly pods: readonly string[] };
  readonly passedBy: { readonly count: number; readonly workloads: readonly string[] };
}

export function observeConfig(object: unknown): ObservedConfig {
  return {
    ...observeOperated(object),
    inProgress: names(listAt(object, 'status', 'inProgress'), 'workload'),
    unmanagedPods: {
      count: numberAt(object, 'status', 'unmanagedPods', 'count'),
      pods: names(listAt(object, 'status', 'unmanagedPods', 'pods')),
    },
    passedBy: {
      count: numberAt(object, 'status', 'passedBy', 'count'),
      workloads: names(listAt(object, 'status', 'passedBy', 'restarts'), 'workload'),
    },
  };
}

function names(list: readonly unknown[], ...keys: readonly string[]): readonly string[] {
  return list.slice(0, MAX_NAMES).flatMap((one) => textAt(one, ...keys) ?? []);
}

/** A Lease by which replicas choose a leader. */
export interface ObservedLease extends ObservedName {
  readonly holder: string;
  readonly renewed?: Time;
  readonly durationSeconds: number;
}

export function observeLease(object: unknown): ObservedLease {
  return present<ObservedLease>({
    ...idIn(object),
    holder: textAt(object, 'spec', 'holderIdentity') ?? '',
    renewed: observeClock(object),
    durationSeconds: numberAt(object, 'spec', 'leaseDurationSeconds'),
  });
}

/** Returns when a Lease was last renewed, by the clock of its holder. */
export function observeClock(object: unknown): Time | undefined {
  return timeAt(object, 'spec', 'renewTime');
}

/** A Service of a multicluster gateway. */
export interface ObservedGateway extends ObservedName {
  readonly addresses: readonly string[];
  readonly created?: Time;
}

export function observeGateway(object: unknown): ObservedGateway | undefined {
  if (textAt(object, 'spec', 'type') !== 'LoadBalancer') return undefined;
  const ingress = listAt(object, 'status', 'loadBalancer', 'ingress').slice(0, MAX_NAMES);
  return present<ObservedGateway>({
    ...idIn(object),
    addresses: ingress.flatMap((one) => textAt(one, 'ip') ?? textAt(one, 'hostname') ?? []),
    created: timeAt(object, 'metadata', 'creationTimestamp'),
  });
}

/** A Server of Linkerd's policy. */
export interface ObservedServer extends ObservedName {
  readonly accessPolicy?: string;
  readonly podSelector?: unknown;
  /** Number or name. */
  readonly port?: number | string;
}

export function observeServer(object: unknown): ObservedServer {
  return present<ObservedServer>({
    ...idIn(object),
    accessPolicy: textAt(object, 'spec', 'accessPolicy'),
    podSelector: at(object, 'spec', 'podSelector'),
    port: numberAt(object, 'spec', 'port') || textAt(object, 'spec', 'port'),
  });
}

/** An AuthorizationPolicy or a ServerAuthorization. */
export interface ObservedAuthorization {
  readonly namespace: string;
  /** The Server that clients may reach; absent if it may be any Server of the namespace. */
  readonly server?: string;
  /** Only meshed clients are permitted. */
  readonly isMeshed?: true;
}

/** A target route, a target namespace or a selector may match any Server. */
export function observeAuthorization(object: unknown, kind: string): ObservedAuthorization {
  const reference = kind === 'ServerAuthorization' ? 'server' : 'targetRef';
  const isOfServer = reference === 'server' || textAt(object, 'spec', reference, 'kind') === 'Server';
  return present<ObservedAuthorization>({
    namespace: idIn(object).namespace,
    server: isOfServer ? textAt(object, 'spec', reference, 'name') : undefined,
    isMeshed: isMeshedOnly(object, kind) ? true : undefined,
  });
}

function isMeshedOnly(object: unknown, kind: string): boolean {
  if (kind !== 'ServerAuthorization') {
    const references = listAt(object, 'spec', 'requiredAuthenticationRefs');
    return references.some((one) => at(one, 'kind') !== 'NetworkAuthentication');
  }
  const client = at(object, 'spec', 'client');
  const isOpen = [at(client, 'unauthenticated'), at(client, 'meshTLS', 'unauthenticatedTLS')].includes(true);
  return !isOpen && at(client, 'meshTLS') !== undefined;
}
