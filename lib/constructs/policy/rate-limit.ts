import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { isObject } from '#base/is-object';
import type { HTTPLocalRateLimitPolicy } from '#imports/crds/policy.linkerd.io';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { each, FREE, keysOf } from '#kubernetes/options/known-keys';
import { POLICY_GROUP } from '#linkerd/api-groups';
import type { PolicyClient, ResolvedClients } from './clients';
import { POLICY_FINDINGS } from './findings';
import type { GuardedPort } from './guarded-ports';

/** A different limit for some clients. */
export interface RateOverride {
  /** The clients: workloads or ServiceAccounts. The limit applies to each of them. */
  readonly clients: readonly PolicyClient[];
  /** Maximum number of requests per second of each client: a whole number from 1. */
  readonly perClient: number;
}

/**
 * The maximum number of HTTP requests per second. Each pod counts separately: three replicas accept three times as
 * many requests. Proxies answer requests above the limit with 429.
 */
export interface RateLimitOptions {
  /**
   * The ports, by name or number: those of the Service, or of the containers for a workload.
   *
   * @default - all TCP ports
   */
  readonly ports?: readonly (number | string)[];

  /**
   * Maximum for all clients together: a whole number from 1.
   *
   * @default - no limit
   */
  readonly total?: number;

  /**
   * Maximum for each client, by its identity; all clients without an identity share a limit. A whole number from 1, at
   * most `total`.
   *
   * @default - no limit
   */
  readonly perClient?: number;

  /**
   * Different limits for some clients.
   *
   * @default - none
   */
  readonly overrides?: readonly RateOverride[];
}

/** The keys of RateLimitOptions. Clients are checked where they are read. */
export const RATE_LIMIT_OPTIONS = keysOf<RateLimitOptions>({
  ports: true,
  total: true,
  perClient: true,
  overrides: each(keysOf<RateOverride>({ clients: FREE, perClient: true })),
});

/** Limits as data. */
export interface RateLimit {
  readonly total: number | undefined;
  readonly perClient: number | undefined;
  readonly overrides: readonly { readonly clients: ResolvedClients['clients']; readonly perClient: number }[];
}

/** Renders the object that limits the requests of a port. */
export function rateLimitObject({ namespace, name }: GuardedPort, limit: RateLimit): KubernetesObject {
  const { total, perClient, overrides } = limit;
  return {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'HTTPLocalRateLimitPolicy',
    metadata: { name, namespace },
    spec: {
      targetRef: { group: POLICY_GROUP, kind: 'Server', name },
      ...(total === undefined ? {} : { total: { requestsPerSecond: total } }),
      ...(perClient === undefined ? {} : { identity: { requestsPerSecond: perClient } }),
      ...(overrides.length === 0
        ? {}
        : {
            overrides: overrides.map((one) => ({
              requestsPerSecond: one.perClient,
              clientRefs: one.clients.identities.flatMap((identity) =>
                identity.kind === 'account'
                  ? [{ kind: 'ServiceAccount', namespace: identity.namespace, name: identity.name }]
                  : [],
              ),
            })),
          }),
    },
  } satisfies HTTPLocalRateLimitPolicy;
}

/** Reads limits, and reports values that Linkerd refuses. */
export function readRateLimit(
  { total, perClient, overrides = [] }: RateLimitOptions,
  resolve: (field: string, clients: readonly PolicyClient[]) => ResolvedClients,
): { readonly limit: RateLimit; readonly problems: readonly Problem[] } {
  const given: readonly RateOverride[] = Array.isArray(overrides) ? overrides : [];
  const list = given.filter((one) => isObject(one));
  const resolved = list.map((one, index) => ({ ...one, found: resolve(`overrides[${index}].clients`, one.clients) }));
  const isNone = total === undefined && perClient === undefined && list.length === 0;
  const rates = [
    { field: 'total', rate: total, most: undefined },
    { field: 'perClient', rate: perClient, most: total },
    ...list.map((one, index) => ({ field: `overrides[${index}].perClient`, rate: one.perClient ?? 0, most: total })),
  ];
  return {
    limit: {
      total,
      perClient,
      overrides: resolved.map(({ perClient: rate, found }) => ({ perClient: rate, clients: found.clients })),
    },
    problems: [
      ...(isNone ? [POLICY_FINDINGS.policyValueRefusedNoLimit()] : []),
      ...rates.flatMap(({ field, rate, most }) => checkRate(field, rate, most)),
      ...resolved.flatMap(({ found, clients }, index) => [
        ...found.problems,
        ...(found.problems.length === 0 ? checkAccounts(`overrides[${index}].clients`, clients, found) : []),
      ]),
    ],
  };
}

function checkRate(field: string, rate: number | undefined, most: number | undefined): readonly Problem[] {
  if (rate === undefined) return [];
  if (!Number.isInteger(rate) || rate < 1 || rate > MAX) {
    return [POLICY_FINDINGS.policyValueRefusedRate({ field, value: shownValue(rate), most: MAX })];
  }
  return most !== undefined && rate > most
    ? [POLICY_FINDINGS.policyValueRefusedRateAboveTotal({ field, value: shownValue(rate), total: most })]
    : [];
}

/** Linkerd stores rates in 32 bits. */
const MAX = 2 ** 32 - 1;

function checkAccounts(field: string, given: unknown, { clients }: ResolvedClients): readonly Problem[] {
  const isOfAccounts = clients.networks.length === 0 && clients.identities.every(({ kind }) => kind === 'account');
  if (isOfAccounts && clients.identities.length > 0) return [];
  const shown =
    Array.isArray(given) && given.every((one) => isObject(one) && 'kind' in one) ? given.map((one) => one.kind) : [];
  return [POLICY_FINDINGS.policyValueRefusedLimitedClients({ field, value: shownValue(shown) })];
}
