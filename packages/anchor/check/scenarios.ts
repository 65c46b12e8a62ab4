import type { AnchorPolicy } from '../observed';
import type { MemberReport } from '../plan';
import { exposed } from './invariant';
import { DOMAIN, OTHER, WATCHED } from './observe';
import type { Clocks, Scenario } from './scenario';
import { FOREVER } from './scenario';
import type { State } from './state';

/** The shortest times with which each wait takes at least a tick. */
export const TICKS: AnchorPolicy = {
  duration: FOREVER,
  renewBefore: 0,
  leafReach: 2,
  skew: 0,
  lag: 1,
  grain: 0,
  patience: 1,
  restartTime: 1,
  parallelRestarts: 1,
  laggards: 'Restart',
  paused: false,
  abort: false,
  rotateNow: 'now',
  members: [],
};

/** Correct clocks. */
export const RIGHT: Clocks = { operator: [0], certManager: 0, nodes: 0 };

const LONG_AGO = -20;

const ONE_ANCHOR: State = {
  now: 0,
  past: [],
  anchors: [
    {
      generation: 1,
      bundled: true,
      asked: 'self',
      isIssuing: false,
      certificate: { key: 'A', by: 'A' },
      hasIssuer: false,
    },
  ],
  signer: 1,
  issuer: { isIssuing: false, secret: { signer: 'A', revision: 1, at: LONG_AGO } },
  kept: ['A'],
  bundle: ['A'],
  pods: [['A']],
  identity: [{ roots: ['A'], issuer: { signer: 'A', revision: 1, at: LONG_AGO }, since: LONG_AGO }],
  leaves: [],
  memory: {
    current: { key: 'A', generation: 1 },
    bundles: [{ hash: 'A', keys: ['A'], since: LONG_AGO }],
    issuer: {
      revision: 1,
      signer: 'A',
      notAfter: LONG_AGO + FOREVER,
      since: LONG_AGO,
      seen: LONG_AGO,
      takenUp: LONG_AGO,
      steady: LONG_AGO,
    },
  },
  mishaps: [],
  renewals: 1,
  identityRestarts: 1,
  abort: false,
  lost: 0,
  before: {},
};

/** Whether the rotation has ended or was rolled back: only one anchor is left, which signs and is self-signed. */
export function isAtRest({ memory, anchors, signer, issuer, pending, abort }: State): boolean {
  const [only, ...others] = anchors;
  const key = only?.certificate?.key;
  if (only === undefined || key === undefined || others.length > 0 || pending !== undefined) return false;
  const isAlone = only.certificate?.by === key && signer === only.generation && issuer.secret?.signer === key;
  const isServed = memory.rotated !== undefined || abort;
  return isAlone && isServed && memory.rotation === undefined && memory.current?.key === key;
}

/** A rotation over a bridge. */
export const BRIDGE: Scenario = {
  name: 'over a bridge',
  policy: TICKS,
  clocks: RIGHT,
  evidence: 'metric',
  keys: 2,
  late: WATCHED,
  isCertManagerLate: false,
  writes: 'at once',
  restarts: 'any',
  start: ONE_ANCHOR,
  isGoal: isAtRest,
};

/** Returns a scenario with other times, mishaps and so on. */
export function variant(scenario: Scenario, change: Partial<Scenario>, start: Partial<State> = {}): Scenario {
  return { ...scenario, ...change, start: { ...scenario.start, ...change.start, ...start } };
}

/** An anchor with path length 0, which cannot certify another anchor. */
export const LONG_WAY = variant(
  BRIDGE,
  { name: 'without a bridge' },
  {
    anchors: ONE_ANCHOR.anchors.map((anchor) => ({ ...anchor, pathLength: 0 })),
  },
);

function isUntouched({ abort, anchors, memory, pending, signer }: State): boolean {
  const isIdle = memory.rotation === undefined && pending === undefined;
  return abort && anchors.length === 0 && signer === undefined && isIdle;
}

/** An anchor whose key is outside the cluster: nothing in it can renew the issuer, and a user signs the bridge. */
export const ELSEWHERE = variant(
  BRIDGE,
  {
    name: 'an external anchor',
    policy: { ...TICKS, bridgeSigner: 'request' },
    isGoal: (state) => isAtRest(state) || isUntouched(state),
  },
  {
    anchors: [],
    signer: undefined,
    memory: { ...ONE_ANCHOR.memory, current: { key: 'A' } },
    renewals: 0,
    identityRestarts: 0,
    isForeign: true,
  },
);

/** Clocks that may be a tick apart. */
export const SKEWED = { policy: { ...TICKS, skew: 1 }, clocks: { ...RIGHT, operator: [0, 1] } } as const;

