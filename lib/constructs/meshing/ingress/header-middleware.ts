import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Middleware } from '../../../../imports/crds/traefik.io';
import { manifest } from '../../../gitops/tree/manifest';

/** The header by which a request tells a proxy in ingress mode where it is to go. */
const DST_OVERRIDE = 'l5d-dst-override';

/** A Middleware, and the value that it gives the header; an empty one removes it. */
export interface HeaderMiddleware {
  readonly name: string;
  readonly namespace: string;
  readonly value: string;
}

/** Adds the Traefik Middleware that decides the header, whatever the client sent. */
export function dstOverrideMiddleware(scope: Construct, { name, namespace, value }: HeaderMiddleware): ApiObject {
  return manifest(scope, 'middleware', {
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'Middleware',
    metadata: { name, namespace },
    spec: { headers: { customRequestHeaders: { [DST_OVERRIDE]: value } } },
  } satisfies Middleware);
}

/** A Middleware by the name that Traefik's annotations and arguments use, its provider included. */
export function middlewareReference(namespace: string, name: string): string {
  return `${namespace}-${name}@kubernetescrd`;
}
