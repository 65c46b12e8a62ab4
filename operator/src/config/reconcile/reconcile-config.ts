import { conditionOf } from '#base/conditions';
import { isRefusal } from '#controller-runtime/client/api-error';
import type { ReconcileResult } from '#controller-runtime/controller/controller';
import { isKnownLater } from '#controller-runtime/objects/resource-version';
import { FIELD_MANAGER, RESTORE_FINALIZER } from '#operator/api/names';
import { acceptance } from '../objects/acceptance';
import { readConfigMaps } from '../objects/config-maps';
import { LINKERD_CONFIGS, type LinkerdConfig, VALUES_KEY } from '../objects/linkerd-config';
import { planConfig } from '../plan/plan-config';
import type { ConfigProblem } from '../plan/plan-result';
import { readValues } from '../values/read-values';
import type { Outcome } from './config-status';
import type { Attempt, ReconcileContext, SettledConfig } from './reconcile-context';
import { recordNotes } from './reconcile-context';
import { runSteps } from './run-steps';
import { isSameRejection, rejectedWrite, reportedRejection, writeStatus } from './write-status';

/** Reconciles a control plane with the LinkerdConfig of this name. */
export async function reconcileConfig(
  name: string,
  context: ReconcileContext,
  signal: AbortSignal,
): Promise<ReconcileResult | undefined> {
  const attempt = { ...context, signal };
  const { client, configs, settled, following, linkerdNamespace } = context;
  following.delete(name);
  const known = stillSettled(settled.get(name), context);
  const config = known?.config ?? (await client.get<LinkerdConfig>(LINKERD_CONFIGS, name, { signal }));
  settled.delete(name);
  if (config === undefined) return undefined;
  const accepted = acceptance(config, configs(), linkerdNamespace);
  if (!accepted.accepted) return refuse(config, { is: 'refused', acceptance: accepted }, attempt);
  context.follow(config);
  try {
    return await (known === undefined ? enforce(config, attempt) : propagate(known, attempt));
  } catch (error) {
    // The retry follows after the backoff, not with each change of a pod.
    following.delete(name);
    if (isRefusal(error)) await tellRejection(config, rejectedWrite(error), attempt);
    throw error;
  }
}

/** Reports a refusal once: each change of a LinkerdConfig causes another attempt. */
async function tellRejection(config: LinkerdConfig, problem: ConfigProblem, attempt: Attempt): Promise<void> {
  const reported = reportedRejection(config);
  if (reported !== undefined && isSameRejection(reported, problem)) return;
  // If this also fails, the next attempt reports the refusal.
  await writeStatus(config, { is: 'failed', problem }, attempt).catch(() => undefined);
}

/**
 * Returns the settled configuration if it is current. Most changes in a cluster concern workloads, so the configuration
 * is not reread while the caches contain exactly the versions that were read. The cached LinkerdConfig may be older by
 * the operator's own write, which would have failed after another client's change.
 */
function stillSettled(
  known: SettledConfig | undefined,
  { configs, follow }: ReconcileContext,
): SettledConfig | undefined {
  if (known === undefined) return undefined;
  const { metadata, spec } = known.config;
  const config = configs().find((it) => it.metadata.name === metadata.name);
  const configMap = follow(known.config).get(`${spec.controlPlaneNamespace}/${spec.configMapName}`);
  const seen = config?.metadata.resourceVersion;
  const isSame =
    (seen === metadata.resourceVersion || (seen !== undefined && isKnownLater(metadata.resourceVersion, seen))) &&
    configMap?.metadata.resourceVersion === known.resourceVersion;
  return isSame ? known : undefined;
}

