import type { KubeClient } from '#controller-runtime/client/kube-client';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import { lockedTo } from '#controller-runtime/objects/kube-object';
import { RESTORE_FINALIZER } from '#operator/api/names';
import { type Baseline, baselineConfigMap } from '../objects/baseline';
import { type ConfigMap, LINKERD_CONFIGS, VALUES_KEY } from '../objects/linkerd-config';
import type { ObservedConfig } from '../plan/choose-baseline';
import type { ConfigStep } from '../plan/plan-result';

/** The client and the signal for steps. */
export interface StepContext {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
}

/**
 * Executes the steps of a plan, in order. Each write succeeds only if the object has not changed since it was observed.
 *
 * @throws ApiError 409 if it has: then a new plan is needed
 */
export async function runSteps(
  steps: readonly ConfigStep[],
  observed: ObservedConfig,
  context: StepContext,
): Promise<void> {
  for (const step of steps) await runStep(step, observed, context);
}

async function runStep(step: ConfigStep, observed: ObservedConfig, context: StepContext): Promise<void> {
  switch (step.do) {
    case 'add-finalizer':
    case 'remove-finalizer':
      return writeFinalizer(step.do === 'add-finalizer', observed, context);
    case 'keep-baseline':
      return keepBaseline(step.baseline, observed, context);
    case 'delete-baseline':
      return deleteBaseline(observed, context);
    case 'write-values':
      return writeValues(step.text, observed, context);
  }
}

async function writeFinalizer(
  wanted: boolean,
  { config }: ObservedConfig,
  { client, signal }: StepContext,
): Promise<void> {
  const { name, resourceVersion, finalizers = [] } = config.metadata;
  const foreign = finalizers.filter((finalizer) => finalizer !== RESTORE_FINALIZER);
  const metadata = { resourceVersion, finalizers: wanted ? [...foreign, RESTORE_FINALIZER] : foreign };
  await client.patch(LINKERD_CONFIGS, name, { type: 'merge', body: { metadata } }, { signal });
}

async function keepBaseline(
  baseline: Baseline,
  { config, baseline: kept }: ObservedConfig,
  { client, signal }: StepContext,
): Promise<void> {
  const configMap = baselineConfigMap(config, baseline);
  // Applying would also overwrite an unknown baseline.
  if (kept === undefined) await client.create(CONFIG_MAPS, configMap, { signal });
  else await client.apply(CONFIG_MAPS, lockedTo(kept, configMap), { force: true, signal });
}

async function deleteBaseline({ baseline }: ObservedConfig, { client, signal }: StepContext): Promise<void> {
  if (baseline === undefined) return;
  const { namespace, name, uid, resourceVersion } = baseline.metadata;
  const preconditions = { uid, resourceVersion };
  await client.delete(CONFIG_MAPS, `${namespace}/${name}`, { preconditions, signal });
}

async function writeValues(
  text: string,
  { configMap }: ObservedConfig,
  { client, signal }: StepContext,
): Promise<void> {
  if (configMap === undefined) return;
  const { namespace, name } = configMap.metadata;
  const values: ConfigMap = { metadata: { namespace, name }, data: { [VALUES_KEY]: text } };
  await client.apply(CONFIG_MAPS, lockedTo(configMap, values), { force: true, signal });
}
