import { type ControllerOptions, createController, TerminalError } from '#controller-runtime/controller/controller';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { createMetrics } from '#controller-runtime/telemetry/metrics';
import { memoryLog } from '#test/support/controller-runtime/memory-log';
import { memoryInformer } from './memory-informer';

const configMap = (name: string, labels?: Record<string, string>): KubeObject => ({
  metadata: { namespace: 'ns', name, labels },
});

const stop = new Set<AbortController>();
afterEach(async () => {
  jest.useRealTimers();
  for (const each of stop) each.abort();
  stop.clear();
  await settled();
});

/** Call this before any code reads the clock, which must not go back. */
function fakeTime(): void {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
}

/** Lets all tasks run that wait only for the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

function controllerOf(options: Partial<ControllerOptions> & Pick<ControllerOptions, 'reconcile'>) {
  const { log, lines } = memoryLog();
  const metrics = createMetrics();
  const controller = createController({ name: 'test', ...options }, { log, metrics });
  const stopping = new AbortController();
  const aborting = new AbortController();
  stop.add(stopping);
  return {
    ...controller,
    lines,
    stopping,
    aborting,
    start: () => controller.run(stopping.signal, aborting.signal),
    count: async (series: string) => {
      const text = await metrics.registry.metrics();
      return Number(/ (\d+)$/.exec(text.split('\n').find((line) => line.startsWith(`${series} `)) ?? ' 0')?.[1]);
    },
  };
}

/** A reconcile function that records its keys. */
function noting(keys: string[]): ControllerOptions['reconcile'] {
  return async (key) => {
    keys.push(key);
    return undefined;
  };
}

describe('the keys that a controller reconciles', () => {
  test('include all objects at the start, once the cache is complete', async () => {
    const keys: string[] = [];
    const informer = memoryInformer(CONFIG_MAPS);
    const controller = controllerOf({ reconcile: noting(keys) });
    controller.watch(informer);
    informer.put(configMap('a'));
    void controller.start();
    informer.put(configMap('b'));
    await settled();
    expect(keys).toEqual([]);
    informer.sync();
    await settled();
    expect(keys.sort()).toEqual(['ns/a', 'ns/b']);
  });

  test('include those of an object before and after a change, and of a deleted one', async () => {
    const keys: string[] = [];
    const informer = memoryInformer(CONFIG_MAPS);
    informer.sync();
    const controller = controllerOf({ reconcile: noting(keys) });
    controller.watch(informer, ({ metadata }) => [metadata.labels?.owner ?? '']);
    void controller.start();
    const steps = [
      () => informer.put(configMap('a', { owner: 'x' })),
      () => informer.put(configMap('a', { owner: 'y' })),
      () => informer.remove('ns/a'),
    ];
    const seen: string[][] = [];
    for (const step of steps) {
      step();
      await settled();
      seen.push(keys.splice(0));
    }
    expect(seen).toEqual([['x'], ['x', 'y'], ['y']]);
  });

  test('wait for the start if the caller adds them', async () => {
    const keys: string[] = [];
    const controller = controllerOf({ reconcile: noting(keys) });
    controller.enqueue('a');
    await settled();
    expect(keys).toEqual([]);
    void controller.start();
    await settled();
    expect(keys).toEqual(['a']);
  });
});

describe('a reconcile', () => {
  test('that fails is retried, and one that succeeds is not', async () => {
    let attempts = 0;
    const done = Promise.withResolvers<void>();
    const controller = controllerOf({
      reconcile: async () => {
        attempts += 1;
        if (attempts < 4) throw new Error('not yet');
        done.resolve();
        return undefined;
      },
    });
    void controller.start();
    controller.enqueue('a');
    await done.promise;
    await settled();
    expect(attempts).toBe(4);
    expect(controller.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', controller: 'test', key: 'a', error: 'not yet' }),
    );
    expect(await controller.count('workqueue_retries_total{name="test"}')).toBe(3);
    expect(await controller.count('controller_runtime_reconcile_errors_total{controller="test"}')).toBe(3);
    expect(await controller.count('controller_runtime_reconcile_total{controller="test",result="success"}')).toBe(1);
  });

  test('that fails after a success is retried soon, however often it failed before', async () => {
    fakeTime();
    let isBroken = true;
    let attempts = 0;
    const controller = controllerOf({
      reconcile: async () => {
        attempts += 1;
        if (isBroken) throw new Error('not yet');
        return undefined;
      },
    });
    const pass = async (ms: number): Promise<void> => {
      jest.advanceTimersByTime(ms);
      await settled();
    };
    void controller.start();
    controller.enqueue('a');
    for (let failure = 0; failure < 10; failure++) await pass(3_000);
    isBroken = false;
    await pass(10_000);
    isBroken = true;
    attempts = 0;
    controller.enqueue('a');
    await pass(0);
    await pass(5);
    expect(attempts).toBe(2);
  });

  test('that fails permanently is not retried', async () => {
    let attempts = 0;
    const controller = controllerOf({
      reconcile: async () => {
        attempts += 1;
        throw new TerminalError('never');
      },
    });
    void controller.start();
    controller.enqueue('a');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(attempts).toBe(1);
    expect(controller.lines).toContainEqual(expect.objectContaining({ level: 'error', key: 'a', error: 'never' }));
    expect(await controller.count('workqueue_retries_total{name="test"}')).toBe(0);
  });

  test('that requests a requeue runs again later', async () => {
    fakeTime();
    const keys: string[] = [];
    const controller = controllerOf({
      reconcile: async (key) => {
        keys.push(key);
        return keys.length === 1 ? { requeueAfterMs: 60_000 } : undefined;
      },
    });
    void controller.start();
    controller.enqueue('a');
    await settled();
    jest.advanceTimersByTime(59_999);
    await settled();
    expect(keys).toEqual(['a']);
    jest.advanceTimersByTime(1);
    await settled();
    expect(keys).toEqual(['a', 'a']);
  });
});

describe('a stopping controller', () => {
  test('completes reconciles in progress, and begins no others', async () => {
    const keys: string[] = [];
    const work = Promise.withResolvers<undefined>();
    const informer = memoryInformer(CONFIG_MAPS);
    informer.sync();
    const controller = controllerOf({
      reconcile: (key) => {
        keys.push(key);
        return work.promise;
      },
    });
    controller.watch(informer);
    const ended = jest.fn();
    const run = controller.start().then(ended);
    informer.put(configMap('a'));
    informer.put(configMap('b'));
    await settled();
    controller.stopping.abort();
    informer.put(configMap('c'));
    await settled();
    expect(ended).not.toHaveBeenCalled();
    work.resolve(undefined);
    await run;
    expect(keys).toEqual(['ns/a']);
    expect(informer.handlers()).toBe(0);
  });

  test('ends at once if its caches are not complete', async () => {
    const controller = controllerOf({ reconcile: noting([]) });
    controller.watch(memoryInformer(CONFIG_MAPS));
    const run = controller.start();
    controller.stopping.abort();
    await run;
  });
});
