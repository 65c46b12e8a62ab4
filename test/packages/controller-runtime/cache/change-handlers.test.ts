import { createChangeHandlers } from '#controller-runtime/cache/change-handlers';
import type { Change } from '#controller-runtime/cache/store';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { createLogger } from '#controller-runtime/telemetry/logger';

const lines: string[] = [];
const log = createLogger({ write: (line) => lines.push(line) });
const added = (name: string): Change<KubeObject> => ({
  type: 'added',
  object: { metadata: { name, namespace: 'ns' } },
});

beforeEach(() => {
  lines.length = 0;
});

test('the informer calls each handler for each change, in order, until its removal', () => {
  const handlers = createChangeHandlers(log);
  const [one, other] = [jest.fn(), jest.fn()];
  handlers.add(one);
  handlers.add(other);
  handlers.tell([added('a'), added('b')]);
  handlers.remove(one);
  handlers.tell([added('c')]);
  expect(one.mock.calls).toEqual([[added('a')], [added('b')]]);
  expect(other.mock.calls).toEqual([[added('a')], [added('b')], [added('c')]]);
});

test('the informer logs the error of a handler, and still delivers later changes to all handlers', () => {
  const handlers = createChangeHandlers(log);
  const broken = jest.fn(() => {
    throw new Error('oops');
  });
  const sound = jest.fn();
  handlers.add(broken);
  handlers.add(sound);
  handlers.tell([added('a'), added('b')]);
  expect(broken).toHaveBeenCalledTimes(2);
  expect(sound).toHaveBeenCalledTimes(2);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', object: 'ns/a', change: 'added', error: 'oops' },
    { level: 'error', object: 'ns/b', change: 'added', error: 'oops' },
  ]);
});
