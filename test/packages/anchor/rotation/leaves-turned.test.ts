import { leavesTurnedBy, startedAfter } from '#anchor/times';
import { NOW, POLICY } from '../fixture';
import { facts, pod } from './rotation-fixture';

test('leaves of a leaked key are gone once every pod has restarted, even before they expire', () => {
  const since = NOW - 100;
  const turned = (start: number, compromised: readonly string[]) =>
    facts({ policy: { ...POLICY, compromised }, pods: [pod({ since: start, hash: 'AB' })] }, { signing: since })
      .leavesTurned;
  const first = startedAfter(since, POLICY);
  expect(turned(first, ['A'])).toBe(true);
  expect(turned(first - 1, ['A'])).toBe(false);
  expect(turned(first, [])).toBe(false);
});

test('the status has the time at which old leaves are gone', () => {
  const since = NOW - 100;
  expect(facts({}, { signing: since }).times).toContain(leavesTurnedBy(since, POLICY));
});
