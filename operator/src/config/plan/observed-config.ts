import { baselineOf } from '../objects/baseline';
import type { ConfigMap, LinkerdConfig } from '../objects/linkerd-config';
import { valuesOwners } from '../objects/values-owners';
import { readValues } from '../values/read-values';
import type { BaselineEvidence } from './choose-baseline';

/** A LinkerdConfig that counts, and its ConfigMaps as the cluster has them. */
export interface ObservedConfig {
  readonly config: LinkerdConfig;
  /** The control plane's ConfigMap, with its managedFields. */
  readonly configMap: ConfigMap | undefined;
  /** The ConfigMap that keeps the baseline. */
  readonly baseline: ConfigMap | undefined;
}

/** Names by which the writers of values are told apart. */
export interface ConfigSettings {
  /** The name under which we write. */
  readonly fieldManager: string;
  /** Field managers whose writes are the installation's. */
  readonly installers: readonly string[];
}

/** Gathers the evidence for a decision about the baseline from the values in the ConfigMap and their history. */
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
