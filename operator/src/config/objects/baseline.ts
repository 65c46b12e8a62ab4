import { baselineName } from '#operator/api/linkerd-config';
import { ADOPTED_BY_ANNOTATION, ADOPTED_HASH_ANNOTATION, FIELD_MANAGER, MANAGED_BY_LABEL } from '#operator/api/names';
import { type ConfigMap, type LinkerdConfig, VALUES_KEY } from './linkerd-config';

/** The configuration of an installation without its LinkerdConfig. */
export interface Baseline {
  /** The original text of the values. */
  readonly text: string;
  /** The uid of the LinkerdConfig that uses the baseline. */
  readonly adoptedBy: string;
  /** The hash of the proxies' configuration at the adoption, before the operator's first write. */
  readonly adoptedHash: string;
}

/** Reads the baseline from a ConfigMap; undefined if it was removed, because empty values would break the mesh. */
export function baselineOf({ metadata, data }: ConfigMap): Baseline | undefined {
  const text = data?.[VALUES_KEY];
  if (text === undefined) return undefined;
  return {
    text,
    adoptedBy: metadata.annotations?.[ADOPTED_BY_ANNOTATION] ?? '',
    adoptedHash: metadata.annotations?.[ADOPTED_HASH_ANNOTATION] ?? '',
  };
}

/**
 * Returns the ConfigMap with a baseline. It has no owner reference, so that the next LinkerdConfig can still use the
 * installation's values.
 */
export function baselineConfigMap({ spec }: Pick<LinkerdConfig, 'spec'>, baseline: Baseline): ConfigMap {
  return {
    metadata: {
      namespace: spec.controlPlaneNamespace,
      name: baselineName(spec.configMapName),
      labels: { [MANAGED_BY_LABEL]: FIELD_MANAGER },
      annotations: {
        [ADOPTED_BY_ANNOTATION]: baseline.adoptedBy,
        [ADOPTED_HASH_ANNOTATION]: baseline.adoptedHash,
      },
    },
    data: { [VALUES_KEY]: baseline.text },
  };
}
