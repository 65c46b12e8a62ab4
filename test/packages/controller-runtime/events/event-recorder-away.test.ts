import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { EventNote } from '#controller-runtime/events/event';
import { createEventRecorder } from '#controller-runtime/events/event-recorder';
import { apiError } from '#test/support/controller-runtime/api-error';
import { memoryLog } from '#test/support/controller-runtime/memory-log';

const note = (text = 'somebody changed it'): EventNote => ({
  regarding: { kind: 'ConfigMap', metadata: { namespace: 'linkerd', name: 'config' } },
  type: 'Warning',
  reason: 'DriftReverted',
  note: text,
});

function recorder(client: KubeClient) {
  const { log, lines } = memoryLog();
  const reporter = { component: 'operator', instance: 'pod' };
  return { ...createEventRecorder({ client, log, reporter, perObject: { perSecond: 1, burst: 100 } }), lines };
}

let attempts: number;
const away = {
  create: async () => {
    attempts += 1;
    throw apiError(503, { message: 'down' });
  },
} as Partial<KubeClient> as KubeClient;
beforeEach(() => {
  attempts = 0;
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

test('the recorder gives up an Event if the API server is away for long, and logs that once', async () => {
  const { record, lines } = recorder(away);
  record(note());
  await jest.advanceTimersByTimeAsync(60_000);
  expect(attempts).toBe(6);
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([expect.objectContaining({ error: 'down' })]);
});

test('the recorder sends requests to an absent API server with growing waits, however many Events wait', async () => {
  const { record } = recorder(away);
  for (let time = 0; time < 100; time++) record(note(`${time} things`));
  await jest.advanceTimersByTimeAsync(60_000);
  // Six attempts in the first eight seconds, then one every five seconds.
  expect(attempts).toBe(16);
});

test('the recorder adds unwritten occurrences to the count of a later Event', async () => {
  let counted: unknown;
  let isAway = true;
  const back: KubeClient = {
    ...away,
    create: async (resource, object) => {
      if (isAway) return away.create(resource, object);
      counted = (object as { readonly count?: number }).count;
      return object;
    },
  };
  const { record } = recorder(back);
  record(note());
  await jest.advanceTimersByTimeAsync(60_000);
  isAway = false;
  record(note());
  await jest.advanceTimersByTimeAsync(1_000);
  expect(counted).toBe(2);
});
