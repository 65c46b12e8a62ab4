import type { ApiObject } from 'cdk8s';
import { addRule } from '../../../gitops/tree/add-rule';
import { jsonOf } from '../../../gitops/tree/api-objects';
import { describeApiObject } from '../../../gitops/tree/meshable';
import type { Problem } from '../../../kubernetes/findings/problem';
import { pointer, valueAt } from '../../../kubernetes/json-pointer';
import { MESHING_FINDINGS } from '../findings';

/** A Middleware that sends all requests to one service. */
export interface ServiceMiddleware {
  readonly namespace: string;
  readonly middlewareName: string;
  /** The Middleware as Traefik's annotations name it. */
  readonly reference: string;
  readonly serviceName: string;
}

const MIDDLEWARES = 'traefik.ingress.kubernetes.io/router.middlewares';

/** Has all routes of an Ingress use the Middleware. */
export function attachToIngress(ingress: ApiObject, middleware: ServiceMiddleware): void {
  const before = valueAt(ingress.metadata.toJson(), pointer('/annotations', MIDDLEWARES));
  const names = typeof before === 'string' ? before.split(',') : [];
  if (!names.includes(middleware.reference)) {
    ingress.metadata.addAnnotation(MIDDLEWARES, [...names, middleware.reference].join(','));
  }
  addRule(ingress, () => checkIngress(ingress, middleware));
}

function checkIngress(ingress: ApiObject, { serviceName, namespace }: ServiceMiddleware): readonly Problem[] {
  const name = describeApiObject(ingress);
  if (ingress.kind !== 'Ingress') {
    const kinds = 'an Ingress or an IngressRoute';
    return [
      MESHING_FINDINGS.annotationWithoutIngress({ call: 'attachTo()', object: name, controller: 'Traefik', kinds }),
    ];
  }
  const own = ingress.metadata.namespace ?? namespace;
  const others = jsonOf(ingress)
    .flatMap(backendsOf)
    .filter((backend) => backend !== serviceName);
  if (own === namespace && others.length === 0) return [];
  return [
    MESHING_FINDINGS.ingressOfSeveralServices({
      ingress: name,
      service: `${namespace}/${serviceName}`,
      services: [serviceName, ...others].map((other) => `${own}/${other}`).join(', '),
    }),
  ];
}

function backendsOf(ingress: unknown): readonly string[] {
  const backends = [valueAt(ingress, '/spec/defaultBackend'), ...rulesOf(ingress)];
  return [...new Set(backends.map((backend) => valueAt(backend, '/service/name')))].filter(
    (name) => typeof name === 'string',
  );
}

function rulesOf(ingress: unknown): readonly unknown[] {
  return listAt(ingress, '/spec/rules').flatMap((rule) =>
    listAt(rule, '/http/paths').map((path) => valueAt(path, '/backend')),
  );
}

function listAt(value: unknown, path: string): readonly unknown[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}
