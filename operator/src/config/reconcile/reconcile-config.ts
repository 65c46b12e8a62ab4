import { FIELD_MANAGER, RESTORE_FINALIZER } from '../../../api/names';
import { isRefusal } from '../../runtime/client/api-error';
import type { ReconcileResult } from '../../runtime/controller/controller';
import { isKnownLater } from '../../runtime/objects/resource-version';
import { acceptance } from '../objects/acceptance';
import { readConfigMaps } from '../objects/config-store';
import { LINKERD_CONFIGS, type LinkerdConfig } from '../objects/linkerd-config';
import { planConfig } from '../plan/plan-config';
import type { ConfigProblem } from '../plan/plan-result';
import type { Outcome } from './config-status';
import { propagate } from './propagate-config';
import type { Attempt, ReconcileContext, SettledConfig } from './reconcile-context';
import { recordNotes } from './record-notes';
import { isSameRejection, rejectedWrite, toldRejection } from './rejected-write';
import { runSteps } from './run-steps';
import { writeStatus } from './write-status';

/** Brings a control plane in line with the LinkerdConfig of this name. */
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
    // It is tried again after its backoff, not with each pod that comes or goes.
    following.delete(name);
    if (isRefusal(error)) await tellRejection(config, rejectedWrite(error), attempt);
    throw error;
  }
}

/** Tells of a refusal once: each change of a LinkerdConfig leads to another attempt. */
async function tellRejection(config: LinkerdConfig, problem: ConfigProblem, attempt: Attempt): Promise<void> {
  const told = toldRejection(config);
  if (told !== undefined && isSameRejection(told, problem)) return;
  // Where this fails, too, the attempt that follows tells it: what was refused matters more.
  await writeStatus(config, { is: 'failed', problem }, attempt).catch(() => undefined);
}

/**
 * Most of what happens in a cluster concerns the workloads and not the configuration. That need not be read again while
 * the caches hold the very versions that were read: they may be late, but then they hold others. Of the LinkerdConfig
 * also while its cache has yet to see what was written here, which somebody else's change would have kept from being.
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

/** Tells of a LinkerdConfig that does not count. One that never counted has nothing to bring back. */
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

/**
 * Tells whether another operator, that of the other control plane, has the say: the two must not take turns with the
 * status.
 */
function isServedElsewhere(
  { status }: LinkerdConfig,
  { acceptance: { reason } }: Extract<Outcome, { is: 'refused' }>,
): boolean {
  const said = status?.conditions?.find(({ type }) => type === 'Accepted');
  return reason === 'UnservedNamespace' && said !== undefined && said.reason !== reason;
}

async function enforce(config: LinkerdConfig, attempt: Attempt): Promise<ReconcileResult | undefined> {
  const { client, signal, installers } = attempt;
  const observed = { config, ...(await readConfigMaps(client, config.spec, signal)) };
  const plan = planConfig(observed, { fieldManager: FIELD_MANAGER, installers });
  await runSteps(plan.steps, observed, attempt);
  recordNotes(config, plan.notes, attempt);
  // With another finalizer the LinkerdConfig is another version, which comes here again.
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
