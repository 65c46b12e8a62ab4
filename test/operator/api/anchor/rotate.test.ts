import { ALL_GUARDS } from '../../../../operator/api/anchor/guards';
import type { AnchorMemory, Rotation } from '../../../../operator/api/anchor/memory';
import type { ObservedTrust, PodGroup } from '../../../../operator/api/anchor/observed';
import { type Progress, progressOf, rotationActions } from '../../../../operator/api/anchor/progress';
import { endOfOld, timeNeeded } from '../../../../operator/api/anchor/rotation-target';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

const TURNED = NOW - POLICY.leafReach - POLICY.skew - POLICY.lag;
const OLD = anchor(1, { hasIssuer: true });
const BRIDGED = anchor(2, { askedSigner: 1, certificate: ca('B', 'A') });
const LOST = anchor(2, { state: 'issuing', certificate: undefined });
const SHORT = anchor(1, { certificate: ca('A', 'A', { pathLength: 0 }) });
const SIGNED = issued('B', { chain: chain('B', [ca('B', 'A')]), revision: 2 });
const BUNDLES = [
  { hash: 'A', keys: ['A'], since: 0 },
  { hash: 'AB', keys: ['A', 'B'], since: 100 },
];
const POD: PodGroup = { workload: 'a/Deployment/b', pods: 1, since: 0, hash: 'A', restartable: true };

const sign = (generation: number) => ({ do: 'set-signer', generation });
const renew = (revision: number) => ({ do: 'renew-issuer', revision });
const restart = { do: 'restart-laggards', workloads: ['a/Deployment/b'], generation: 2 };

/** A rotation whose new anchor is announced and certified, and is to sign next. */
function progress(more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}, now = NOW): Progress {
  const rotation: Rotation = { from: 'A', to: 2, key: 'B', began: 0, why: 'test', announced: 0, adopted: 0, ...change };
  const before: AnchorMemory = { ...memory(), bundles: BUNDLES, rotation };
  const seen = observed({
    memory: before,
    anchors: [OLD, BRIDGED],
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    identity: [{ name: 'identity-0', since: 4000, issuerEnd: 100_000 }],
    ...more,
  });
  return progressOf({ observed: seen, memory: before, rotation, now, guards: ALL_GUARDS });
}

function actions(more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}, now = NOW) {
  return rotationActions(progress(more, change, now));
}

describe('while the new anchor is made', () => {
  test('it is asked for', () => {
    expect(actions({ anchors: [OLD] })).toEqual([{ do: 'apply-anchor', generation: 2, signer: 'self', bundled: true }]);
  });

  test('both stay in the bundle, and so does what signed so far', () => {
    const anchors = [anchor(1, { bundled: false }), anchor(2, { bundled: false })];
    const again = (generation: number) => ({ do: 'apply-anchor', generation, signer: 'self', bundled: true });
    expect(actions({ anchors, bundle: bundleOf('A') }, { announced: undefined })).toEqual([again(1), again(2)]);
    const strange = { issuer: issued('X'), signer: 'other' as const, kept: ['B'], bundle: bundleOf('A', 'B', 'X') };
    expect(actions({ ...strange, anchors: [OLD, anchor(2)] })[0]).toEqual({
      do: 'keep-roots',
      keys: ['B', 'A', 'X'],
    });
  });

  test('the old one certifies it when it is there, and is asked to once', () => {
    const certify = { do: 'apply-anchor', generation: 2, signer: 1, bundled: true };
    const hold = { do: 'apply-anchor', generation: 1, signer: 'self', bundled: true };
    const made = (more: Partial<typeof OLD>, old = OLD) => actions({ anchors: [old, anchor(2, more)] });
    expect(made({})).toEqual([certify]);
    expect(made({}, { ...OLD, bundled: false })).toEqual([hold, certify]);
    expect(made({}, anchor(1, { bundled: false }))).toEqual([hold, { do: 'apply-issuer', generation: 1 }]);
    expect(made({ state: 'issuing' })).toEqual([]);
    expect(made({ askedSigner: 1, state: 'issuing' })).toEqual([]);
    const out = { state: 'issuing' as const, bundled: false };
    expect(made(out)).toEqual([{ ...certify, signer: 'self' }]);
    expect(made({ ...out, askedSigner: 1 })).toEqual([certify]);
    expect(actions({ anchors: [{ ...OLD, hasIssuer: false }, BRIDGED] })).toEqual([sign(2)]);
  });

  test('one that may not certify is not asked to; of a Secret alone, an Issuer keeps the trace', () => {
    const next = anchor(2, { bundled: false });
    const again = { do: 'apply-anchor', generation: 2, signer: 'self', bundled: true };
    const trace = { do: 'apply-issuer', generation: 0 };
    const secret = (more: Partial<typeof OLD>) => anchor(0, { foreign: true, askedSigner: 'other', ...more });
    const waiting = { signer: 0, pods: [POD] };
    const certificate = SHORT.certificate ?? ca('A');
    expect(actions({ ...waiting, anchors: [secret({ certificate }), next] }).slice(0, 2)).toEqual([again, trace]);
    expect(actions({ ...waiting, anchors: [secret({ certificate, hasIssuer: true }), next] })).not.toContainEqual(
      trace,
    );
    const bridge = { ...BRIDGED, askedSigner: 0, certificate: ca('B', 'A') };
    expect(actions({ signer: 0, anchors: [secret({ certificate: ca('A') }), bridge] })).toEqual([sign(2)]);
    expect(actions({ anchors: [SHORT, anchor(2)], pods: [POD] })).toEqual([restart]);
  });
});

