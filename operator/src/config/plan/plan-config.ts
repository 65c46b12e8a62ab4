import { listed } from '#base/findings/listed';
import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { RESTORE_FINALIZER } from '#operator/api/names';
import { checkInjectionChange } from '../checks/check-injection-change';
import { checkPrivateKeys } from '../checks/check-private-keys';
import { checkSize } from '../checks/check-size';
import { rejectionText } from '../checks/rejection-text';
import { type Baseline, baselineOf } from '../objects/baseline';
import { type LinkerdConfig, VALUES_KEY } from '../objects/linkerd-config';
import { diffValues, editValues } from '../values/edit-values';
import { effectiveValues } from '../values/effective-values';
import { configHash, readValues, valuesHash } from '../values/read-values';
import type { BaselineEvidence } from './choose-baseline';
import { type ConfigSettings, chooseBaseline, evidenceOf, type ObservedConfig } from './choose-baseline';
import type { ConfigInForce, ConfigNote, ConfigPlan, ConfigProblem, ConfigStep } from './plan-result';

/** Plans the steps after which the control plane's ConfigMap contains what the LinkerdConfig asks for. */
export function planConfig(observed: ObservedConfig, settings: ConfigSettings): ConfigPlan {
  const { config, configMap } = observed;
  if (config.metadata.deletionTimestamp !== undefined) return planDeletion(observed, settings);
  const text = configMap?.data?.[VALUES_KEY];
  const plan = text === undefined ? failed(missing(observed)) : planValues(text, observed, settings);
  return { ...plan, steps: [...finalizerSteps(config), ...plan.steps] };
}

function finalizerSteps({ metadata, spec }: LinkerdConfig): readonly ConfigStep[] {
  const [has, wants] = [metadata.finalizers?.includes(RESTORE_FINALIZER) ?? false, spec.deletionPolicy === 'Restore'];
  return has === wants ? [] : [{ do: wants ? 'add-finalizer' : 'remove-finalizer' }];
}

function missing({ config, configMap }: ObservedConfig): ConfigProblem {
  const { controlPlaneNamespace, configMapName } = config.spec;
  const name = `${controlPlaneNamespace}/${configMapName}`;
  return configMap === undefined
    ? { reason: 'ConfigMapNotFound', message: `There is no ConfigMap ${name}: Linkerd is not installed there.` }
    : { reason: 'ValuesNotFound', message: `ConfigMap ${name} has no ${VALUES_KEY}: it is not Linkerd's.` };
}

function planValues(text: string, observed: ObservedConfig, settings: ConfigSettings): ConfigPlan {
  const evidence = evidenceOf(text, observed, settings);
  const { written } = evidence;
  const choice = chooseBaseline(evidence);
  if ('problem' in choice) return failed(choice.problem);
  const { baseline, isNew, notes } = choice;
  const base = readValues(baseline.text);
  if ('unreadable' in base) return failed(unreadableBaseline(observed, base.unreadable));
  const keep: readonly ConfigStep[] = isNew ? [{ do: 'keep-baseline', baseline }] : [];
  const problem = checkValues(observed.config.spec.values, base.values);
  if (problem !== undefined) {
    // An installer's write is stored even now: the next writer may overwrite it.
    const isOurs = evidence.kept?.adoptedBy === evidence.uid;
    return { ...(isOurs ? { steps: keep, notes } : NOTHING), problem, isAccepted: false };
  }
  const values = effectiveValues(base.values, observed.config.spec.values);
  const inForce: ConfigInForce = {
    values,
    valuesHash: valuesHash(values),
    configHash: configHash(values),
    adoptedHash: baseline.adoptedHash,
  };
  if ('hash' in written && written.hash === inForce.valuesHash) return { steps: keep, notes, inForce };
  const desired = { values, text: editValues(base, values) };
  return {
    steps: [...keep, { do: 'write-values', text: desired.text }],
    notes: [...notes, ...driftNotes(evidence, values)],
    inForce,
  };
}

function unreadableBaseline({ baseline }: ObservedConfig, why: string): ConfigProblem {
  return {
    reason: 'BaselineUnreadable',
    message: `ConfigMap ${baseline?.metadata.name} no longer contains the values of an installation: ${why}`,
  };
}

const NOTHING = { steps: [], notes: [] };

function failed(problem: ConfigProblem): ConfigPlan {
  return { ...NOTHING, problem };
}

