import { leavesTurnedBy, startedAfter } from '#anchor/times';
import { issued, NOW, POLICY } from '../fixture';
import { facts, pod } from './rotation-fixture';

test('no leaves have turned of what does not sign', () => {
  expect(facts({ issuer: issued('A') })).toMatchObject({ signing: false, leavesTurned: false });
});

test('leaves of a key that leaked need not expire: they are gone when every pod has started since', () => {
  const since = NOW - 100;
  const turned = (start: number, compromised: readonly string[]) =>
    facts({ policy: { ...POLICY, compromised }, pods: [pod({ since: start, hash: 'AB' })] }, { signing: since })
      .leavesTurned;
  const first = startedAfter(since, POLICY);
  expect(turned(first, ['A'])).toBe(true);
  expect(turned(first - 1, ['A'])).toBe(false);
  expect(turned(first, [])).toBe(false);
});

test('time is named at which they have turned', () => {
  const since = NOW - 100;
  expect(facts({}, { signing: since }).times).toContain(leavesTurnedBy(since, POLICY));
});
