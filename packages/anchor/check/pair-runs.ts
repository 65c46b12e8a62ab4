import { advancedPair } from './advance';
import type { PairScenario } from './pair';
import { CERTIFYING, JOINING, MEMBER, variant } from './scenarios';
import type { State } from './state';

const pair = (name: string, start: Partial<State> = {}, other: Partial<State> = start): PairScenario => ({
  name,
  scenario: MEMBER,
  starts: [variant(MEMBER, {}, start).start, variant(MEMBER, {}, other).start],
});

/** A pair that begins where both issue with their next anchors. */
const signingPair: typeof pair = (name, ...starts) =>
  advancedPair(pair(`two clusters that issue with their next anchors${name}`, ...starts), (both) =>
    both.every(({ state }) => state.memory.rotation?.signing !== undefined),
  );

/** One cluster has almost finished its rotation, and the other one still uses the old anchor. */
const ONE_OF_TWO = advancedPair(
  pair('two clusters, one of which rotates', { renewals: 1 }, { memory: { ...MEMBER.start.memory, rotated: 'now' } }),
  ([east]) => east.state.memory.rotation?.signing !== undefined,
);

/** The first cluster certifies the second one, which is joining, and rotates at any time. */
const certified = (name: string, start: Partial<State> = {}): PairScenario => ({
  name: `two clusters, one of which certifies the other${name}`,
  scenario: CERTIFYING,
  certified: JOINING,
  starts: [variant(CERTIFYING, {}, start).start, JOINING.start],
});

/** A pair that begins where the certifying cluster issues with its next anchor; its old one certified the other. */
const rotatedCertified: typeof certified = (...given) =>
  advancedPair(
    certified(...given),
    ([east, west]) => east.state.memory.rotation?.signing !== undefined && west.state.issuer.secret?.over === 'A',
  );

const STEADY = { memory: { ...MEMBER.start.memory, rotated: 'now' } } as const satisfies Partial<State>;

/** All leaves of the certified cluster chain to the certifying cluster's anchor. */
const JOINED = advancedPair(
  certified('', STEADY),
  ([, { state }]) => state.reported?.certified?.includes('A') === true && state.reported.isCovered === true,
);

/** A pair that begins as `JOINED`; then the certified cluster rotates, or both do. */
function rotating(name: string, which: 'west' | 'both', start: Partial<State> = {}): PairScenario {
  const [east, west] = JOINED.starts;
  return {
    ...JOINED,
    name: `two clusters, one of which is certified, and ${which === 'both' ? 'both rotate' : 'rotates'}${name}`,
    isJoined: true,
    starts: [which === 'both' ? asked(east) : east, { ...asked(west), ...start }],
  };
}

function bothRotated(): PairScenario {
  const scenario = advancedPair(rotating('', 'both'), (both) =>
    both.every(({ state }) => state.memory.rotation?.signing !== undefined),
  );
  return { ...scenario, name: `${scenario.name}, which issue with their next anchors` };
}

/** A key of one cluster leaks; the other cluster learns it from a report. */
function leaking(which: string, east: Partial<State>, west: Partial<State>): PairScenario {
  const [one, other] = JOINED.starts;
  return {
    ...JOINED,
    name: `two clusters, and a key of ${which} leaks`,
    starts: [
      { ...one, vouched: [{ key: 'b', by: 'A' }], ...east },
      { ...other, vouched: [{ key: 'B', by: 'A' }], ...west },
    ],
  };
}

/** The same pair, whose pods restart only when the operator restarts them. */
function restartedByOperator(pair: PairScenario): PairScenario {
  const { name, scenario, certified } = pair;
  const restarts = 'operator';
  return {
    ...pair,
    name: `${name}, only the operator restarts pods`,
    scenario: { ...scenario, restarts },
    ...(certified && { certified: { ...certified, restarts } }),
  };
}

const LEAKING = { mishaps: ['key leaked'] } as const satisfies Partial<State>;

function asked(state: State): State {
  const { rotated: _, ...memory } = state.memory;
  return { ...state, memory };
}

/** Worlds of two clusters that share an anchor. */
export const SMALL_PAIRS: readonly PairScenario[] = [
  rotatedCertified(', and issues with its next anchor'),
  rotating('', 'west'),
  bothRotated(),
  ONE_OF_TWO,
  signingPair(''),
  signingPair(', one of which is rolled back', { mishaps: ['abort'] }, {}),
];

const LARGE: readonly PairScenario[] = [
  signingPair(', both of which are rolled back', { mishaps: ['abort'] }),
  signingPair(', one of which is rolled back and loses its old Secret', { mishaps: ['abort', 'old secret lost'] }, {}),
  signingPair(', one of which loses its next Secret', { mishaps: ['secret lost'] }, {}),
  pair('two clusters'),
  certified(', which joins'),
  leaking('the certifying cluster', LEAKING, {}),
  rotating('', 'both'),
  rotating(', and is rolled back', 'west', { mishaps: ['abort'] }),
  // Without a certificate in time, the next anchor signs alone.
  { ...rotating(', and loses its old Secret', 'west', { mishaps: ['old secret lost'] }), isJoined: false },
  rotatedCertified(', issues with its next anchor, and is rolled back', { mishaps: ['abort'] }),
  rotatedCertified(', issues with its next anchor, and loses its old Secret', { mishaps: ['old secret lost'] }),
];

/** Larger worlds of two clusters. */
export const LARGE_PAIRS: readonly PairScenario[] = [
  ...LARGE,
  ...[...SMALL_PAIRS, ...LARGE].map(restartedByOperator),
  // Where pods restart at any time, this world has too many states, because both clusters replace their anchors.
  restartedByOperator(leaking('the certified cluster', {}, LEAKING)),
];

/** The guards that concern two clusters. */
export type PairGuard = 'members-adopted' | 'members-certified' | 'committed';

/** For each of these guards, a pair of clusters in which a mesh breaks without it. */
export const PAIRS_WITHOUT: Readonly<Record<PairGuard, PairScenario>> = {
  'members-certified': rotatedCertified(''),
  'members-adopted': ONE_OF_TWO,
  committed: signingPair('', { mishaps: ['abort'] }, {}),
};