describe('who signs', () => {
  const lagging = { anchors: [SHORT, anchor(2)], pods: [{ ...POD, restartable: false }] };

  test('is the old anchor until the new one may, or else nobody', () => {
    expect(actions({ ...lagging, signer: 2 })).toEqual([sign(1)]);
    expect(actions({ ...lagging, signer: 2, anchors: [anchor(2)] })).toEqual([{ do: 'hold-signer' }]);
  });

  test.each([['committed'], ['retiring']])('is the new one where that is %s, whoever lags', (final) => {
    expect(actions(lagging, { [final]: true })).toEqual([sign(2)]);
    expect(actions({ ...lagging, signer: 2 }, { [final]: true })).toEqual([renew(1)]);
    const lost = { ...lagging, anchors: [SHORT, LOST] };
    expect(actions({ ...lost, signer: 2 }, { [final]: true })).not.toContainEqual(renew(1));
    expect(actions({ ...lost, signer: 1 }, { [final]: true })).not.toContainEqual(sign(2));
  });

  test('is not changed for a first anchor that is being made', () => {
    const first = { anchors: [LOST], issuer: { state: 'missing' as const }, bundle: undefined, kept: [], identity: [] };
    expect(actions({ ...first, signer: 1 }, { from: undefined })).toEqual([]);
  });

  test('signs anew for a bridge only where there is one that others need', () => {
    const bare = { signer: 2, issuer: issued('B', { revision: 2 }) };
    expect(actions(bare)).toEqual([renew(2)]);
    expect(actions({ ...bare, anchors: [SHORT, anchor(2)] })).toEqual([]);
    expect(actions(bare, { retiring: true })).not.toContainEqual(renew(2));
  });

  test('stays in the bundle, though it was to be retired', () => {
    const back = { do: 'apply-anchor', generation: 1, signer: 'self', bundled: true };
    const anchors = [anchor(1, { bundled: false }), LOST];
    expect(actions({ signer: 2, anchors }, { retiring: true })).toEqual([sign(1), back]);
    const certified = [anchor(1, { bundled: false, certificate: ca('A', 'Z') }), LOST];
    expect(actions({ signer: 2, anchors: certified }, { retiring: true })).toEqual([sign(1), back]);
    expect(actions({ signer: 2, anchors, issuer: issued('X') }, { retiring: true })).toEqual([sign(1)]);
    expect(actions({ signer: 2, anchors: [LOST] }, { retiring: true })).toEqual([{ do: 'hold-signer' }]);
  });
});

