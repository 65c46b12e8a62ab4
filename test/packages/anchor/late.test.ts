import { decidedLate } from '#anchor/late';
import type { AnchorMemory, RememberedIssuer, Rotation } from '#anchor/memory';
import type { AnchorPlan } from '#anchor/plan';
import { NOW, observed } from './fixture';

const ROTATION: Rotation = { from: 'A', to: 2, key: 'B', began: 0, why: 'test', announced: 100 };
const PROVEN: Rotation = { ...ROTATION, signing: 200, adopted: 300, dropped: 400, returned: 500 };
const FINAL = { committed: true, retiring: true, withdrawing: true };

/** The memory after a plan from a late observation. */
function remembered(after: Partial<AnchorMemory>, before: Partial<AnchorMemory>): AnchorMemory {
  const plan: AnchorPlan = {
    phase: 'Signing',
    milestones: [],
    actions: [{ do: 'hold-signer' }],
    memory: { bundles: [], rotated: 'x', ...after },
    laggards: { pods: 0, workloads: [] },
    report: { signing: ['B'], adopted: ['B'] },
  };
  const { memory: late, ...rest } = decidedLate(plan, observed({ memory: { bundles: [], ...before } }));
  const { memory: _, report: __, ...unreported } = plan;
  expect(rest).toEqual(unreported);
  expect(late).toMatchObject({ bundles: [], rotated: 'x' });
  return late;
}

describe("a late observation adds to the operator's memory", () => {
  test('no proof and no irreversible step', () => {
    expect(remembered({ rotation: { ...PROVEN, ...FINAL } }, { rotation: ROTATION }).rotation).toStrictEqual(ROTATION);
    const { adopted: _, dropped: __, returned: ___, ...known } = PROVEN;
    const before = { ...PROVEN, ...FINAL };
    expect(remembered({ rotation: before }, { rotation: before }).rotation).toEqual({ ...known, ...FINAL });
    expect(remembered({ rotation: ROTATION }, { rotation: before }).rotation).toStrictEqual(ROTATION);
  });

  test('the beginning of a rotation, and the request to abort one', () => {
    expect(remembered({ rotation: { ...PROVEN, ...FINAL } }, {}).rotation).toStrictEqual(ROTATION);
    expect(remembered({ rotation: { ...ROTATION, aborting: true } }, { rotation: ROTATION }).rotation).toEqual({
      ...ROTATION,
      aborting: true,
    });
    expect(remembered({}, {})).not.toHaveProperty('rotation');
  });

  test('no use of an issuer by identity', () => {
    const issuer: RememberedIssuer = { revision: 2, signer: 'B', notAfter: 100_000, since: NOW, seen: NOW };
    const taken = { ...issuer, takenUp: NOW, steady: NOW + 1 };
    const issuerAfter = (before: RememberedIssuer | undefined, now: RememberedIssuer = taken) =>
      remembered({ issuer: now }, before ? { issuer: before } : {}).issuer;
    expect(issuerAfter(undefined)).toEqual(issuer);
    expect(issuerAfter(issuer)).toEqual(issuer);
    expect(issuerAfter(taken)).toEqual(taken);
    expect(issuerAfter(taken, issuer)).toStrictEqual(issuer);
    expect(issuerAfter({ ...taken, revision: 1 })).toEqual({ ...issuer, steady: NOW + 1 });
    expect(issuerAfter({ ...taken, signer: 'A' })).toEqual({ ...issuer, steady: NOW + 1 });
    const { steady: _, ...unsteady } = taken;
    expect(issuerAfter(unsteady)).toStrictEqual(unsteady);
    expect(issuerAfter(taken, unsteady)).toStrictEqual(unsteady);
    const { takenUp: __, ...steady } = taken;
    expect(issuerAfter(taken, steady)).toStrictEqual(steady);
    expect(remembered({}, { issuer: taken })).not.toHaveProperty('issuer');
  });
});
