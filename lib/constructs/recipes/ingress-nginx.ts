import type { ApiObject } from 'cdk8s';
import { addRule } from '../../gitops/tree/add-rule';
import { apiObjectOf, describeApiObject, type PlusResource } from '../../gitops/tree/meshable';
import { checkInjectedNamespace } from '../control-plane/namespaces';
import { annotate } from '../meshing/annotate';
import type { Annotations } from '../meshing/config/config-annotations';
import type { MeshConfig } from '../meshing/config/mesh-config';
import type { Meshing } from '../meshing/meshing';
import { checkUnmeshedNamespace } from '../meshing/unmeshed-namespace';
import { RECIPES_FINDINGS } from './findings';

/** Props of ingressNginxValues: where ingress-nginx is installed, and how its controller is meshed. */
export interface IngressNginxProps {
  /**
   * Namespace of the release. It must not be meshed itself.
   *
   * @default 'ingress-nginx'
   */
  readonly namespace?: string;

  /**
   * The differences of the controller's pods from the mesh's defaults.
   *
   * @default - nothing
   */
  readonly config?: MeshConfig;
}

/**
 * Values of the chart `ingress-nginx` (https://kubernetes.github.io/ingress-nginx), whose controller was retired in March
 * 2026: its vulnerabilities are not fixed any more.
 */
export type IngressNginxValues = {
  readonly controller: { readonly podAnnotations: Annotations };
};

/**
 * Makes the controller of ingress-nginx part of the mesh: its pods only, as the chart's namespace also has short-lived
 * jobs, which must stay out. Along with this, each Ingress needs `sendToService`.
 */
export function ingressNginxValues(
  meshing: Meshing,
  { namespace = 'ingress-nginx', config }: IngressNginxProps = {},
): IngressNginxValues {
  addRule(meshing, () => [
    ...checkInjectedNamespace('ingress-nginx', namespace),
    ...checkUnmeshedNamespace(meshing, namespace, RECIPES_FINDINGS.namespaceMeshedIngressNginx),
  ]);
  return { controller: { podAnnotations: meshing.podAnnotations(config) } };
}

/** The annotation by which NGINX connects to a service's address, not to the pods behind it. */
const SERVICE_UPSTREAM = 'nginx.ingress.kubernetes.io/service-upstream';

/**
 * Has NGINX send the requests of an Ingress to the services' own addresses: by default it chooses among their pods, and
 * Linkerd could neither balance the load nor know the services' routes. For a meshed ingress-nginx, which was retired in
 * March 2026.
 */
export function sendToService(ingress: ApiObject | PlusResource): void {
  const object = apiObjectOf(ingress);
  const conflicts = annotate(object, object.metadata, { [SERVICE_UPSTREAM]: 'true' });
  addRule(ingress, () =>
    object.kind === 'Ingress'
      ? conflicts
      : [
          RECIPES_FINDINGS.middlewareRefusedObject({
            call: 'sendToService()',
            object: describeApiObject(object),
            controller: 'NGINX',
            kinds: 'the Ingress',
          }),
        ],
  );
}
