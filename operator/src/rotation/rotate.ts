import { hostname } from 'node:os';
import { loadConnection } from '#controller-runtime/client/kube-config';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import { createEventRecorder, type EventRecorder } from '#controller-runtime/events/event-recorder';
import { objectKey } from '#controller-runtime/objects/kube-object';
import type { Logger } from '#controller-runtime/telemetry/logger';
import { FIELD_MANAGER } from '../../api/names';
import { RENEWAL_REFUSED_EXIT, type RotationUnit, readRotationUnits } from '../../api/rotation';
import type { RotateOptions } from './rotate-options';
import { rotateUnit } from './rotate-unit';
import type { RotationContext } from './rotation-context';
import { RotationFailure } from './rotation-failure';

/**
 * Rotates the certificates of all units, one unit after the other, until the first failure or until `stop` aborts.
 * @returns the exit code: 0 when everything is done, 3 if a certificate request was refused, 1 for other failures
 */
export async function rotate(options: RotateOptions, log: Logger, stop: AbortSignal): Promise<number> {
  const client = createKubeClient(loadConnection(options), { fieldManager: FIELD_MANAGER });
  const events = createEventRecorder({ client, log, reporter: { component: FIELD_MANAGER, instance: hostname() } });
  const { units } = readRotationUnits({ units: options.unit, trustRoots: options.trustRoots });
  const failure = await rotateAll(units, events, {
    client,
    log,
    runId: options.runId,
    renewalTimeoutMs: options.renewalTimeout,
    rolloutTimeoutMs: options.rolloutTimeout,
    signal: stop,
  });
  await events.flush();
  if (failure === undefined) return 0;
  return failure instanceof RotationFailure && failure.reason === 'RenewalFailed' ? RENEWAL_REFUSED_EXIT : 1;
}

async function rotateAll(
  units: readonly RotationUnit[],
  events: EventRecorder,
  context: RotationContext,
): Promise<unknown> {
  const { log } = context;
  let done = 0;
  try {
    for (const unit of units) {
      await rotateUnit(unit, context);
      done += 1;
    }
    log.info('rotated all certificates', { deployments: done });
    return undefined;
  } catch (error) {
    report(error, events, log.with({ done, untouched: units.slice(done + 1).map(nameOf) }));
    return error;
  }
}

function report(error: unknown, events: EventRecorder, log: Logger): void {
  if (!(error instanceof RotationFailure)) {
    log.error('the rotation stopped', { error });
    return;
  }
  const { regarding, reason, message } = error;
  events.record({ regarding, type: 'Warning', reason, note: `The rotation of certificates stopped: ${message}` });
  log.error('the rotation stopped', { object: `${regarding.kind} ${objectKey(regarding)}`, reason, error: message });
}

function nameOf({ namespace, deployment }: RotationUnit): string {
  return `${namespace}/${deployment}`;
}
