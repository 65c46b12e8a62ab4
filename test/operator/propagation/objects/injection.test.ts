import fc from 'fast-check';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import { parseRestartValue, restartValue } from '#operator/src/propagation/objects/injection';
import { HASH, SINCE, VALUE } from '#test/support/operator/propagation-objects';

test.each([`${'0'.repeat(16)}.20269999T999999Z`, `${'0'.repeat(16)}.20261332T000000Z`])(
  'the reader of restart annotations rejects the invalid time in %s',
  (text) => expect(parseRestartValue(text)).toBeUndefined(),
);

test('the value of a restart annotation has the injected configuration and its start time', () => {
  expect(restartValue({ configHash: HASH, since: SINCE })).toBe(VALUE);
});

test("the reader of restart annotations reads the operator's values", () => {
  const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
  const hashes = fc.stringMatching(/^[0-9a-f]{16}$/);
  fc.assert(
    fc.property(hashes, seconds, (configHash, second) => {
      const injection = { configHash, since: kubeTime(new Date(second * 1000)) };
      expect(parseRestartValue(restartValue(injection))).toEqual(injection);
    }),
  );
});

test.each([undefined, '', HASH, `${HASH}.`, `.${VALUE}`, `${VALUE}Z`])(
  'the reader of restart annotations rejects the value %p',
  (text) => expect(parseRestartValue(text)).toBeUndefined(),
);

test('the operator truncates times to seconds, as Kubernetes does for pods', () => {
  expect(kubeTime(new Date('2026-11-21T09:34:00.999Z'))).toBe(SINCE);
});
