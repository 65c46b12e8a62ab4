import type { ReconcileResult } from '../../runtime/controller/controller';
import { readConfigMaps } from '../objects/config-store';
import { type LinkerdConfig, VALUES_KEY } from '../objects/linkerd-config';
import { readValues } from '../values/read-values';
import type { Outcome } from './config-status';
import type { Attempt, SettledConfig } from './reconcile-context';
import { toldRejection } from './rejected-write';
import { writeStatus } from './write-status';

/** Milliseconds until a LinkerdConfig tells that a rejected write has gone through. */
const TOLD_AFTER_MS = 250;

/**
 * Brings a configuration that is in force to the proxies, by one step. The status remembers what was begun, so that it is
 * written before anything begins.
 */
export async function propagate(found: SettledConfig, attempt: Attempt): Promise<ReconcileResult> {
  const { config, inForce } = found;
  const { propagation, settled, following, signal } = attempt;
  const { maxUnavailableWorkloads, progressDeadlineSeconds } = config.spec;
  // Before the caches are looked at: what changes from here on leads to another look.
  following.add(config.metadata.name);
  const plan = await propagation.plan({
    configHash: inForce.configHash,
    adoptedHash: inForce.adoptedHash,
    maxUnavailableWorkloads,
    progressDeadlineSeconds,
    previous: config.status ?? {},
  });
  // What was refused last time may be refused again: its status does not turn to and fro with each attempt.
  const refusal = plan.actions.length === 0 ? undefined : toldRejection(config);
  const outcome: Outcome = { is: 'in-force', inForce, report: plan.report, refusal };
  const told = await writeStatus(config, outcome, attempt);
  if (found.resourceVersion !== undefined) settled.set(config.metadata.name, { ...found, config: told });
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
