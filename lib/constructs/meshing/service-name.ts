import type { ApiObjectMetadataDefinition } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { checkDnsLabel } from '#kubernetes/names';
import { part } from '#kubernetes/options/known-keys';
import { MESHING_FINDINGS } from './findings';

/** A Service as an object: of cdk8s-plus, or a plain cdk8s object of that kind. */
export interface ServiceObject {
  readonly kind: string;
  readonly name: string;
  readonly metadata: ApiObjectMetadataDefinition;
}

/** A Service by its name. */
export interface ServiceName {
  readonly name: string;
  readonly namespace: string;
}

/** A Service of this program, or the name of one that another tool creates. */
export const SERVICE = part('a Service, or its name and namespace', 'name');

/** Returns the name and namespace of a service; empty if an object does not have them. */
export function serviceNameOf(service: ServiceName | ServiceObject): ServiceName {
  if (!('metadata' in service)) return service;
  return { name: service.name, namespace: service.metadata.namespace ?? '' };
}

/** Checks a service that other objects refer to. */
export function checkService(field: string, service: ServiceName | ServiceObject): readonly Problem[] {
  const { name, namespace } = serviceNameOf(service);
  if ('metadata' in service && service.kind !== 'Service') {
    return [MESHING_FINDINGS.canaryRouteRefusedObject({ field, kind: service.kind, name })];
  }
  if (namespace === '') {
    return [MESHING_FINDINGS.canaryRouteRefusedNamespace({ field, name })];
  }
  return [...checkDnsLabel(`The name of ${field}`, name), ...checkDnsLabel(`The namespace of ${field}`, namespace)];
}
