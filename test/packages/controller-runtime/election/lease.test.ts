import {
  heldSpec,
  isFree,
  type Lease,
  type LeaseSpec,
  observe,
  releasedSpec,
} from '#controller-runtime/election/lease';

const lease = (spec?: LeaseSpec): Lease => ({ metadata: { namespace: 'ns', name: 'lease' }, spec });
const held: LeaseSpec = {
  holderIdentity: 'a',
  leaseDurationSeconds: 15,
  acquireTime: '2026-01-01T00:00:00.000000Z',
  renewTime: '2026-01-01T00:00:10.000000Z',
  leaseTransitions: 4,
};
const now = new Date('2026-06-01T12:00:00.123Z');
const NOW = '2026-06-01T12:00:00.123000Z';

describe('an observation of a lease', () => {
  test('keeps the time at which the spec was first seen', () => {
    const first = observe(lease(held), undefined, 1_000);
    expect(observe(lease({ ...held }), first, 9_000).changedAtMs).toBe(1_000);
  });

  test('starts again with each renewal', () => {
    const first = observe(lease(held), undefined, 1_000);
    expect(observe(lease({ ...held, renewTime: '2026-01-01T00:00:12.000000Z' }), first, 9_000).changedAtMs).toBe(9_000);
  });
});

describe('whether a lease is free:', () => {
  test.each([
    ['false if just observed', held, 0, false],
    ['false if not renewed for less than its duration', held, 14_999, false],
    ['true if not renewed for its duration', held, 15_000, true],
    ['true if released', { ...held, holderIdentity: '' }, 0, true],
    ['true if never held', undefined, 0, true],
    ['true without a duration', { holderIdentity: 'a' }, 0, true],
  ])('%s', (_what, spec, ageMs, free) => {
    expect(isFree({ lease: lease(spec), changedAtMs: 500 }, 500 + ageMs)).toBe(free);
  });

  test('true if not renewed, even by a clock that is years ahead', () => {
    const ahead = { ...held, renewTime: '2036-01-01T00:00:00.000000Z' };
    expect(isFree(observe(lease(ahead), undefined, 0), 15_000)).toBe(true);
  });
});

describe('a holder writes', () => {
  const holding = { identity: 'b', leaseMs: 15_000, now };

  test('all fields into a new lease', () => {
    expect(heldSpec(undefined, holding)).toEqual({
      holderIdentity: 'b',
      leaseDurationSeconds: 15,
      acquireTime: NOW,
      renewTime: NOW,
      leaseTransitions: 0,
    });
  });

  test('one more transition into the lease of another holder', () => {
    expect(heldSpec(held, holding)).toMatchObject({ holderIdentity: 'b', acquireTime: NOW, leaseTransitions: 5 });
  });

  test('the time of renewal into its own lease', () => {
    expect(heldSpec(held, { ...holding, identity: 'a' })).toEqual({ ...held, renewTime: NOW });
  });

  test('no holder and a duration of one second on release', () => {
    const released = releasedSpec(held, now);
    expect(released).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 4 });
    expect(isFree(observe(lease(released), undefined, 0), 0)).toBe(true);
  });
});
