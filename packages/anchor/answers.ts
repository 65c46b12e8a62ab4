import { DAY } from '#base/time-units';
import { excludes, type Time } from './chain';
import type { Rotation } from './memory';
import type { GivenAnswer, GivenCertificate, ObservedRequest, ObservedTrust } from './observed';
import { endOfRoot, timeNeeded } from './rotation-target';
import { allowsIssuer, bridgePath } from './way';

/** Why an answer to the request for a bridge is refused. */
export type AnswerFlaw = { readonly place: GivenAnswer['place'] } & (
  | { readonly cause: 'private-key' | 'unreadable' | 'self-signed' | 'signed-by-other' }
  | { readonly cause: 'not-ca' | 'usage' | 'constrained' | 'path-length' }
  /** Signed for an earlier request of this mesh, for another key, or with another subject. */
  | { readonly cause: 'stale' | 'other-key' | 'other-subject'; readonly found: string; readonly subject: string }
  | { readonly cause: 'not-yet-valid'; readonly begin: Time }
  | { readonly cause: 'ends-too-early'; readonly end: Time; readonly needed: Time }
  | { readonly cause: 'ends-too-late'; readonly end: Time; readonly most: Time }
);

interface Asked {
  readonly observed: ObservedTrust;
  readonly rotation: Pick<Rotation, 'from'>;
  readonly now: Time;
}

/**
 * Returns the certificates of the first valid answer: the bridge, and the CA certificates between it and the old trust
 * anchor. Other certificates of the answer are left out: proxies would trust each of them.
 */
export function acceptedAnswer(request: ObservedRequest, asked: Asked): readonly GivenCertificate[] | undefined {
  const all = (asked.observed.answers ?? []).map((answer) => checkAnswer(answer, request, asked));
  return all.find((checked) => 'path' in checked)?.path;
}

/** Returns the flaw of the first answer if none is valid; undefined if one is valid, or there are no answers. */
export function answerFlaw(request: ObservedRequest, asked: Asked): AnswerFlaw | undefined {
  const all = (asked.observed.answers ?? []).map((answer) => checkAnswer(answer, request, asked));
  return all.some((checked) => 'path' in checked) ? undefined : all.find((checked) => 'flaw' in checked)?.flaw;
}

type Checked = { readonly path: readonly GivenCertificate[] } | { readonly flaw: AnswerFlaw };

function checkAnswer(answer: GivenAnswer, request: ObservedRequest, asked: Asked): Checked {
  const { place, certificates, hasPrivateKey } = answer;
  if (hasPrivateKey) return { flaw: { place, cause: 'private-key' } };
  const bridges = certificates.filter(({ key, signer }) => key === request.key && key !== signer);
  const checked = bridges.map((bridge) => checkBridge(bridge, answer, asked));
  return checked.find((one) => 'path' in one) ?? checked[0] ?? { flaw: otherFlaw(answer, request) };
}

function otherFlaw({ place, certificates }: GivenAnswer, { key, publicKey, subject }: ObservedRequest): AnswerFlaw {
  const [first] = certificates;
  if (first === undefined) return { place, cause: 'unreadable' };
  const own = certificates.find((one) => one.publicKey === publicKey);
  if (own?.key === key) return { place, cause: 'self-signed' };
  if (own !== undefined) return { place, cause: 'other-subject', found: own.subject, subject };
  const earlier = certificates.find((one) => withoutNumber(one.subject) === withoutNumber(subject));
  const [cause, found] = earlier === undefined ? (['other-key', first] as const) : (['stale', earlier] as const);
  return { place, cause, found: found.subject, subject };
}

function withoutNumber(subject: string): string {
  return subject.replace(/^(.*CN=)\d+\./, '$1');
}

function checkBridge(bridge: GivenCertificate, { place, certificates }: GivenAnswer, asked: Asked): Checked {
  const path = bridgePath(bridge, certificates, asked.rotation.from);
  if (path === undefined) return { flaw: { place, cause: 'signed-by-other' } };
  const flaw = usageFlaw(place, path, asked) ?? timeFlaw(place, path, asked);
  return flaw === undefined ? { path } : { flaw };
}

function usageFlaw(
  place: GivenAnswer['place'],
  path: readonly GivenCertificate[],
  { observed: { policy } }: Asked,
): AnswerFlaw | undefined {
  if (path.some(({ isCa }) => !isCa)) return { place, cause: 'not-ca' };
  if (path.some(({ isForTls }) => !isForTls)) return { place, cause: 'usage' };
  if (path.some((one) => excludes(one, policy.trustDomain))) return { place, cause: 'constrained' };
  return allowsIssuer(path) ? undefined : { place, cause: 'path-length' };
}

/**
 * A bridge must be valid from now until the worst plan ends; if the old anchor expires before that, until `SHORTER`
 * before the anchor expires. It must not expire after the anchor.
 */
function timeFlaw(
  place: GivenAnswer['place'],
  path: readonly GivenCertificate[],
  { observed, rotation, now }: Asked,
): AnswerFlaw | undefined {
  const begin = Math.max(...path.map(({ notBefore }) => notBefore));
  if (begin > now) return { place, cause: 'not-yet-valid', begin };
  const end = Math.min(...path.map(({ notAfter }) => notAfter));
  const needed = leastEnd({ observed, rotation, now });
  if (end < needed) return { place, cause: 'ends-too-early', end, needed };
  const most = endOfRoot(observed, rotation.from) ?? end;
  return end > most ? { place, cause: 'ends-too-late', end, most } : undefined;
}

/** Returns the earliest expiry that a bridge may have if it is used from now on. */
export function leastEnd({ observed, rotation, now }: Asked): Time {
  const most = endOfRoot(observed, rotation.from) ?? Number.POSITIVE_INFINITY;
  const planned = Math.min(now + timeNeeded(observed, 'bridge'), most - SHORTER);
  return Math.max(planned, now + observed.policy.leafReach);
}

/** How long before the anchor a bridge may expire, whatever the plan: tools sign for whole days, with a margin. */
export const SHORTER = 2 * DAY;
