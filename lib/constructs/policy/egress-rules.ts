import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { checkDnsLabel, checkDnsSubdomain, checkHost, checkPort } from '#kubernetes/names';
import { each, FREE, keysOf, unknownKeys } from '#kubernetes/options/known-keys';
import type { Release } from '#linkerd/releases/release';
import { Clients, clientsOfGroup, type NetworkBlock } from './clients';
import { POLICY_FINDINGS } from './findings';
import { isDefined } from './policy-problems';
import { checkRequests, type HttpRequests } from './requests';

/** Hosts outside the cluster that pods may reach. */
export interface EgressHosts {
  /** Names of the hosts: `api.example.com`, `*.example.com`. */
  readonly hosts: readonly string[];

  /**
   * Port of the hosts.
   *
   * @default 443, or 80 for HTTP
   */
  readonly port?: number;

  /**
   * `TLS` matches the server name that a connection requests (SNI), `HTTP` the host of unencrypted requests.
   *
   * @default 'TLS'
   */
  readonly protocol?: 'TLS' | 'HTTP';

  /**
   * The requests that pods may make to the hosts. Only with `HTTP`, because proxies cannot read encrypted requests.
   *
   * @default - all
   */
  readonly requests?: readonly HttpRequests[];
}

/** Traffic that leaves the cluster. */
export interface EgressOptions {
  /**
   * Name of the EgressNetwork, unique in its namespace.
   *
   * @default 'egress'
   */
  readonly name?: string;

  /**
   * The networks to match.
   *
   * @default - all except those of the cluster (`clusterNetworks` of the control plane)
   */
  readonly networks?: readonly (string | NetworkBlock)[];

  /**
   * What to do with connections and requests to hosts that `to` does not name. `allow` still counts them in metrics.
   *
   * @default 'allow'
   */
  readonly mode?: 'allow' | 'deny';

  /**
   * The hosts that pods may reach.
   *
   * @default - no hosts are named
   */
  readonly to?: readonly EgressHosts[];
}

/** Networks and requests are checked where they are read. */
const EGRESS_OPTIONS = keysOf<EgressOptions>({
  name: true,
  networks: FREE,
  mode: true,
  to: each(keysOf<EgressHosts>({ hosts: true, port: true, protocol: true, requests: FREE })),
});

/** Returns the port of hosts. */
export function portOf({ protocol = 'TLS', port = protocol === 'TLS' ? 443 : 80 }: EgressHosts): number {
  return port;
}

/** Returns the name of a route, from the first of its hosts: changes of the other hosts do not rename it. */
export function routeName(network: string, hosts: EgressHosts): string {
  const [first = ''] = hosts.hosts;
  return `${network}-${first.replace('*.', 'any.')}-${portOf(hosts)}`;
}

/** Reports values of an EgressNetwork that Linkerd or the API server refuses. */
export function checkEgress(namespace: string, name: string, options: EgressOptions): readonly Problem[] {
  const { mode, networks } = options;
  return [
    ...unknownKeys(EGRESS_OPTIONS, options, 'egress'),
    ...checkDnsLabel('namespace', namespace),
    ...checkDnsSubdomain('name', name),
    ...(mode === undefined || mode === 'allow' || mode === 'deny'
      ? []
      : [POLICY_FINDINGS.policyValueRefusedEgressMode({ field: 'mode', value: shownValue(mode) })]),
    ...(networks === undefined ? [] : clientsOfGroup('networks', Clients.networks(...networks)).problems),
  ];
}

/** Reports hosts that no route can match. */
export function checkHosts(field: string, given: EgressHosts): readonly Problem[] {
  const { hosts, port, protocol = 'TLS', requests } = given;
  const list: readonly string[] = Array.isArray(hosts) ? hosts : [];
  return [
    ...(list.length === 0 || list.length > MAX_HOSTS
      ? [
          POLICY_FINDINGS.policyValueRefusedHosts({
            field: `${field}.hosts`,
            value: shownValue(hosts),
            most: MAX_HOSTS,
          }),
        ]
      : []),
    ...list.flatMap((host, index) => checkHost(`${field}.hosts[${index}]`, host)),
    ...(port === undefined ? [] : checkPort(`${field}.port`, port)),
    ...(protocol === 'TLS' || protocol === 'HTTP'
      ? []
      : [POLICY_FINDINGS.policyValueRefusedHostProtocol({ field: `${field}.protocol`, value: shownValue(protocol) })]),
    ...(protocol === 'TLS' && requests !== undefined
      ? [
          POLICY_FINDINGS.policyValueRefusedRequestsInTls({
            field: `${field}.requests`,
            value: shownValue(requests),
          }),
        ]
      : []),
    ...(requests ?? []).flatMap((one, index) => checkRequests(`${field}.requests[${index}]`, one)),
  ];
}

/** Checks that the first hosts differ, since they name the routes. */
export function checkNames(network: string, to: readonly EgressHosts[]): readonly Problem[] {
  const names = to.filter((one) => Array.isArray(one?.hosts)).map((one) => routeName(network, one));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return twice.map((name) => POLICY_FINDINGS.policyValueRefusedHostsRepeated({ field: 'to', name }));
}

/** Maximum number of hosts of a route, by the CRDs. */
const MAX_HOSTS = 16;

/** Reports a release without EgressNetworks. */
export function checkEgressRelease(release: Release): readonly Problem[] {
  return isDefined(release, 'egressnetworks')
    ? []
    : [POLICY_FINDINGS.policyUnsupported({ call: 'egress()', version: release.version, kind: 'EgressNetwork' })];
}