/** Reports a LinkerdConfig that is not accepted. There is nothing to restore, so its deletion need not wait. */
async function refuse(
  config: LinkerdConfig,
  outcome: Extract<Outcome, { is: 'refused' }>,
  attempt: Attempt,
): Promise<undefined> {
  const { deletionTimestamp, finalizers } = config.metadata;
  if (isServedElsewhere(config, outcome)) return;
  if (deletionTimestamp === undefined) {
    await writeStatus(config, outcome, attempt);
    return;
  }
  if (!finalizers?.includes(RESTORE_FINALIZER)) return undefined;
  await runSteps([{ do: 'remove-finalizer' }], { config, configMap: undefined, baseline: undefined }, attempt);
}

/** Whether the operator of another control plane is in charge: two operators must not overwrite each other's status. */
function isServedElsewhere(
  { status }: LinkerdConfig,
  { acceptance: { reason } }: Extract<Outcome, { is: 'refused' }>,
): boolean {
  const said = conditionOf(status, 'Accepted');
  return reason === 'UnservedNamespace' && said !== undefined && said.reason !== reason;
}

async function enforce(config: LinkerdConfig, attempt: Attempt): Promise<ReconcileResult | undefined> {
  const { client, signal, installers } = attempt;
  const observed = { config, ...(await readConfigMaps(client, config.spec, signal)) };
  const plan = planConfig(observed, { fieldManager: FIELD_MANAGER, installers });
  await runSteps(plan.steps, observed, attempt);
  recordNotes(config, plan.notes, attempt);
  // Changing the finalizers creates another version of the LinkerdConfig, which is reconciled again.
  if (plan.steps.some((step) => step.do === 'add-finalizer' || step.do === 'remove-finalizer')) return undefined;
  if (plan.problem !== undefined) {
    const { problem, isAccepted } = plan;
    await writeStatus(config, { is: 'failed', problem, isAccepted }, attempt);
    return undefined;
  }
  if (plan.inForce === undefined) return undefined;
  const resourceVersion = plan.steps.length === 0 ? observed.configMap?.metadata.resourceVersion : undefined;
  return propagate({ config, inForce: plan.inForce, resourceVersion }, attempt);
}

/** Milliseconds until a LinkerdConfig reports that a rejected write has succeeded. */
const TOLD_AFTER_MS = 250;

/**
 * Propagates an applied configuration to proxies, by one step. The status records the started restarts, so it is
 * written first.
 */
export async function propagate(found: SettledConfig, attempt: Attempt): Promise<ReconcileResult> {
  const { config, inForce } = found;
  const { propagation, settled, following, signal } = attempt;
  const { maxUnavailableWorkloads, progressDeadlineSeconds } = config.spec;
  // Added before the caches are read, so that later changes cause another reconcile.
  following.add(config.metadata.name);
  const plan = await propagation.plan({
    configHash: inForce.configHash,
    adoptedHash: inForce.adoptedHash,
    maxUnavailableWorkloads,
    progressDeadlineSeconds,
    previous: config.status ?? {},
  });
  // The same write may be refused again, and the status must not alternate with each attempt.
  const refusal = plan.actions.length === 0 ? undefined : reportedRejection(config);
  const outcome: Outcome = { is: 'in-force', inForce, report: plan.report, refusal };
  const written = await writeStatus(config, outcome, attempt);
  if (found.resourceVersion !== undefined) settled.set(config.metadata.name, { ...found, config: written });
  const holdsConfig = (whenAborted: AbortSignal) =>
    holds(inForce.valuesHash, config, { ...attempt, signal: whenAborted });
  const run = await propagation.run(plan, { signal, holdsConfig });
  const retold = refusal === undefined ? undefined : TOLD_AFTER_MS;
  const waits = [plan.requeueAfterMs, run.requeueAfterMs, retold].filter((wait) => wait !== undefined);
  return waits.length === 0 ? {} : { requeueAfterMs: Math.min(...waits) };
}

async function holds(hash: string, { spec }: LinkerdConfig, { client, signal }: Attempt): Promise<boolean> {
  const { configMap } = await readConfigMaps(client, spec, signal);
  const written = readValues(configMap?.data?.[VALUES_KEY] ?? '');
  return 'hash' in written && written.hash === hash;
}
