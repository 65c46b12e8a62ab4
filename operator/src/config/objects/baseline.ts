import { baselineName } from '../../../api/linkerd-config';
import { ADOPTED_BY_ANNOTATION, ADOPTED_HASH_ANNOTATION, FIELD_MANAGER, MANAGED_BY_LABEL } from '../../../api/names';
import { type ConfigMap, type LinkerdConfig, VALUES_KEY } from './linkerd-config';

/** The configuration of an installation without the LinkerdConfig. */
export interface Baseline {
  /** The text of the values as they were found. */
  readonly text: string;
  /** The uid of the LinkerdConfig that works with the baseline. */
  readonly adoptedBy: string;
  /** The hash of what proxies had of the configuration at the adoption, before the operator did anything. */
  readonly adoptedHash: string;
}

/** Reads the baseline in a ConfigMap; undefined where somebody took it out, since no values would break the mesh. */
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
 * The ConfigMap that keeps a baseline. It belongs to nobody: as long as it is there, the next LinkerdConfig can tell
 * what the installation said.
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
