import type { Problem } from '../../kubernetes/findings/problem';
import { valueAt } from '../../kubernetes/json-pointer';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { apiGroup } from '../../kubernetes/scope';
import { checkPorts, includesPort, type Ports } from '../../linkerd/ports';

/** Reports what keeps opaque ports of a service from having an effect. */
export function checkOpaqueService(service: KubernetesObject, ports: Ports): readonly Problem[] {
  const problems = checkPorts('opaquePorts', ports);
  if (service.kind !== 'Service' || apiGroup(service.apiVersion) !== '') {
    return [
      ...problems,
      {
        code: 'opaque-ports-without-service',
        what: `opaquePorts() is called for ${describeObject(service)} (${service.apiVersion})`,
        why: 'Linkerd looks for the annotation on Services; on namespaces and pods it is part of their configuration',
        fix: 'call it for the Service, or give opaquePorts to inject() or namespace()',
      },
    ];
  }
  const own = portsOf(service);
  return [
    ...problems,
    ...ports
      .filter((port) => !own.some((number) => includesPort([port], number)))
      .map((port) => ({
        code: 'service-port-unknown',
        what: `opaquePorts has ${port}, but ${describeObject(service)} has ${own.length > 0 ? own.join(', ') : 'no port'}`,
        why: 'Clients look up the port of the Service that they connect to, so it has no effect',
        fix: "name the Service's own port, not the container's it leads to",
      })),
  ];
}

function portsOf(service: KubernetesObject): readonly number[] {
  const ports = valueAt(service, '/spec/ports');
  return Array.isArray(ports) ? ports.map(({ port }: { readonly port: number }) => port) : [];
}
