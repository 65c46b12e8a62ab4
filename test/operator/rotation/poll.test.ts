import { ApiError } from '#controller-runtime/client/api-error';
import { createLogger } from '#controller-runtime/telemetry/logger';
import { poll } from '#operator/src/rotation/poll';
import { RotationFailure } from '#operator/src/rotation/rotation-failure';

function polling(timeoutMs = 60_000) {
  const lines: string[] = [];
  const ended = new AbortController();
  const log = createLogger({ write: (line) => lines.push(line) });
  return { lines, ended, options: { timeoutMs, signal: ended.signal, log } };
}

function apiError(status: number): ApiError {
  return new ApiError({ status, reason: '', message: `status ${status}` });
}

/** Throws or returns the outcomes one after another. */
function attempts(...outcomes: readonly unknown[]) {
  const rest = [...outcomes];
  return async (): Promise<unknown> => {
    const outcome = rest.shift();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
}

test.each([
  ['a broken connection', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  ['no answer in time', new Error('no answer within 30000 ms')],
  ['an overloaded server', apiError(429)],
  ['an answer that the server is starting', apiError(503)],
])('the rotation retries after %s', async (_, error) => {
  const { options, lines } = polling();
  await expect(poll(attempts(error, 'value'), options)).resolves.toBe('value');
  expect(lines).toEqual([expect.stringContaining('the API server did not answer')]);
});

test.each([
  ['a refusal', apiError(403)],
  ['a failed rollout', new RotationFailure({ metadata: { name: 'a' } }, 'RolloutFailed', 'stuck')],
])('the rotation fails after %s', async (_, error) => {
  await expect(poll(attempts(error, 'value'), polling().options)).rejects.toBe(error);
});

test('the rotation aborts an overdue attempt, and does not wait for its answer', async () => {
  const seen: boolean[] = [];
  const attempt = async (overdue: boolean): Promise<string | undefined> => {
    seen.push(overdue);
    if (overdue) throw apiError(503);
    return undefined;
  };
  await expect(poll(attempt, polling(20).options)).rejects.toThrow('status 503');
  expect(seen[0]).toBe(false);
  expect(seen.at(-1)).toBe(true);
});

test('a rotation stops on its abort signal', async () => {
  const { options, ended } = polling();
  const waiting = poll(async () => undefined, options);
  ended.abort(new Error('SIGTERM'));
  await expect(waiting).rejects.toThrow('SIGTERM');
});

test('a rotation that was aborted does not report a later failure as the reason', async () => {
  const { options, ended } = polling();
  const attempt = async (): Promise<undefined> => {
    ended.abort(new Error('SIGTERM'));
    throw apiError(403);
  };
  await expect(poll(attempt, options)).rejects.toThrow('SIGTERM');
});
