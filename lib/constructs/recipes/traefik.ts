import { addRule } from '../../gitops/tree/add-rule';
import { checkInjectedNamespace } from '../control-plane/namespaces';
import type { Annotations } from '../meshing/config/config-annotations';
import type { MeshConfig } from '../meshing/config/mesh-config';
import type { Meshing } from '../meshing/meshing';
import type { DstOverrideRemoval } from './dst-override';

/** Props of traefikValues: where Traefik is installed, and how it is meshed. */
export interface TraefikProps {
  /**
   * Namespace of the release. Not kube-system, where k3s installs its own Traefik: Linkerd injects no pods there, so k3s
   * has to run with `--disable traefik`.
   */
  readonly namespace: string;

  /**
   * Removes the header by which requests choose their destination from what clients send; a DstOverride sets it
   * afterwards. Without this, clients can reach any service of the cluster.
   */
  readonly removal: DstOverrideRemoval;

  /**
   * Entry points that clients from outside connect to.
   *
   * @default ['web', 'websecure']
   */
  readonly entryPoints?: readonly string[];

  /**
   * The differences of the pods from the mesh's defaults.
   *
   * @default - port 443 of other hosts is skipped: Traefik watches the Kubernetes API there, which is no HTTP to a proxy in
   * ingress mode (https://github.com/linkerd/linkerd2/discussions/7387)
   */
  readonly config?: MeshConfig;
}

/** Values of the chart `traefik` (https://traefik.github.io/charts). */
export type TraefikValues = {
  readonly deployment: { readonly podAnnotations: Annotations };
  readonly additionalArguments: readonly string[];
};

/**
 * Makes Traefik part of the mesh, in ingress mode. Traefik has to end TLS itself and speak plain HTTP to the services;
 * the mesh encrypts that. Each route needs a DstOverride along with this, so that Linkerd balances its requests.
 */
export function traefikValues(meshing: Meshing, props: TraefikProps): TraefikValues {
  const { namespace, removal, entryPoints = ['web', 'websecure'], config } = props;
  addRule(meshing, () => checkInjectedNamespace('Traefik', namespace));
  return {
    deployment: { podAnnotations: meshing.podAnnotations({ skipOutboundPorts: [443], ...config }, 'ingress') },
    // The keys for this under `ports` moved between releases of the chart; Traefik's own argument did not.
    additionalArguments: entryPoints.map((name) => `--entryPoints.${name}.http.middlewares=${removal.reference}`),
  };
}
