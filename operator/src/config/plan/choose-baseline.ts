import { type Baseline, baselineOf } from '../objects/baseline';
import { type ValuesOwners, valuesOwners } from '../objects/config-maps';
import type { ConfigMap, LinkerdConfig } from '../objects/linkerd-config';
import { configHash, type HashedValues, type ReadValues, readValues } from '../values/read-values';
import type { ConfigNote, ConfigProblem } from './plan-result';

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

/** The evidence for a decision about the baseline. */
export interface BaselineEvidence {
  /** The values in the ConfigMap. */
  readonly written: ReadValues;
  readonly owners: ValuesOwners;
  /** The stored baseline, if there is one. */
  readonly kept: Baseline | undefined;
  /** The uid of the LinkerdConfig. */
  readonly uid: string;
  /** Hash of the values that this LinkerdConfig last applied. */
  readonly lastHash: string | undefined;
  /** Field managers of installers. */
  readonly installers: readonly string[];
}

/** The baseline to use, whether it must be stored again, and the notes about it. */
export type BaselineChoice =
  | { readonly baseline: Baseline; readonly isNew: boolean; readonly notes: readonly ConfigNote[] }
  | { readonly problem: ConfigProblem };

/**
 * Chooses the installation's values: those found at adoption, or those that an installer wrote since, even if they
 * equal the operator's. A LinkerdConfig that takes over uses the baseline of its predecessor if the values were not
 * changed meanwhile.
 */
export function chooseBaseline(evidence: BaselineEvidence): BaselineChoice {
  const { written, owners, kept, uid } = evidence;
  if (kept === undefined || (kept.adoptedBy !== uid && !owners.ours)) return adopt(written, evidence);
  const installers = owners.others.filter((manager) => evidence.installers.includes(manager));
  const isTakenOver = kept.adoptedBy !== uid;
  if (installers.length === 0) return { baseline: { ...kept, adoptedBy: uid }, isNew: isTakenOver, notes: [] };
  if ('unreadable' in written) return { problem: unreadable(written.unreadable) };
  const isSaidAnew = kept.text !== written.text;
  return {
    baseline: { ...kept, adoptedBy: uid, text: written.text },
    isNew: isTakenOver || isSaidAnew,
    notes: isSaidAnew
      ? [normal('BaselineUpdated', `${installers.join(', ')} wrote the values, which are the new baseline`)]
      : [],
  };
}

function adopt(written: ReadValues, { uid, lastHash }: BaselineEvidence): BaselineChoice {
  if ('unreadable' in written) return { problem: unreadable(written.unreadable) };
  const note =
    lastHash === undefined
      ? normal('Adopted', `The current values (${written.hash}) are the baseline`)
      : warning(
          'BaselineLost',
          'The ConfigMap with the values of the installation is gone: the current values are the new baseline',
        );
  return { baseline: adopted(written, uid), isNew: true, notes: [note] };
}

function adopted({ text, values }: HashedValues, uid: string): Baseline {
  return { text, adoptedBy: uid, adoptedHash: configHash(values) };
}

function normal(reason: string, note: string): ConfigNote {
  return { type: 'Normal', reason, note };
}

function warning(reason: string, note: string): ConfigNote {
  return { type: 'Warning', reason, note };
}

function unreadable(why: string): ConfigProblem {
  return {
    reason: 'ValuesUnreadable',
    message: `Linkerd cannot read the values of the ConfigMap: ${why}`,
  };
}
