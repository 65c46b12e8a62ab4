import { FREE, keysOf } from '#kubernetes/options/known-keys';
import type { PolicyClient } from './clients';
import type { PolicyMode, PortProtocol } from './port-policy';
import type { HttpRequests } from './requests';

/** Clients of a port, and the requests that they may make. */
export interface AllowOptions {
  /** The clients to allow: a client of any entry is allowed. */
  readonly from: readonly PolicyClient[];

  /**
   * The ports, by name or number: those of the Service, or of the containers for a workload.
   *
   * @default - all TCP ports
   */
  readonly ports?: readonly (number | string)[];

  /**
   * The requests that these clients may make. Other calls can allow them more.
   *
   * @default - all, and connections that are not HTTP
   */
  readonly requests?: readonly HttpRequests[];

  /**
   * Paths that kubelets probe in addition to those of the pods' probes, such as the target of a redirect. They are open
   * to all clients, or with `nodeNetworks` of the control plane to these networks.
   *
   * @default - those of the probes
   */
  readonly probePaths?: readonly string[];

  /**
   * The protocol of the ports.
   *
   * @default - `opaque` for the pods' opaque ports; proxies detect the protocol of others
   */
  readonly protocol?: PortProtocol;

  /**
   * What to do with clients that no policy allows. `audit` allows and reports them; not in 2.14.
   *
   * @default - `audit` in namespaces of that mode (`defaultDeny`), `deny` in others
   */
  readonly mode?: PolicyMode;
}

/** The keys of AllowOptions. Requests and clients are checked where they are read. */
export const ALLOW_OPTIONS = keysOf<AllowOptions>({
  from: FREE,
  ports: true,
  requests: FREE,
  probePaths: true,
  protocol: true,
  mode: true,
});
