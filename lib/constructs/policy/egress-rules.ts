import { shownValue } from '../../../operator/api/kubernetes/shown-value';
import type { Problem } from '../../kubernetes/findings/problem';
import { each, FREE, keysOf, unknownKeys } from '../../kubernetes/known-keys';
import { checkDnsLabel, checkDnsSubdomain, checkHost, checkPort } from '../../kubernetes/names';
import type { Release } from '../../linkerd/releases/release';
import { Clients, clientsOfGroup, type NetworkBlock } from './clients';
import { POLICY_FINDINGS } from './findings';
import { isDefined } from './policy-problems';
import { checkRequests, type HttpRequests } from './requests';

/** Hosts outside of the cluster that pods may reach. */
export interface EgressHosts {
  /** Their names: `api.example.com`, `*.example.com`. */
  readonly hosts: readonly string[];

  /**
   * The port at which they are reached.
   *
   * @default 443, or 80 for HTTP
   */
  readonly port?: number;

  /**
   * `TLS` goes by the name that a connection asks for when it begins (SNI), `HTTP` by the host of requests that are not
   * encrypted.
   *
   * @default 'TLS'
   */
  readonly protocol?: 'TLS' | 'HTTP';

  /**
   * The requests that pods may make there. Only of `HTTP`: others cannot be read.
   *
   * @default - all
   */
  readonly requests?: readonly HttpRequests[];
}

/** The traffic that leaves the cluster. */
export interface EgressOptions {
  /**
   * Name of the EgressNetwork; those of one namespace differ in it.
   *
   * @default 'egress'
   */
  readonly name?: string;

  /**
   * The networks that it is about.
   *
   * @default - all but those of the cluster (`clusterNetworks` of the control plane)
   */
  readonly networks?: readonly (string | NetworkBlock)[];

  /**
   * The fate of connections and requests to hosts that `to` does not name. With `allow` they are counted in metrics, as
   * all others.
   *
   * @default 'allow'
   */
  readonly mode?: 'allow' | 'deny';

  /**
   * The hosts that pods may reach.
   *
   * @default - none by name
   */
  readonly to?: readonly EgressHosts[];
}

/** The keys of EgressOptions. Networks and requests are checked where they are read. */
const EGRESS_OPTIONS = keysOf<EgressOptions>({
  name: true,
  networks: FREE,
  mode: true,
  to: each(keysOf<EgressHosts>({ hosts: true, port: true, protocol: true, requests: FREE })),
});

/** The port of hosts. */
export function portOf({ protocol = 'TLS', port = protocol === 'TLS' ? 443 : 80 }: EgressHosts): number {
  return port;
}

/** The name of a route, by the first of its hosts: it stays when others come and go after that. */
export function routeName(network: string, hosts: EgressHosts): string {
  const [first = ''] = hosts.hosts;
  return `${network}-${first.replace('*.', 'any.')}-${portOf(hosts)}`;
}

/** Reports what of an EgressNetwork Linkerd or the API server refuses. */
export function checkEgress(namespace: string, name: string, options: EgressOptions): readonly Problem[] {
  const { mode, networks } = options;
  return [
    ...unknownKeys(EGRESS_OPTIONS, options, 'egress'),
    ...checkDnsLabel('namespace', namespace),
    ...checkDnsSubdomain('name', name),
    ...(mode === undefined || mode === 'allow' || mode === 'deny'
      ? []
      : [refused('mode', mode, 'Traffic that leaves the cluster is either allowed or denied', "'allow' or 'deny'")]),
    ...(networks === undefined ? [] : clientsOfGroup('networks', Clients.networks(...networks)).problems),
  ];
}

/** Reports hosts of which no route can be made. */
export function checkHosts(field: string, given: EgressHosts): readonly Problem[] {
  const { hosts, port, protocol = 'TLS', requests } = given;
  const list: readonly string[] = Array.isArray(hosts) ? hosts : [];
  return [
    ...(list.length === 0 || list.length > MOST_HOSTS
      ? [refused(`${field}.hosts`, hosts, `A route has 1 to ${MOST_HOSTS} hosts`, 'their names: ["api.example.com"]')]
      : []),
    ...list.flatMap((host, index) => checkHost(`${field}.hosts[${index}]`, host)),
    ...(port === undefined ? [] : checkPort(`${field}.port`, port)),
    ...(protocol === 'TLS' || protocol === 'HTTP'
      ? []
      : [refused(`${field}.protocol`, protocol, 'Hosts are matched only in these two protocols', "'TLS' or 'HTTP'")]),
    ...(protocol === 'TLS' && requests !== undefined
      ? [
          refused(
            `${field}.requests`,
            requests,
            'Requests within TLS cannot be read',
            "protocol: 'HTTP', or remove requests",
          ),
        ]
      : []),
    ...(requests ?? []).flatMap((one, index) => checkRequests(`${field}.requests[${index}]`, one)),
  ];
}

/** Routes are called by their first hosts, which must differ. */
export function checkNames(network: string, to: readonly EgressHosts[]): readonly Problem[] {
  const names = to.filter((one) => Array.isArray(one?.hosts)).map((one) => routeName(network, one));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return twice.map((name) =>
    refused(
      'to',
      name,
      'Two of its routes would have this name, and one would replace the other',
      'their hosts together',
    ),
  );
}

/** Limit of the CRDs. */
const MOST_HOSTS = 16;

function refused(field: string, given: unknown, reason: string, allowed: string): Problem {
  const value = shownValue(given);
  return POLICY_FINDINGS.policyValueRefused({ field, value, reason, allowed });
}

/** Reports that a release has no EgressNetwork. */
export function checkEgressRelease(release: Release): readonly Problem[] {
  return isDefined(release, 'egressnetworks')
    ? []
    : [POLICY_FINDINGS.policyUnsupported({ call: 'egress()', version: release.version, kind: 'EgressNetwork' })];
}