describe('laggards are restarted', () => {
  const end = 50_000;
  const certificate = ca('A', 'A', { notAfter: end });
  const bundle = { hash: 'AB', anchors: [certificate, ca('B')] };
  const signed = { anchors: [{ ...OLD, certificate }, BRIDGED], bundle, signer: 2, issuer: SIGNED, pods: [POD] };
  const asked = (laggards: 'Restart' | 'Report' | 'Never') => ({ policy: { ...POLICY, laggards } });

  test('where that is asked for, in a window', () => {
    expect(actions({ ...signed, ...asked('Restart') })).toEqual([restart]);
    expect(actions({ ...signed, ...asked('Restart'), inWindow: false })).toEqual([]);
    expect(actions({ ...signed, ...asked('Report') })).toEqual([]);
    expect(actions({ ...asked('Report'), pods: [POD] })).toEqual([sign(2)]);
  });

  test('but for those that nobody would bring back', () => {
    const lone = { ...POD, workload: 'a/Pod/c', restartable: false };
    expect(actions({ ...signed, ...asked('Restart'), pods: [POD, lone] })).toEqual([restart]);
    expect(actions({ ...signed, ...asked('Restart'), pods: [lone] })).toEqual([]);
  });

  test('on the long way, before the new anchor signs, and not after', () => {
    const long = { anchors: [SHORT, anchor(2)], pods: [POD] };
    expect(actions(long)).toEqual([restart]);
    expect(actions({ ...long, inWindow: false })).toEqual([]);
    expect(actions({ ...long, signer: 2, issuer: SIGNED })).toEqual([]);
  });

  test('when the old anchor would otherwise end first, unless never', () => {
    const late = end - timeNeeded(progress(signed).observed, 'bridge', 1);
    expect(actions({ ...signed, inWindow: false }, {}, late - 1)).toEqual([]);
    expect(actions({ ...signed, inWindow: false }, {}, late)).toEqual([restart]);
    expect(actions({ ...signed, ...asked('Never') }, {}, late)).toEqual([]);
  });

  test('also while the old anchor waits to go', () => {
    expect(actions({ ...signed, ...asked('Restart') }, { retiring: true })).toEqual([restart]);
  });
});

test('identity is restarted where no workload is: one replica that may not know the next anchor is enough', () => {
  const policy = { ...POLICY, laggards: 'Never' as const };
  const [old, young] = [50, 4000].map((since) => ({ name: `identity-${since}`, since }));
  const late = (change: Partial<Rotation>, laggards: 'Never' | 'Report' = 'Never') =>
    actions(
      {
        policy: { ...policy, laggards },
        signer: 2,
        issuer: SIGNED,
        identity: [old, young].flatMap((one) => one ?? []),
      },
      change,
    );
  expect(late({})).toEqual([{ do: 'restart-identity', bundle: 'AB' }]);
  expect(late({ announced: NOW })).toEqual([]);
  expect(late({}, 'Report')).toEqual([]);
});

describe('the old anchor ends', () => {
  const end = (more: Partial<ObservedTrust>, from = 'A', before?: AnchorMemory['current']) =>
    endOfOld(observed(more), { from, to: 2, began: 0, why: '' }, before);

  test('by its own end, or that of an issuer that nobody can renew', () => {
    expect(end({})).toBe(1_000_000);
    expect(end({ signer: undefined })).toBe(100_000);
    expect(end({ anchors: [] })).toBe(100_000);
    expect(end({ anchors: [], signer: 'other' })).toBe(1_000_000);
    expect(end({ anchors: [], issuer: issued('B') })).toBe(1_000_000);
    expect(end({}, 'Z')).toBeUndefined();
  });

  test('by the end that it had before it was extended', () => {
    expect(end({}, 'A', { key: 'A', end: 900_000 })).toBe(900_000);
    expect(end({}, 'A', { key: 'B', end: 900_000 })).toBe(1_000_000);
  });
});

describe('the old anchor goes', () => {
  const hold = { do: 'apply-anchor', generation: 2, signer: 'self', bundled: true };
  const retiring = (more: Partial<ObservedTrust>, change: Partial<Rotation> = {}) =>
    actions(
      { anchors: [OLD, anchor(2)], signer: 2, issuer: SIGNED, ...more },
      { retiring: true, signing: TURNED, dropped: 0, ...change },
    );
  const drop = { do: 'delete-anchor', generation: 1 };

  test('when the new one stands for itself', () => {
    expect(retiring({})).toEqual([drop]);
    expect(retiring({ anchors: [OLD, anchor(2, { askedSigner: 'other' })] })).toEqual([drop]);
    expect(retiring({ anchors: [OLD, BRIDGED] })).toEqual([hold]);
    expect(retiring({ anchors: [OLD, anchor(2, { bundled: false, certificate: ca('B', 'A') })] })).toEqual([hold]);
    expect(retiring({ anchors: [anchor(2, { bundled: false, state: 'issuing' })] })).toEqual([hold]);
  });

  test('not while the new one’s key is lost: nothing is done about that but to wait', () => {
    const lost = { ...LOST, bundled: false };
    expect(retiring({ anchors: [lost], signer: undefined, issuer: { state: 'issuing' } })).toEqual([]);
  });

  test('not while somebody has come up that knows no other, unless its key has gone', () => {
    expect(retiring({ pods: [POD] }, { dropped: undefined })).toEqual([]);
    expect(retiring({ anchors: [anchor(2)], pods: [POD] })).toEqual([{ do: 'keep-roots', keys: ['B'] }]);
  });
});

