import { knownRender } from '#lib/gitops/charts/manifest-release';

const object = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { a: 'b' } } });

test('knownRender renders equal charts once, and freezes the shared objects', () => {
  const render = jest.fn(() => [object('one')]);
  const [first, second, third] = [1, 2, 3].map(() => knownRender('equal', render));
  expect(render).toHaveBeenCalledTimes(1);
  expect(second).toBe(first);
  expect(third).toBe(first);
  expect(() => Object.assign(second?.[0]?.metadata.labels ?? {}, { a: 'c' })).toThrow(TypeError);
});

test('knownRender caches only recently requested renders', () => {
  const render = jest.fn((name: string) => [object(name)]);
  const ask = (name: string) => knownRender(name, () => render(name));
  ask('often');
  for (let index = 0; index < 100; index++) {
    ask(`once-${index}`);
    ask('often');
  }
  expect(render).toHaveBeenCalledTimes(101);
  ask('once-0');
  expect(render).toHaveBeenCalledTimes(102);
});
