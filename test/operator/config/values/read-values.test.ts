import type { Values } from '#base/values';
import { COMPONENT_VALUES } from '#operator/api/component-values';
import { configHash, valuesHash } from '#operator/src/config/values/read-values';

const VALUES: Values = { proxy: { logLevel: 'warn', uid: 2102 }, identity: { externalCA: true }, clusterDomain: 'a' };

test.each([valuesHash, configHash])('%p returns a short hash that does not depend on the order of keys', (hash) => {
  const reordered: Values = {
    identity: { externalCA: true },
    clusterDomain: 'a',
    proxy: { uid: 2102, logLevel: 'warn' },
  };
  expect(hash(VALUES)).toMatch(/^[0-9a-f]{16}$/);
  expect(hash(reordered)).toBe(hash(VALUES));
  expect(hash({ ...VALUES, clusterDomain: 'b' })).not.toBe(hash(VALUES));
});

const nested = (path: string, value: Values[string]): Values =>
  path.split('.').reduceRight<Values[string]>((below, key) => ({ [key]: below }), value) as Values;

test.each(COMPONENT_VALUES['edge-26.8.3'])(
  'a change of %s affects the hash of the values, but not the hash for proxies',
  (path) => {
    const [top = ''] = path.split('.');
    const base = { [top]: top === path ? 1 : {} };
    const values = { ...VALUES, ...nested(path, { a: 1 }) };
    expect(valuesHash(values)).not.toBe(valuesHash({ ...VALUES, ...base }));
    expect(configHash(values)).toBe(configHash({ ...VALUES, ...base }));
  },
);
