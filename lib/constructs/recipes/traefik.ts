import { checkInjectedNamespace } from '../../checks/linkerd/injection-check';
import { addRule } from '../../gitops/tree/add-rule';
import type { Annotations } from '../meshing/config/config-annotations';
import type { MeshConfig } from '../meshing/config/mesh-config';
import type { Meshing } from '../meshing/meshing';
import type { DstOverrideRemoval } from './dst-override';

/** Props of traefikValues: where Traefik is installed, and how it is meshed. */
export interface TraefikProps {
  /**
   * Namespace of the release. Linkerd injects no pods in kube-system, where k3s installs its Traefik, so run k3s with
   * `--disable traefik`.
   */
  readonly namespace: string;

  /**
   * Removes the header that chooses a destination from clients' requests; a DstOverride sets it afterwards. Without
   * this, clients can reach any service of the cluster.
   */
  readonly removal: DstOverrideRemoval;

  /**
   * Entry points for clients outside the cluster.
   *
   * @default ['web', 'websecure']
   */
  readonly entryPoints?: readonly string[];

  /**
   * Settings of the pods that differ from the mesh's defaults.
   *
   * @default - port 443 of other hosts is skipped: on it Traefik watches the Kubernetes API, which is not HTTP for a
   * proxy in ingress mode (https://github.com/linkerd/linkerd2/discussions/7387)
   */
  readonly config?: MeshConfig;
}

/** Values of the chart `traefik` (https://traefik.github.io/charts). */
export type TraefikValues = {
  readonly deployment: { readonly podAnnotations: Annotations };
  readonly additionalArguments: readonly string[];
};

/**
 * Returns values that mesh Traefik in ingress mode. Traefik must terminate TLS itself and use plain HTTP to the
 * services, which the mesh encrypts. Each route also needs a DstOverride, so that Linkerd balances its requests.
 */
export function traefikValues(meshing: Meshing, props: TraefikProps): TraefikValues {
  const { namespace, removal, entryPoints = ['web', 'websecure'], config } = props;
  addRule(meshing, () => checkInjectedNamespace('Traefik', namespace));
  return {
    deployment: { podAnnotations: meshing.podAnnotations({ skipOutboundPorts: [443], ...config }, 'ingress') },
    // Releases of the chart have different keys for this under `ports`. Traefik's argument is the same in all of them.
    additionalArguments: entryPoints.map((name) => `--entryPoints.${name}.http.middlewares=${removal.reference}`),
  };
}
