import type { ApiObject } from 'cdk8s';
import { checkInjectedNamespace } from '../../checks/linkerd/injection-check';
import { addRule } from '../../gitops/tree/add-rule';
import { apiObjectOf, describeApiObject, type PlusResource } from '../../gitops/tree/meshable';
import { annotate } from '../meshing/annotate';
import type { Annotations } from '../meshing/config/config-annotations';
import type { MeshConfig } from '../meshing/config/mesh-config';
import type { Meshing } from '../meshing/meshing';
import { checkUnmeshedNamespace } from '../meshing/unmeshed-namespace';
import { RECIPES_FINDINGS } from './findings';

/** Props of ingressNginxValues: where ingress-nginx is installed, and how its controller is meshed. */
export interface IngressNginxProps {
  /**
   * Namespace of the release. The namespace itself must not be meshed.
   *
   * @default 'ingress-nginx'
   */
  readonly namespace?: string;

  /**
   * Settings of the controller's pods that differ from the mesh's defaults.
   *
   * @default - none
   */
  readonly config?: MeshConfig;
}

/**
 * Values of the chart `ingress-nginx` (https://kubernetes.github.io/ingress-nginx). The project retired its controller
 * in March 2026 and no longer fixes vulnerabilities.
 */
export type IngressNginxValues = {
  readonly controller: { readonly podAnnotations: Annotations };
};

/**
 * Returns values that mesh the controller of ingress-nginx. Only its pods are meshed, because the chart's namespace
 * also has short-lived jobs, which must stay out. Each Ingress also needs `sendToService`.
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

/** The annotation that makes NGINX connect to a service's address instead of its pods. */
const SERVICE_UPSTREAM = 'nginx.ingress.kubernetes.io/service-upstream';

/**
 * Makes NGINX send the requests of an Ingress to the services' own addresses. By default NGINX chooses among their
 * pods, so Linkerd could neither balance the load nor apply the services' routes. For a meshed ingress-nginx, which was
 * retired in March 2026.
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
