import { Construct } from 'constructs';
import { addRule } from '../../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../../gitops/tree/home-namespace';
import { propsOf } from '../../../gitops/tree/prop-of-shape';
import { keysOf, required, text } from '../../../kubernetes/known-keys';
import { checkDnsLabel, checkDnsSubdomain } from '../../../kubernetes/names';
import { dstOverrideMiddleware, middlewareReference } from './header-middleware';

/** Props of DstOverrideRemoval. */
export interface DstOverrideRemovalProps {
  /** Namespace of the Middleware: Traefik's own. */
  readonly namespace: string;

  /**
   * Name of the Middleware.
   *
   * @default 'l5d-dst-override-removal'
   */
  readonly name?: string;
}

const PROPS = keysOf<DstOverrideRemovalProps>({
  namespace: required(text("the name of Traefik's namespace")),
  name: true,
});

/**
 * A Traefik Middleware that removes the header `l5d-dst-override` from requests. Meant for the entry points, before the
 * routes' own: a Traefik in ingress mode would otherwise take requests to wherever their senders want, inside the
 * cluster and outside (https://linkerd.io/2-edge/reference/proxy-configuration/#ingress-mode).
 */
export class DstOverrideRemoval extends Construct {
  /** The Middleware as Traefik's arguments and annotations name it. */
  readonly reference: string;

  constructor(scope: Construct, id: string, props: DstOverrideRemovalProps) {
    super(scope, id);
    const given = propsOf<DstOverrideRemovalProps>(this, PROPS, props);
    const { namespace, name = 'l5d-dst-override-removal' } = given;
    setHomeNamespace(this, namespace);
    this.reference = middlewareReference(namespace, name);
    dstOverrideMiddleware(this, { name, namespace, value: '' });
    addRule(this, () => [...checkDnsLabel('namespace', namespace), ...checkDnsSubdomain('name', name)]);
  }
}
