import { RESTORE_FINALIZER } from '../../../api/names';
import { type Baseline, baselineOf } from '../objects/baseline';
import { VALUES_KEY } from '../objects/linkerd-config';
import { readValues } from '../values/read-values';
import { chooseBaseline } from './choose-baseline';
import { type ConfigSettings, evidenceOf, type ObservedConfig } from './observed-config';
import type { ConfigNote, ConfigPlan, ConfigStep } from './plan-result';

/**
 * Plans the steps before a LinkerdConfig is deleted. The current values stay, unless its finalizer asks for the
 * baseline, which is then restored byte for byte.
 */
export function planDeletion(observed: ObservedConfig, settings: ConfigSettings): ConfigPlan {
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
  note: 'The values are those that were installed; pods that run keep theirs until they are restarted',
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
