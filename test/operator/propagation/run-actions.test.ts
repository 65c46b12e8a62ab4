import type { KubeClient } from '#controller-runtime/client/kube-client';
import { injectorFence, restartInjector, restartWorkload } from '#operator/src/propagation/plan/actions';
import { type ActionOptions, runActions } from '#operator/src/propagation/run-actions';
import { apiError } from '../../support/controller-runtime/api-error';
import { deployment, HASH, injector, SINCE, VALUE } from '../../support/operator/propagation-objects';

const seen = injector({ annotated: HASH, recorded: VALUE });
const restarts = ['a', 'b'].map((name) =>
  restartWorkload({ id: name, workload: deployment(name) }, { configHash: HASH, since: SINCE }, injectorFence(seen)),
);

/** An API with this injector. Writes of the keys in `errors` fail with that status. */
function api(live: typeof seen | undefined, errors: Readonly<Record<string, number>> = {}) {
  const events: string[] = [];
  const client = {
    get: async () => live,
    patch: async (_: unknown, key: string) => {
      const status = errors[key];
      events.push(`patch ${key}`);
      if (status !== undefined) throw apiError(status, { message: `error ${status}` });
      return deployment(key);
    },
  } as unknown as KubeClient;
  const observer = {
    written: () => void events.push('written'),
    refused: (id: string, message: string) => void events.push(`refused ${id}: ${message}`),
  };
  const run = (
    actions: Parameters<typeof runActions>[1],
    holdsConfig: ActionOptions['holdsConfig'] = async () => true,
  ) => runActions(client, actions, observer, { signal: AbortSignal.timeout(1_000), holdsConfig });
  return { events, run };
}

test('the operator writes the planned actions', async () => {
  const { events, run } = api(seen);
  expect(await run(restarts)).toEqual({ isOutdated: false });
  expect(events).toEqual(['patch shop/a', 'written', 'patch shop/b', 'written']);
});

test('the operator sends no request for an empty plan', async () => {
  const { run } = api(undefined);
  expect(await run([], () => Promise.reject(new Error('asked')))).toEqual({ isOutdated: false });
});

test.each([
  ['was superseded', injector({ annotated: HASH, recorded: VALUE.replace(HASH, 'superseded') })],
  ['was restarted', injector({ annotated: 'other', recorded: VALUE })],
  ['is gone', undefined],
])('the operator restarts no workload if the injector %s meanwhile', async (_, live) => {
  const { events, run } = api(live);
  expect(await run(restarts)).toEqual({ isOutdated: true });
  expect(events).toEqual([]);
});

test.each([404, 409])(
  'after status %d for one workload, the operator restarts the others, and reconciles again',
  async (status) => {
    const { events, run } = api(seen, { 'shop/a': status });
    expect(await run(restarts)).toEqual({ isOutdated: true });
    expect(events).toEqual(['patch shop/a', 'patch shop/b', 'written']);
  },
);

test.each([400, 403, 422])('a restart that the API server refuses with %d does not stop the others', async (status) => {
  const { events, run } = api(seen, { 'shop/a': status });
  expect(await run(restarts)).toEqual({ isOutdated: false });
  expect(events).toEqual(['patch shop/a', `refused a: error ${status}`, 'patch shop/b', 'written']);
});

test('an overloaded API server, and a refused restart of the injector, are errors', async () => {
  await expect(api(seen, { 'shop/a': 503 }).run(restarts)).rejects.toThrow('error 503');
  const denied = api(seen, { 'linkerd/linkerd-proxy-injector': 403 });
  await expect(denied.run([restartInjector(seen, HASH)])).rejects.toThrow('error 403');
});
