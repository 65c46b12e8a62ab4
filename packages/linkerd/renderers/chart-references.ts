import { isMap, type Values } from '#base/values';
import type { Reference, ReferencedKind } from '#kubernetes/objects/references';

/** Returns references to objects of one kind in one namespace. */
export function named(kind: ReferencedKind, namespace: string, names: readonly string[]): readonly Reference[] {
  return names.map((name) => ({ kind, namespace, name }));
}

/** Returns the Secrets in a chart's `imagePullSecrets`, which the charts set on their service accounts. */
export function pullSecrets({ imagePullSecrets }: Values, namespace: string): readonly Reference[] {
  if (!Array.isArray(imagePullSecrets)) return [];
  return imagePullSecrets.flatMap((secret) =>
    isMap(secret) && typeof secret.name === 'string' ? named('Secret', namespace, [secret.name]) : [],
  );
}

/** Returns the namespace of the control plane, in which extensions write a Role for the objects that they read. */
export function controlPlaneNamespace({ linkerdNamespace }: Values): readonly string[] {
  return typeof linkerdNamespace === 'string' ? [linkerdNamespace] : [];
}