/**
 * Checks values by the rules of the webhook, which may be off, or was down when they were written. Omits checks that
 * depend on a clock or a certificate of the cluster, and the check of the release: it would reject a LinkerdConfig that
 * worked until the installation was upgraded.
 *
 * @param installed - the values of the installation
 */
export function checkValues(wanted: Values | undefined, installed: Values): ConfigProblem | undefined {
  const problems = checkInTurn(wanted, installed);
  return problems.length === 0 ? undefined : { reason: 'InvalidValues', message: rejectionText(problems) };
}

function checkInTurn(wanted: Values | undefined, installed: Values): readonly Problem[] {
  const tooLarge = checkSize(wanted);
  if (tooLarge.length > 0) return tooLarge;
  const privateKeys = checkPrivateKeys(wanted);
  // The messages of other problems may quote the key.
  return privateKeys.length > 0 ? privateKeys : checkInjectionChange({ wanted, old: undefined }, installed);
}

/**
 * Plans the steps before a LinkerdConfig is deleted. If it has the finalizer, the baseline is restored byte for byte.
 * Otherwise the current values stay.
 */
function planDeletion(observed: ObservedConfig, settings: ConfigSettings): ConfigPlan {
  const { config, configMap } = observed;
  if (!config.metadata.finalizers?.includes(RESTORE_FINALIZER)) return { steps: [], notes: [] };
  const steps: ConfigStep[] = [];
  const baseline = baselineToRestore(observed, settings);
  const notes: ConfigNote[] = [];
  const text = configMap?.data?.[VALUES_KEY];
  if (baseline !== undefined && text !== undefined && text !== baseline.text) {
    steps.push({ do: 'write-values', text: baseline.text });
    notes.push(RESTORED);
  }
  if (baseline !== undefined) steps.push({ do: 'delete-baseline' });
  steps.push({ do: 'remove-finalizer' });
  return { steps, notes };
}

const RESTORED: ConfigNote = {
  type: 'Normal',
  reason: 'Restored',
  note: 'The values of the installation are restored; running pods keep the old configuration until they restart',
};

function baselineToRestore(observed: ObservedConfig, settings: ConfigSettings): Baseline | undefined {
  const { config, configMap } = observed;
  if (config.spec.deletionPolicy !== 'Restore' || observed.baseline === undefined) return undefined;
  const kept = baselineOf(observed.baseline);
  if (kept === undefined || 'unreadable' in readValues(kept.text)) return undefined;
  if (kept.adoptedBy !== config.metadata.uid) return undefined;
  const choice = chooseBaseline(evidenceOf(configMap?.data?.[VALUES_KEY] ?? kept.text, observed, settings));
  return 'problem' in choice ? kept : choice.baseline;
}

const MAX_NAMED = 5;

/**
 * Returns the notes about values that are about to be overwritten: drift, unless the operator or an installer wrote
 * them.
 *
 * @param values - the intended values
 */
function driftNotes(evidence: BaselineEvidence, values: Values): readonly ConfigNote[] {
  const { owners, kept, uid, installers } = evidence;
  const isOurs = owners.ours || owners.others.some((manager) => installers.includes(manager));
  if (isOurs || kept?.adoptedBy !== uid || isKnown(evidence)) return [];
  const who =
    owners.others.length === 0 ? 'an unknown field manager' : `other field managers (${owners.others.join(', ')})`;
  return [
    {
      type: 'Warning',
      reason: 'DriftReverted',
      note: `Reverted the changes of ${who} to the values: ${difference(evidence, values)}${consequence(evidence, values)}`,
    },
  ];
}

/** Whether the values are those that this LinkerdConfig applied, or found, even if they were rewritten since. */
function isKnown({ written, lastHash, kept }: BaselineEvidence): boolean {
  if ('unreadable' in written) return false;
  return lastHash === undefined ? configHash(written.values) === kept?.adoptedHash : written.hash === lastHash;
}

/**
 * Warns about pods that were created meanwhile, which cannot be distinguished from those with the right configuration.
 */
function consequence({ written }: BaselineEvidence, values: Values): string {
  const isHarmless = 'unreadable' in written || configHash(written.values) === configHash(values);
  return isHarmless ? '' : '. Pods created in the meantime may have this configuration: restart them';
}

function difference({ written }: BaselineEvidence, values: Values): string {
  if ('unreadable' in written) return 'not YAML';
  const paths = diffValues(values, written.values).map(({ path }) => path.join('.'));
  return listed(paths, MAX_NAMED);
}
