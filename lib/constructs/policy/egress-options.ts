import { each, FREE, keysOf } from '../../kubernetes/known-keys';
import type { NetworkBlock } from './clients';
import type { HttpRequests } from './requests';

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
export const EGRESS_OPTIONS = keysOf<EgressOptions>({
  name: true,
  networks: FREE,
  mode: true,
  to: each(keysOf<EgressHosts>({ hosts: true, port: true, protocol: true, requests: FREE })),
});
