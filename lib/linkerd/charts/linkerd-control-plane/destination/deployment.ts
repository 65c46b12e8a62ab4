import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { apiAccessVolumes } from '../../pod/kube-api-access';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { destinationPod } from '../proxy/control-plane-pods';
import { meshedContainers } from '../proxy/meshed-containers';
import { proxyVolumes } from '../proxy/volumes';
import { podAnnotations } from '../workload/annotations';
import { deployment, podSelector } from '../workload/deployment';
import { destinationContainer } from './destination-container';
import { policyContainer } from './policy-container';
import { spValidatorContainer } from './sp-validator-container';

/** The controllers that tell proxies where to connect and what to accept, with their webhooks. */
export function destinationDeployment(values: ControlPlaneView, context: RenderContext): KubernetesObject {
  return deployment(values, context, {
    component: 'destination',
    selector: podSelector('destination', context.namespace),
    annotations: podAnnotations(values, values.destinationController.podAnnotations),
    pod: {
      ...meshedContainers(values, context, destinationPod(values), [
        destinationContainer(values, context),
        spValidatorContainer(values),
        policyContainer(values, context),
      ]),
      volumes: [
        { name: 'sp-tls', secret: { secretName: 'linkerd-sp-validator-k8s-tls' } },
        { name: 'policy-tls', secret: { secretName: 'linkerd-policy-validator-k8s-tls' } },
        ...apiAccessVolumes(values),
        ...proxyVolumes(values),
      ],
    },
  });
}
