import { excludes } from '#anchor/chain';
import { ca } from './fixture';

test.each([
  ['west.example', false],
  ['a.west.example', false],
  ['midwest.example', true],
])('whether a constraint to west.example excludes the trust domain %s: %s', (trustDomain, isExcluded) => {
  const constrained = ca('A', 'E', { constrained: true, permits: ['west.example'] });
  expect(excludes(constrained, trustDomain)).toBe(isExcluded);
});
