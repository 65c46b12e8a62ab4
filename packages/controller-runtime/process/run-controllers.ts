import type { RunnableController } from '../controller/controller';
import { aborted, sleep } from '../timing/wait';

/** Options of {@link runControllers}. */
export interface ControllerRun {
  /** Stops the work when it aborts: no key is taken, and those in progress are finished. */
  readonly stop: AbortSignal;
  /**
   * Stops the work at once when it aborts: another process leads. Absent for a process that leads without an election.
   */
  readonly lost?: AbortSignal;
  /** Maximum milliseconds for keys in progress after `stop`. */
  readonly graceMs: number;
}

/** Milliseconds for reconciles to end after their requests were aborted at the end of the grace period. */
const AFTER_GRACE_MS = 1000;

/** Runs controllers until they are stopped, or the lead is lost. */
export async function runControllers(
  controllers: readonly RunnableController[],
  run: ControllerRun,
): Promise<'stopped' | 'lost'> {
  const { stop, lost, graceMs } = run;
  const abort = new AbortController();
  const done = new AbortController();
  const finished = Promise.all(controllers.map((controller) => controller.run(stop, abort.signal)));
  const ends: Promise<'stopped' | 'lost'>[] = [finished.then(() => 'stopped' as const), outOfTime()];
  if (lost !== undefined) ends.push(aborted(lost).then(() => 'lost' as const));
  try {
    return await Promise.race(ends);
  } finally {
    abort.abort(lost?.reason ?? new Error('The grace period is over'));
    done.abort();
  }

  async function outOfTime(): Promise<'stopped'> {
    await aborted(stop);
    await sleep(graceMs, done.signal);
    abort.abort(new Error('The grace period is over'));
    await sleep(AFTER_GRACE_MS, done.signal);
    return 'stopped';
  }
}
