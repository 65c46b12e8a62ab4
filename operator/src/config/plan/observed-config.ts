import { baselineOf } from '../objects/baseline';
import type { ConfigMap, LinkerdConfig } from '../objects/linkerd-config';
import { valuesOwners } from '../objects/values-owners';
import { readValues } from '../values/read-values';
import type { BaselineEvidence } from './choose-baseline';

/** An accepted LinkerdConfig, and its ConfigMaps in the cluster. */
export interface ObservedConfig {
  readonly config: LinkerdConfig;
  /** The control plane's ConfigMap, with its managedFields. */
  readonly configMap: ConfigMap | undefined;
  /** The ConfigMap with the baseline. */
  readonly baseline: ConfigMap | undefined;
}

/** Names that distinguish the writers of values. */
export interface ConfigSettings {
  /** The operator's field manager. */
  readonly fieldManager: string;
  /** Field managers of installers. */
  readonly installers: readonly string[];
}

/** Collects the evidence for the baseline from the values in the ConfigMap and their history. */
export function evidenceOf(
  text: string,
  { config, configMap, baseline }: ObservedConfig,
  settings: ConfigSettings,
): BaselineEvidence {
  return {
    written: readValues(text),
    owners: valuesOwners(configMap?.metadata.managedFields, settings.fieldManager),
    kept: baseline && baselineOf(baseline),
    uid: config.metadata.uid ?? '',
    lastHash: config.status?.valuesHash,
    installers: settings.installers,
  };
}
