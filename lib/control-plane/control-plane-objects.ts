import { isMap, type Values } from '../releases/values';
import type { Reference, ReferencedKind } from '../tree/references';

/** Returns what a control plane's chart brings along that other objects refer to. */
export function controlPlaneProvides(namespace: string, heartbeat: boolean): readonly Reference[] {
  const named = (kind: ReferencedKind, names: readonly string[]): readonly Reference[] =>
    names.map((name) => ({ kind, namespace, name }));
  return [
    ...named('ServiceAccount', ['linkerd-destination', 'linkerd-identity', 'linkerd-proxy-injector']),
    ...named('ServiceAccount', heartbeat ? ['linkerd-heartbeat'] : []),
    ...named('Service', [
      'linkerd-dst',
      'linkerd-dst-headless',
      'linkerd-identity',
      'linkerd-identity-headless',
      'linkerd-policy',
      'linkerd-policy-validator',
      'linkerd-proxy-injector',
      'linkerd-sp-validator',
    ]),
    ...named('ConfigMap', ['linkerd-config']),
  ];
}

/** The Secrets that a chart's `imagePullSecrets` name; the charts put them on their service accounts. */
export function pullSecrets(namespace: string, values: Values): readonly Reference[] {
  const secrets = values.imagePullSecrets;
  if (!Array.isArray(secrets)) return [];
  return secrets.flatMap((secret) =>
    isMap(secret) && typeof secret.name === 'string' ? [{ kind: 'Secret', namespace, name: secret.name }] : [],
  );
}
