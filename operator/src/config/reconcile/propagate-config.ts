import type { ReconcileResult } from '../../../../packages/controller-runtime/controller/controller';
import { readConfigMaps } from '../objects/config-store';
import { type LinkerdConfig, VALUES_KEY } from '../objects/linkerd-config';
import { readValues } from '../values/read-values';
import type { Outcome } from './config-status';
import type { Attempt, SettledConfig } from './reconcile-context';
import { reportedRejection } from './rejected-write';
import { writeStatus } from './write-status';

/** Milliseconds until a LinkerdConfig reports that a rejected write has succeeded. */
const TOLD_AFTER_MS = 250;

/**
 * Propagates an applied configuration to proxies, by one step. The status records what is started, so it is written
 * first.
 */
export async function propagate(found: SettledConfig, attempt: Attempt): Promise<ReconcileResult> {
  const { config, inForce } = found;
  const { propagation, settled, following, signal } = attempt;
  const { maxUnavailableWorkloads, progressDeadlineSeconds } = config.spec;
  // Before reading the caches: later changes cause another reconcile.
  following.add(config.metadata.name);
  const plan = await propagation.plan({
    configHash: inForce.configHash,
    adoptedHash: inForce.adoptedHash,
    maxUnavailableWorkloads,
    progressDeadlineSeconds,
    previous: config.status ?? {},
  });
  // What was refused last time may be refused again: the status must not alternate with each attempt.
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
