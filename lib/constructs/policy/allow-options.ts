import { FREE, keysOf } from '../../kubernetes/known-keys';
import type { PolicyClient } from './clients';
import type { PolicyMode, PortProtocol } from './port-policy';
import type { HttpRequests } from './requests';

/** The clients of a port, and what they may do there. */
export interface AllowOptions {
  /** The clients: each one of them is let in. */
  readonly from: readonly PolicyClient[];

  /**
   * The ports, by the name or number that the Service has for them; those of the containers, for a workload.
   *
   * @default - all TCP ports
   */
  readonly ports?: readonly (number | string)[];

  /**
   * The requests that these clients may make. Others may be allowed more by another call.
   *
   * @default - all, and connections that are no HTTP
   */
  readonly requests?: readonly HttpRequests[];

  /**
   * Paths at which kubelets probe beside those that the pods' probes name: where an answer redirects the kubelet to
   * another path. They are open to everybody.
   *
   * @default - those of the probes
   */
  readonly probePaths?: readonly string[];

  /**
   * The protocol of the ports.
   *
   * @default - `opaque` for the pods' opaque ports; proxies look at the first bytes of others
   */
  readonly protocol?: PortProtocol;

  /**
   * The fate of clients that nothing allows. `audit` lets them in and tells of them; not in 2.14.
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
