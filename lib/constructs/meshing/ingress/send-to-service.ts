import type { ApiObject } from 'cdk8s';
import { addRule } from '../../../gitops/tree/add-rule';
import { apiObjectOf, describeApiObject, type PlusResource } from '../../../gitops/tree/meshable';
import { annotate } from '../annotate';
import { MESHING_FINDINGS } from '../findings';

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
          MESHING_FINDINGS.annotationWithoutIngress({
            call: 'sendToService()',
            object: describeApiObject(object),
            controller: 'NGINX',
            kinds: 'the Ingress',
          }),
        ],
  );
}
