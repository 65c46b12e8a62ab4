import { RESTORE_FINALIZER } from '../../../api/names';
import { type LinkerdConfig, VALUES_KEY } from '../objects/linkerd-config';
import { configHash, valuesHash } from '../values/config-hash';
import { editValues } from '../values/edit-values';
import { effectiveValues } from '../values/effective-values';
import { readValues } from '../values/read-values';
import { checkValues } from './check-values';
import { chooseBaseline } from './choose-baseline';
import { driftNotes } from './drift';
import { type ConfigSettings, evidenceOf, type ObservedConfig } from './observed-config';
import { planDeletion } from './plan-deletion';
import type { ConfigInForce, ConfigPlan, ConfigProblem, ConfigStep } from './plan-result';

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
    // An installer's write meanwhile must not be lost to the next writer.
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
    message: `ConfigMap ${baseline?.metadata.name} does not hold the values of an installation any more: ${why}`,
  };
}

const NOTHING = { steps: [], notes: [] };

function failed(problem: ConfigProblem): ConfigPlan {
  return { ...NOTHING, problem };
}