describe('taken back', () => {
  const abort = { policy: { ...POLICY, abort: true } };
  const back = (more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}) =>
    actions({ ...abort, ...more }, { aborting: true, ...change });
  const gone = { returned: TURNED, signing: TURNED };

  test('the old anchor comes back into the bundle, signs, and what the new one signed is signed anew', () => {
    const hold = { do: 'apply-anchor', generation: 1, signer: 'self', bundled: true };
    const keep = { do: 'keep-roots', keys: ['A', 'B'] };
    const anchors = [anchor(1, { bundled: false }), BRIDGED];
    expect(back({ anchors, signer: 2, issuer: SIGNED, kept: ['A'] })).toEqual([keep, hold, sign(1)]);
    expect(back({ signer: 1, issuer: SIGNED, kept: ['A'] })).toEqual([keep, renew(2)]);
    expect(back({ signer: 1, issuer: { ...SIGNED, state: 'issuing' } })).toEqual([]);
    expect(back({ signer: 2, issuer: SIGNED })).toEqual([sign(1)]);
    expect(back({ signer: 1, issuer: issued('A') })).toEqual([]);
    expect(back({ signer: 1, issuer: issued('A'), kept: ['A'] })).toEqual([keep]);
  });

  test('the new one leaves the bundle, then goes', () => {
    const out = { do: 'apply-anchor', generation: 2, signer: 1, bundled: false };
    const keep = { do: 'keep-roots', keys: ['A'] };
    expect(back({}, gone)).toEqual([keep, out]);
    expect(back({ kept: ['A'] }, gone)).toEqual([out]);
    const unbundled = [OLD, { ...BRIDGED, bundled: false }];
    expect(back({ anchors: unbundled }, gone)).toEqual([keep]);
    expect(back({ anchors: unbundled, kept: ['A'] }, gone)).toEqual([]);
    const left = { kept: ['A'], bundle: bundleOf('A') };
    expect(back({ ...left, anchors: unbundled }, gone)).toEqual([{ do: 'delete-anchor', generation: 2 }]);
    expect(back({ ...left, anchors: [OLD, { ...LOST, bundled: false }] }, gone)).toEqual([
      { do: 'delete-anchor', generation: 2 },
    ]);
    expect(back({ ...left, anchors: [OLD] }, gone)).toEqual([]);
  });

  test('to its end, though the old key is lost meanwhile', () => {
    expect(back({ anchors: [BRIDGED], signer: 2, issuer: SIGNED }, { withdrawing: true })).toEqual([]);
  });

  test('where somebody else signs, too', () => {
    const elsewhere = { signer: 'other' as const, kept: ['A', 'B'] };
    expect(back({ ...elsewhere, anchors: [{ ...BRIDGED, bundled: false }] })).toEqual([
      { do: 'keep-roots', keys: ['A'] },
    ]);
  });
});

test('what can neither be taken back nor go on keeps both anchors, and what signs', () => {
  const held = { policy: { ...POLICY, abort: true }, kept: ['A', 'B'] };
  const hold = (generation: number) => ({ do: 'apply-anchor', generation, signer: 'self', bundled: true });
  const lost = anchor(1, { state: 'issuing', bundled: false });
  expect(actions({ ...held, anchors: [lost, anchor(2, { bundled: false })] })).toEqual([hold(1), hold(2)]);
  expect(actions({ ...held, anchors: [lost, BRIDGED], signer: 1 })).toEqual([hold(1)]);
  const bare = issued('B', { revision: 2 });
  expect(actions({ ...held, anchors: [lost, BRIDGED], signer: 2, issuer: bare })).toEqual([hold(1), renew(2)]);
  expect(actions({ ...held, anchors: [lost], signer: 1 })).toEqual([hold(1)]);
});
