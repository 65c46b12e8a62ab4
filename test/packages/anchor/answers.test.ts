import { acceptedAnswer, answerFlaw } from '#anchor/answers';
import type { GivenAnswer, GivenCertificate, ObservedTrust } from '#anchor/observed';
import { timeNeeded } from '#anchor/rotation-target';
import { DAY } from '#base/time-units';
import { bundleOf, ca, NOW, observed, POLICY } from './fixture';

const REQUEST = { key: 'B', publicKey: 'key of B', subject: 'CN=2.root.test' };
const END = 1_000_000;

function certificate(more: Partial<GivenCertificate> = {}): GivenCertificate {
  const { key = 'B', signer = 'A' } = more;
  const facts = { publicKey: `key of ${key}`, subject: 'CN=2.root.test', isCa: true, isForTls: true };
  return { ...ca(key, signer, { notAfter: END }), id: `${key}<${signer}`, ...facts, ...more };
}

const given = (...certificates: readonly GivenCertificate[]): GivenAnswer => ({ place: 'spec', certificates });

/** The ids of the accepted certificates, or the reason for a refusal. */
function outcome(answers: readonly GivenAnswer[], more: Partial<ObservedTrust> = {}, now = NOW) {
  const asked = { observed: observed({ bundle: bundleOf('A'), answers, ...more }), rotation: { from: 'A' }, now };
  const accepted = acceptedAnswer(REQUEST, asked);
  const flaw = answerFlaw(REQUEST, asked);
  expect([accepted, flaw]).toContain(undefined);
  return accepted?.map(({ id }) => id) ?? flaw?.cause;
}

test('the operator accepts the CA certificates between the bridge and the old anchor, in order', () => {
  const chain = [
    certificate({ key: 'J', signer: 'A' }),
    certificate({ key: 'I', signer: 'J' }),
    certificate({ signer: 'I' }),
  ];
  expect(outcome([given(...chain)])).toEqual(['B<I', 'I<J', 'J<A']);
  expect(outcome([given(...chain.slice(1))])).toBe('signed-by-other');
  const circle = [
    certificate({ signer: 'I' }),
    certificate({ key: 'I', signer: 'J' }),
    certificate({ key: 'J', signer: 'I' }),
  ];
  expect(outcome([given(...circle)])).toBe('signed-by-other');
});

test('each certificate of a bridge must allow as many CAs below it as exist', () => {
  expect(outcome([given(certificate({ pathLength: 0 }))])).toBe('path-length');
  expect(outcome([given(certificate({ pathLength: 1 }))])).toEqual(['B<A']);
  const above = (pathLength: number) => given(certificate({ signer: 'I' }), certificate({ key: 'I', pathLength }));
  expect(outcome([above(1)])).toBe('path-length');
  expect(outcome([above(2)])).toEqual(['B<I', 'I<A']);
});

test.each<[string, string, GivenAnswer]>([
  ['a private key', 'private-key', { ...given(certificate()), hasPrivateKey: true }],
  ['a text without a certificate', 'unreadable', given()],
  ['the next anchor itself', 'self-signed', given(certificate({ signer: 'B' }))],
  ['a signature of another key', 'signed-by-other', given(certificate({ signer: 'X' }))],
  ['a leaf', 'not-ca', given(certificate({ isCa: false }))],
  ['extended key usages of one side of TLS only', 'usage', given(certificate({ isForTls: false }))],
  ['name constraints', 'constrained', given(certificate({ constrained: true }))],
  ['another subject', 'other-subject', given(certificate({ key: 'C', publicKey: 'key of B', subject: 'CN=other' }))],
  ['a key of another certificate', 'other-key', given(certificate({ key: 'C', subject: 'CN=web' }))],
  ['the key of an earlier generation', 'stale', given(certificate({ key: 'C', subject: 'CN=1.root.test' }))],
  ['an earlier key of this generation', 'stale', given(certificate({ key: 'C' }))],
])('the operator refuses %s as an answer: %s', (_, cause, answer) => expect(outcome([answer])).toBe(cause));

test('a bridge is valid from now until the end of the worst plan, but not longer than the old anchor', () => {
  const needed = NOW + timeNeeded(observed(), 'bridge');
  const end = needed + 3 * DAY;
  const bundle = { hash: 'A', anchors: [ca('A', 'A', { notAfter: end })] };
  const ending = (notAfter: number) => outcome([given(certificate({ notAfter }))], { bundle });
  expect(ending(needed - 1)).toBe('ends-too-early');
  expect(ending(needed)).toEqual(['B<A']);
  expect(ending(end)).toEqual(['B<A']);
  expect(ending(end + 1)).toBe('ends-too-late');
  const above = given(certificate({ signer: 'I' }), certificate({ key: 'I', notAfter: needed - 1 }));
  expect(outcome([above], { bundle })).toBe('ends-too-early');
});

test.each<[string, number, number]>([
  ['ten days before the anchor ends', 10 * DAY, 8 * DAY],
  ['on its last day', DAY, 3_600_000],
])('a bridge lasts as long as possible if the rotation may outlast the old anchor: %s', (_, rest, least) => {
  const policy = { ...POLICY, leafReach: 3_600_000, restartTime: 30 * DAY };
  const pods = [{ workload: 'shop/Deployment/web', pods: 1, since: 0, hash: 'A', restartable: true }];
  const bundle = { hash: 'A', anchors: [ca('A', 'A', { notAfter: NOW + rest })] };
  const ending = (notAfter: number) => outcome([given(certificate({ notAfter }))], { policy, pods, bundle });
  expect(ending(NOW + least - 1)).toBe('ends-too-early');
  expect(ending(NOW + least)).toEqual(['B<A']);
  expect(ending(NOW + rest)).toEqual(['B<A']);
});

test('the operator accepts the valid one of several answers, or explains why it refuses the first one', () => {
  const stale = given(certificate({ key: 'C' }));
  const right: GivenAnswer = { ...given(certificate()), place: 'config-map' };
  expect(outcome([stale, right])).toEqual(['B<A']);
  expect(outcome([stale, given()])).toBe('stale');
  const renewed = given(certificate({ notAfter: 1 }), certificate({ id: 'second' }));
  expect(outcome([renewed])).toEqual(['second']);
});
