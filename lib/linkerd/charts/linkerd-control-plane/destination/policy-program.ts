import type { Container } from '../../../../../imports/kubernetes';
import { isEmpty } from '../../empty';
import { image } from '../../pod/images';
import { livenessProbe, readinessProbe } from '../../pod/probes';
import { resources } from '../../pod/resources';
import type { ControlPlaneView } from '../control-plane-view';

type Program = Pick<
  Container,
  'command' | 'image' | 'imagePullPolicy' | 'livenessProbe' | 'readinessProbe' | 'resources'
>;

/** The program of the policy controller: where it comes from, what it may use, and how it is asked for its health. */
export function policyProgram(values: ControlPlaneView, adminPort: string): Program {
  return values.templates.policyImage === 'own' ? ownImage(values, adminPort) : amongControllers(values, adminPort);
}

function amongControllers({ policyController: own }: ControlPlaneView, adminPort: string): Program {
  return {
    command: ['/linkerd-policy-controller'],
    livenessProbe: livenessProbe(own.livenessProbe, adminPort, '/live'),
    readinessProbe: readinessProbe(own.readinessProbe, adminPort),
    resources: resources(own.resources),
  };
}

/** An image that has nothing else in it. Its probes wait the other way round: it is asked at once whether it is alive. */
function ownImage(values: ControlPlaneView, adminPort: string): Program {
  const { policyController: own, destinationResources } = values;
  return {
    ...image(own.image, values),
    livenessProbe: { httpGet: { path: '/live', port: adminPort } },
    readinessProbe: { failureThreshold: 7, httpGet: { path: '/ready', port: adminPort }, initialDelaySeconds: 10 },
    resources: resources(isEmpty(own.resources) ? destinationResources : own.resources),
  };
}
