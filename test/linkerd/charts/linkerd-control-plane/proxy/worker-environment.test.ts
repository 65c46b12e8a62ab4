import type { Values } from '../../../../../lib/kubernetes/values';
import { containerOf } from '../fixture';

function workers(values: Values, component = 'proxy-injector') {
  const env = containerOf(values, component, 'linkerd-proxy').env ?? [];
  const cores = env.filter(({ name }) => name.startsWith('LINKERD2_PROXY_CORES'));
  return Object.fromEntries(cores.map(({ name, value }) => [name.slice('LINKERD2_PROXY_'.length), value]));
}

test('a proxy has at least one worker', () => {
  expect(workers({})).toEqual({ CORES: '1', CORES_MIN: '1' });
});

test('workers have bounds', () => {
  const runtime = { workers: { minimum: 2, maximum: 8, maximumCPURatio: 0.25 } };
  expect(workers({ proxy: { runtime } })).toEqual({
    CORES: '2',
    CORES_MIN: '2',
    CORES_MAX: '8',
    CORES_MAX_RATIO: '0.25',
  });
});

test('a fixed number has no bounds', () => {
  const proxy = { cores: 4, runtime: { workers: { minimum: 2, maximumCPURatio: 0.25 } } };
  expect(workers({ proxy })).toEqual({ CORES: '4', CORES_MIN: '4' });
});

test('one proxy may have a number of its own', () => {
  const values = { proxy: { cores: 4 }, proxyInjectorProxyResources: { cores: 3 } };
  expect(workers(values).CORES).toBe('3');
  expect(workers(values, 'identity').CORES).toBe('4');
});

test('resources of one proxy leave its number of workers alone', () => {
  const values = { proxy: { cores: 4 }, proxyInjectorProxyResources: { cpu: { limit: '1' } } };
  expect(workers(values).CORES).toBe('4');
});

test.each<Values>([{ runtime: null }, { runtime: { workers: null } }])(
  'without bounds (%j) nothing is said',
  (proxy) => {
    expect(workers({ proxy })).toEqual({});
  },
);

test.each([null, 0])('a least number of %j is one', (minimum) => {
  expect(workers({ proxy: { runtime: { workers: { minimum, maximum: 4 } } } })).toEqual({
    CORES: '1',
    CORES_MIN: '1',
    CORES_MAX: '4',
  });
});