/** Whether nothing trusts a key that an attacker has, and the mesh is at rest. */
function isCured(state: State): boolean {
  const { memory, anchors, signer, issuer, pending } = state;
  const [only, ...others] = anchors;
  const key = only?.certificate?.key;
  const isAlone = key !== undefined && others.length === 0 && only?.certificate?.by === key;
  const isSigning = signer === only?.generation && issuer.secret?.signer === key;
  const isResting = memory.rotation === undefined && pending === undefined;
  return isAlone && isSigning && isResting && exposed(state) === undefined;
}

/** Times within one tick have no known order, and leaves live so long that restarts replace them sooner. */
const SEEN_IN_TICKS: AnchorPolicy = { ...TICKS, grain: 1, leafReach: 5 };

/** A mesh at rest whose key leaks at some time. It matters when each pod started. */
export const LEAK = variant(
  BRIDGE,
  { name: 'a key that leaks', policy: { ...SEEN_IN_TICKS, rotateNow: undefined, laggards: 'Report' }, isGoal: isCured },
  { starts: { A: LONG_AGO }, vouched: [], mishaps: ['key leaked'], renewals: 0, identityRestarts: 0 },
);

/** A mesh whose key leaks at any point of a requested rotation. */
export const LEAK_AMID = variant(LEAK, {
  name: 'a key that leaks during a rotation',
  policy: SEEN_IN_TICKS,
  isGoal: (state) => isCured(state) && (state.memory.rotated !== undefined || state.abort),
});

/** A cluster that has had no anchor yet. */
export const FIRST = variant(
  BRIDGE,
  { name: 'the first anchor' },
  {
    anchors: [],
    signer: undefined,
    issuer: { isIssuing: true },
    kept: [],
    bundle: [],
    pods: [],
    identity: [],
    memory: { bundles: [] },
    renewals: 1,
    identityRestarts: 2,
  },
);

/** Both anchors were just added to the bundle by hand, and the operator has no memory. */
export const HALF_DONE = variant(
  BRIDGE,
  { name: 'found half done' },
  {
    anchors: [
      ...ONE_ANCHOR.anchors,
      {
        generation: 2,
        bundled: true,
        asked: 'self',
        isIssuing: false,
        certificate: { key: 'B', by: 'B' },
        hasIssuer: false,
      },
    ],
    kept: [],
    bundle: ['A', 'B'],
    pods: [['A'], ['A', 'B']],
    memory: { bundles: [] },
  },
);

const SAID: MemberReport = { signing: ['A'], adopted: ['A'] };

/** Each of two clusters with the same anchor. */
export const MEMBER = variant(
  BRIDGE,
  {
    name: 'two clusters',
    policy: { ...TICKS, leafReach: 1, members: [OTHER] },
    keys: 3,
    late: [],
  },
  { reported: SAID, heard: SAID, renewals: 0, identityRestarts: 0 },
);

/** A cluster that certifies the other one for that cluster's trust domain, and does not have its root. */
export const CERTIFYING = variant(
  MEMBER,
  { policy: { ...MEMBER.policy, certifies: [{ cluster: OTHER, trustDomain: DOMAIN }] } },
  { reported: { ...SAID, certifier: 'A', holds: ['A'] }, heard: { signing: ['b'], adopted: ['A', 'b'] } },
);

const ALONE = { signer: 'B', revision: 1, at: LONG_AGO };

/** A cluster that `OTHER` is to certify: it has its own anchor, which is not certified yet, and does not rotate. */
export const JOINING = variant(
  MEMBER,
  {
    policy: {
      ...MEMBER.policy,
      members: [OTHER],
      bridgeSigner: 'request',
      certifiedBy: OTHER,
      trustDomain: DOMAIN,
    },
    isUnsigned: true,
  },
  {
    isForeign: true,
    anchors: ONE_ANCHOR.anchors.map((anchor) => ({ ...anchor, certificate: { key: 'B', by: 'B' } })),
    issuer: { isIssuing: false, secret: ALONE },
    kept: ['A', 'B'],
    bundle: ['A', 'B'],
    pods: [['A', 'B']],
    identity: [{ roots: ['A', 'B'], issuer: ALONE, since: LONG_AGO }],
    memory: {
      rotated: 'now',
      current: { key: 'B', generation: 1 },
      bundles: [{ hash: 'AB', keys: ['A', 'B'], since: LONG_AGO }],
      issuer: {
        revision: 1,
        signer: 'B',
        notAfter: LONG_AGO + FOREVER,
        since: LONG_AGO,
        seen: LONG_AGO,
        takenUp: LONG_AGO,
        steady: LONG_AGO,
      },
    },
    reported: { signing: ['B'], adopted: ['A', 'B'] },
    heard: { ...SAID, certifier: 'A', holds: ['A'] },
  },
);
