import type { ManagedFieldsEntry, ObjectMeta } from '#controller-runtime/objects/kube-object';
import { CONFIG_DEFAULTS, type LinkerdConfigSpec } from '#operator/api/linkerd-config';
import { type Baseline, baselineConfigMap } from '#operator/src/config/objects/baseline';
import type { ConfigMap, LinkerdConfig, LinkerdConfigStatus } from '#operator/src/config/objects/linkerd-config';

/** A LinkerdConfig with the defaults filled in. */
export function linkerdConfig({
  spec,
  status,
  ...metadata
}: Partial<ObjectMeta> & { spec?: Partial<LinkerdConfigSpec>; status?: LinkerdConfigStatus } = {}): LinkerdConfig {
  return {
    metadata: { name: 'mesh', uid: 'uid-mesh', generation: 1, creationTimestamp: '2026-11-01T00:00:00Z', ...metadata },
    spec: { ...CONFIG_DEFAULTS, ...spec },
    status,
  };
}

/** The control plane's ConfigMap. Each of `writers` is a field manager of the values. */
export function valuesConfigMap(text: string, ...writers: readonly string[]): ConfigMap {
  return {
    metadata: {
      namespace: 'linkerd',
      name: 'linkerd-config',
      resourceVersion: '7',
      managedFields: writers.map((manager) => ownership(manager)),
    },
    data: { values: text },
  };
}

/** An entry of managedFields by which `manager` owns the values. */
export function ownership(manager: string, entry: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  return { manager, operation: 'Apply', fieldsV1: { 'f:data': { 'f:values': {} } }, ...entry };
}

/** The ConfigMap with a baseline. */
export function keptBaseline(baseline: Partial<Baseline> & Pick<Baseline, 'text'>): ConfigMap {
  return baselineConfigMap({ spec: CONFIG_DEFAULTS }, { adoptedBy: 'uid-mesh', adoptedHash: '', ...baseline });
}
