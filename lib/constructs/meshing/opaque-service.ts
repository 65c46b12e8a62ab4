import type { Problem } from '../../kubernetes/findings/problem';
import { valueAt } from '../../kubernetes/json-pointer';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { apiGroup } from '../../kubernetes/scope';
import { checkPorts, includesPort, type Ports } from '../../linkerd/ports';
import { MESHING_FINDINGS } from './findings';

/** Reports what keeps opaque ports of a service from having an effect. */
export function checkOpaqueService(service: KubernetesObject, ports: Ports): readonly Problem[] {
  const problems = checkPorts('opaquePorts', ports);
  if (service.kind !== 'Service' || apiGroup(service.apiVersion) !== '') {
    return [
      ...problems,
      MESHING_FINDINGS.opaquePortsRefusedObject({ object: describeObject(service), apiVersion: service.apiVersion }),
    ];
  }
  const own = portsOf(service);
  return [
    ...problems,
    ...ports
      .filter((port) => !own.some((number) => includesPort([port], number)))
      .map((port) =>
        MESHING_FINDINGS.opaquePortsRefusedPort({
          port: `${port}`,
          service: describeObject(service),
          ports: own.length > 0 ? own.join(', ') : 'no port',
        }),
      ),
  ];
}

function portsOf(service: KubernetesObject): readonly number[] {
  const ports = valueAt(service, '/spec/ports');
  return Array.isArray(ports) ? ports.map(({ port }: { readonly port: number }) => port) : [];
}
