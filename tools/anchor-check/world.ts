import { DISTRUSTED } from '../../operator/api/anchor/compromised';
import { NO_MEMORY } from '../../operator/api/anchor/memory';
import type { AnchorAction, Told } from '../../operator/api/anchor/plan';
import { MEMBERS_WAIT } from '../../operator/api/anchor/rotation/adopted';
import { accepts, chainName, exposed, list } from './invariant';
import {
  answerId,
  hashOf,
  isSamePart,
  type Lateness,
  nextKey,
  observe,
  replicaName,
  textOf,
  toldText,
  WATCHED,
  workloadOf,
} from './observe';
import type { Decide, Scenario } from './scenario';
import type {
  Before,
  Certified,
  Issued,
  Key,
  Leaves,
  Mishap,
  Report,
  Shown,
  State,
  Watched,
  WorldAction,
  WorldAnchor,
  WorldIdentity,
} from './state';

/**
 * Those who make a step. `mishap` and `natural` need never happen; the others do their part some time. The `person` does
 * what the status asks for.
 */
export type Actor =
  | 'time'
  | 'operator'
  | 'late operator'
  | 'crash'
  | 'cert-manager'
  | 'trust-manager'
  | 'identity'
  | 'natural'
  | 'copy'
  | 'person'
  | 'mishap';

/** A step of the world. */
export interface Step<S = State> {
  readonly actor: Actor;
  readonly label: () => string;
  readonly state: S;
  /** True for a step that was announced by the one before it. */
  readonly isExpected?: boolean;
}

/** A world, and the operator in it. */
export interface Rules {
  readonly scenario: Scenario;
  readonly decide: Decide;
}

/** Lists all possible next steps. */
export function stepsFrom(state: State, rules: Rules): readonly Step[] {
  const isBusy = state.pending !== undefined && rules.scenario.writes === 'at once';
  const steps = isBusy ? operatorSteps(state, rules) : allSteps(state, rules);
  return steps.map((step) => ({
    ...step,
    state: withBefore(withLeaves(withStarts(withPods(step.state), state)), state, rules),
  }));
}

function allSteps(state: State, rules: Rules): readonly Step[] {
  return [
    ...operatorSteps(state, rules),
    ...anchorSteps(state),
    ...issuerSteps(state, rules),
    ...bundleSteps(state),
    ...podSteps(state, rules),
    ...identitySteps(state, rules),
    ...mishaps(state),
    ...personSteps(state, rules),
    ...deadlineSteps(state, rules),
    tick(state, rules),
  ];
}

/**
 * Lists what can happen next where all do at once what they are to do: the operator what it decided, cert-manager,
 * trust-manager and identity; and where pods start at all times.
 */
export function hurriedSteps(state: State, rules: Rules): readonly Step[] {
  return allSteps(state, rules).map((step) => ({
    ...step,
    state: hurried(withBefore(step.state, state, rules), rules),
  }));
}

/** The state in which nothing is left to be done at once. */
export function hurried(state: State, rules: Rules): State {
  const { pending, bundle, pods } = state;
  const [step] =
    pending === undefined
      ? [
          ...anchorSteps(state),
          ...bundleSteps(state),
          ...dueIssuerSteps(state, rules.scenario),
          ...identitySteps(state, rules).filter(({ actor }) => actor === 'identity'),
        ]
      : pendingSteps(state, pending.actions, pending.until);
  if (step !== undefined) return hurried(withBefore(step.state, state, rules), rules);
  const isGiven = bundle.length === 0 || pods.some((pod) => hashOf(pod) === hashOf(bundle));
  return withBefore(withLeaves(withPods(isGiven ? state : { ...state, pods: withPod(pods, bundle) })), state, rules);
}

/** Adds what identity may issue at this moment. */
export function withLeaves(state: State): State {
  let leaves = state.leaves;
  for (const { issuer } of state.identity) {
    const { signer, over, beyond } = issuer;
    const old = leaves.find(({ chain }) => chain.signer === signer && chain.over === over && chain.beyond === beyond);
    if (old?.last === state.now) continue;
    const chain = { signer, ...(over !== undefined && { over }), ...(beyond !== undefined && { beyond }) };
    const made: Leaves = { chain, last: state.now };
    leaves = [...leaves.filter((one) => one !== old), made];
  }
  return leaves === state.leaves ? state : { ...state, leaves };
}

/**
 * Where it matters who started when, notes the starts of pods that were not there before, and drops leaves that nobody
 * who lives can have.
 */
function withStarts(state: State, before: State): State {
  const { starts, pods, now, identity } = state;
  if (starts === undefined) return state;
  const was = new Set(before.pods.map(hashOf));
  const entries = pods.map(hashOf).map((hash) => [hash, was.has(hash) ? (starts[hash] ?? now) : now] as const);
  const oldest = Math.min(...entries.map(([, start]) => start), ...identity.map(({ since }) => since));
  return {
    ...state,
    starts: Object.fromEntries(entries),
    leaves: state.leaves.filter(({ last }) => oldest <= last || last === now),
  };
}

function tick(state: State, { scenario }: Rules): Step {
  const now = state.now + 1;
  const { skew, lag } = scenario.policy;
  const { leavesLast = scenario.policy.leafReach } = scenario;
  const { pending, ...rest } = state;
  return {
    actor: 'time',
    label: () => 'a tick passes',
    state: {
      ...rest,
      now,
      before: stillSeen(state.before, now - lag + 1),
      past: [shownBy(state), ...state.past].slice(0, lag),
      leaves: state.leaves.filter(({ last }) => now < last + leavesLast + skew),
      ...(pending !== undefined && pending.until >= now && { pending }),
    },
  };
}

function shownBy({ anchors, signer, issuer, kept, bundle, pods, starts, identity }: Shown): Shown {
  return {
    anchors,
    ...(signer !== undefined && { signer }),
    issuer,
    kept,
    bundle,
    pods,
    ...(starts !== undefined && { starts }),
    identity,
  };
}

/**
 * Keeps what a step has changed as long as it may be seen.
 *
 * Who sees what is at most `lag` old sees any version that ended less than `lag` ago, also one that was there within a
 * tick alone: a watch that is behind shows each of them. What ended `lag` ago is not seen. That matters only because steps
 * take no time here: the operator waits from the step that it saw, which in truth is later than the one before.
 *
 * A version that was there more than once counts once, up to its last end, and not at all while it is there again: to have
 * seen it is to have seen the last of it.
 */
function withBefore(state: State, before: State, { scenario }: Pick<Rules, 'scenario'>): State {
  const changed = scenario.late.filter((part) => !isSamePart(before, state, part));
  if (changed.length === 0) return state;
  const last: Before = { shown: shownBy(before), until: before.now };
  const others = (part: Watched): readonly Before[] =>
    (state.before[part] ?? []).filter(
      ({ shown }) => !isSamePart(shown, before, part) && !isSamePart(shown, state, part),
    );
  const parts = changed.map((part): [Watched, readonly Before[]] => [part, [last, ...others(part)]]);
  return { ...state, before: { ...state.before, ...Object.fromEntries(parts) } };
}

function stillSeen(before: State['before'], from: number): State['before'] {
  return Object.fromEntries(
    Object.entries(before).flatMap(([part, all]) => {
      const left = all.filter(({ until }) => until >= from);
      return left.length === 0 ? [] : [[part, left]];
    }),
  );
}

// --- The operator

function operatorSteps(state: State, rules: Rules): readonly Step[] {
  const { pending } = state;
  if (pending !== undefined) return pendingSteps(state, pending.actions, pending.until);
  const { scenario } = rules;
  if (scenario.isGoal(state)) return [];
  const lates = latenesses(state, scenario);
  return scenario.clocks.operator.flatMap((ahead) => looks(state, rules, lates, ahead));
}

/** Each decision as it is seen at once, and besides the late ones alone after which no other one allows for more. */
function looks(state: State, rules: Rules, lates: readonly Lateness[], ahead: number): readonly Step[] {
  const steps = new Map<string, readonly Step[]>();
  for (const late of lates) {
    for (const step of look(state, rules, late, ahead)) {
      const { memory, pending, wrong } = step.state;
      const decision = `${textOf(memory)}${JSON.stringify(pending?.actions)}${wrong}`;
      const others = steps.get(decision) ?? [];
      if (others.some((other) => allowsFor(other.state, step.state))) continue;
      const left = others.filter(({ actor, state: other }) => actor === 'operator' || !allowsFor(step.state, other));
      steps.set(decision, [...left, step]);
    }
  }
  return [...steps.values()].flat();
}

/** Of the outcomes of two looks at one state, one may be carried out as long, and be followed by as old ones. */
function allowsFor(one: State, other: State): boolean {
  const isOpenAsLong = (one.pending?.until ?? 0) >= (other.pending?.until ?? 0);
  return isOpenAsLong && WATCHED.every((part) => (one.before[part]?.length ?? 0) >= (other.before[part]?.length ?? 0));
}

/** Nothing older is seen of a part than what was seen of it before. */
function withSeen(before: State['before'], late: Lateness): State['before'] {
  return Object.fromEntries(
    Object.entries(before).flatMap(([part, all]) => {
      const seen = late[part as Watched];
      return seen === undefined ? [] : [[part, all.slice(0, all.indexOf(seen) + 1)]];
    }),
  );
}

function look(state: State, { scenario, decide }: Rules, late: Lateness, ahead: number): readonly Step[] {
  const decision = decide(observe(state, scenario, late), state.now + ahead);
  const { memory, told: decidedTold, actions: decided } = decision;
  const wrong = wrongOf(decision, state);
  const told = decidedTold && reportOf(decidedTold, state);
  const isNews = state.told !== undefined && told !== undefined && toldText(told) !== toldText(state.told);
  const seenAnchors = late.anchors?.shown.anchors ?? state.anchors;
  const actions: readonly WorldAction[] = [
    ...decided
      .flatMap((action) => (scenario.restarts === 'operator' ? [action] : notNatural(action)))
      .map((action) => overSeen(action, seenAnchors)),
    ...(isNews ? [{ do: 'tell', told } as const] : []),
  ];
  const seen = Object.values(late).map(({ until }) => until);
  const isSame = wrong === undefined && actions.length === 0 && textOf(memory) === textOf(state.memory);
  if (isSame) return [];
  const pending =
    actions.length === 0
      ? {}
      : { pending: { actions, until: Math.min(state.now + 1, ...seen) + scenario.policy.lag - 1 } };
  return [
    {
      actor: seen.length > 0 ? 'late operator' : 'operator',
      label: () =>
        `the operator looks${lateWords(state, late)}${aheadWords(ahead)} and decides: ${actionWords(actions)}`,
      state: { ...state, memory, before: withSeen(state.before, late), ...pending, ...(wrong && { wrong }) },
    },
  ];
}

/** Says what is wrong with a decision, if anything is, while an attacker has a key. */
function wrongOf({ actions, milestones = [] }: ReturnType<Decide>, state: State): string | undefined {
  const { leaked = [], anchors } = state;
  const asked = actions.flatMap((action) => {
    const isNew =
      action.do === 'apply-anchor' &&
      anchors.find(({ generation }) => generation === action.generation)?.asked !== action.signer;
    return isNew ? [action.signer] : [];
  });
  const signers = anchors.filter(({ generation }) => asked.includes(generation));
  const bad = signers.find(({ certificate }) => certificate !== undefined && leaked.includes(certificate.key));
  if (bad !== undefined) return `the operator asks for a certificate by ${bad.certificate?.key}, which leaked`;
  const isOver = milestones.some(({ type, status }) => type === DISTRUSTED && status);
  const known = [...leaked, ...(state.heard?.compromised ?? [])];
  const trust = isOver ? exposed(state, { ...state, leaked: known }) : undefined;
  return trust && `the operator says that nothing trusts the key, and ${trust}`;
}

/** What the other cluster is told: with the request, and the certificate for it, that are there now. */
function reportOf({ asks, answers = [], ...told }: Told, state: State): Report {
  const asking = state.anchors.find(({ generation }) => generation === asks);
  const { certification } = state;
  return {
    ...told,
    ...(asking !== undefined && { request: nextKey(asking, state) }),
    ...(answers.length > 0 && certification !== undefined && { given: certification }),
  };
}

/** The version of a Certificate as it is seen goes along with a write to it. */
function overSeen(action: AnchorAction, anchors: readonly WorldAnchor[]): WorldAction {
  if (action.do !== 'apply-anchor') return action;
  const seen = anchors.find(({ generation }) => generation === action.generation);
  return seen === undefined ? action : { ...action, seen: textOf(seen) };
}

/** Whether somebody has written to a Certificate since it was seen. */
function isOutdated(action: WorldAction, { anchors }: Pick<State, 'anchors'>): boolean {
  if (action.do !== 'apply-anchor' || action.seen === undefined) return false;
  const live = anchors.find(({ generation }) => generation === action.generation);
  return live === undefined || textOf(live) !== action.seen;
}

/** Of restarts, that of identity alone makes a difference where pods restart at any time. */
function notNatural(action: AnchorAction): readonly AnchorAction[] {
  if (action.do !== 'restart-laggards') return [action];
  return action.workloads.includes(replicaName(0)) ? [{ ...action, workloads: [replicaName(0)] }] : [];
}

function pendingSteps(state: State, [action, ...others]: readonly WorldAction[], until: number): readonly Step[] {
  const { pending: _, ...rest } = state;
  if (action === undefined) return [{ actor: 'operator', label: () => '', state: rest }];
  if (isOutdated(action, state)) {
    return [{ actor: 'operator', label: () => `refused: ${actionWords([action])}`, isExpected: true, state: rest }];
  }
  const left = others.length === 0 ? {} : { pending: { actions: others, until } };
  return [
    {
      actor: 'operator',
      label: () => `the operator: ${actionWords([action])}`,
      isExpected: true,
      state: { ...act(rest, action), ...left },
    },
    { actor: 'crash', label: () => `the operator crashes before ${actionWords([action])}`, state: rest },
  ];
}

/** Everything is seen as it is. */
const PROMPTLY: Lateness = {};

/** All ways in which what is seen may be late. */
function latenesses(state: State, scenario: Scenario): readonly Lateness[] {
  let all: Lateness[] = [PROMPTLY];
  for (const part of scenario.late) {
    const before = state.before[part] ?? [];
    all = [...all, ...before.flatMap((one) => all.map((late) => ({ ...late, [part]: one })))];
  }
  return all;
}

function act(state: Omit<State, 'pending'>, action: WorldAction): State {
  switch (action.do) {
    case 'tell':
      return { ...state, told: action.told };
    case 'apply-anchor':
      return { ...state, anchors: withAnchor(state, action) };
    case 'keep-roots':
      return { ...state, kept: action.keys };
    case 'apply-issuer':
      return edited(state, action.generation, { hasIssuer: true });
    case 'bundle':
      return edited(state, action.generation, { bundled: action.bundled });
    case 'set-signer':
      return { ...state, signer: action.generation };
    case 'hold-signer':
      return withoutSigner(state);
    case 'renew-issuer':
      return { ...state, issuer: renewed(state.issuer, action.revision) };
    case 'answer-request':
      return { ...state, anchors: state.anchors.map((anchor) => answeredBy(anchor, state, action)) };
    case 'delete-anchor':
      return withoutAnchor(state, action.generation);
    case 'restart-identity':
      return { ...state, identity: state.identity.map((replica) => restarted(state, replica)) };
    case 'restart-laggards':
      return withoutLaggards(state, action.workloads);
    case 'certify':
      return { ...state, ...certifiedBy(state, action.generation) };
    case 'withdraw-certificate': {
      const { certification: _, ...rest } = state;
      return rest;
    }
    case 'renew-anchor':
      return edited(state, action.generation, { isIssuing: true });
    case 'keep-key':
      return state;
    default:
      return action satisfies never;
  }
}

/** The generation after one that is rolled back has its number again, and another key: it matters where the first leaked. */
function withoutAnchor(state: Omit<State, 'pending'>, generation: number): Omit<State, 'pending'> {
  const key = state.anchors.find((one) => one.generation === generation)?.certificate?.key;
  const isLeaked = key !== undefined && state.leaked?.includes(key);
  return {
    ...state,
    anchors: state.anchors.filter((one) => one.generation !== generation),
    lost: state.lost + (isLeaked ? 1 : 0),
  };
}

/** cert-manager signs at once what the other cluster asks for, unless that has changed. */
function certifiedBy(
  { anchors, heard, vouched }: Omit<State, 'pending'>,
  generation: number,
): Pick<State, 'certification' | 'vouched'> {
  const by = anchors.find((one) => one.generation === generation && one.hasIssuer)?.certificate?.key;
  if (by === undefined || heard?.request === undefined) return {};
  const certification = { key: heard.request, by };
  return { certification, ...vouchedFor({ vouched }, certification) };
}

/** Nothing happens to a request that was answered or replaced since; an answer that was reverted since cannot be given. */
function answeredBy(
  anchor: WorldAnchor,
  { answer: own, heard }: Pick<State, 'answer' | 'heard'>,
  { generation, certificates }: Extract<AnchorAction, { do: 'answer-request' }>,
): WorldAnchor {
  const isOpen = anchor.asked === 'request' && anchor.isIssuing && anchor.answered === undefined;
  const answer = own ?? heard?.given;
  if (anchor.generation !== generation || !isOpen || answer === undefined) return anchor;
  return certificates.includes(answerId(answer)) ? { ...anchor, answered: answer } : anchor;
}

/** Nothing happens where something has happened to it since: the API server refuses the write. */
function renewed(issuer: State['issuer'], revision: number | undefined): State['issuer'] {
  return issuer.isIssuing || issuer.secret?.revision !== revision ? issuer : { ...issuer, isIssuing: true };
}

function restarted({ now, bundle, issuer }: Shown & Pick<State, 'now'>, before: WorldIdentity): WorldIdentity {
  return { roots: bundle, issuer: issuer.secret ?? before.issuer, since: now };
}

/** The pods of one workload are followed by others, with what is given to them now: of identity, if it is among them. */
function withoutLaggards(state: State, workloads: readonly string[]): State {
  const identity = state.identity.map((one, at) => (workloads.includes(replicaName(at)) ? restarted(state, one) : one));
  if (workloads.includes(replicaName(0))) return { ...state, identity };
  const pods = state.pods.filter((pod) => workloads[0] !== workloadOf(pod));
  const { [workloads[0]?.replace('pods-', '') ?? '']: _, ...starts } = state.starts ?? {};
  return {
    ...state,
    ...(state.starts && { starts }),
    pods: pods.some((pod) => hashOf(pod) === hashOf(state.bundle)) ? pods : withPod(pods, state.bundle),
  };
}

function withAnchor(
  { anchors }: Pick<State, 'anchors'>,
  { generation, signer, bundled }: Extract<AnchorAction, { do: 'apply-anchor' }>,
): readonly WorldAnchor[] {
  const before = anchors.find((anchor) => anchor.generation === generation);
  if (before === undefined)
    return [...anchors, { generation, bundled, asked: signer, isIssuing: true, hasIssuer: false }];
  const isIssuing = before.isIssuing || before.asked !== signer;
  const { answered, ...rest } = before;
  // A request to another signer is another request.
  const kept = answered !== undefined && before.asked === signer ? { answered } : {};
  return anchors.map((anchor) =>
    anchor === before ? { ...rest, ...kept, bundled, asked: signer, isIssuing } : anchor,
  );
}

function edited<S extends Pick<State, 'anchors'>>(state: S, generation: number, edit: Partial<WorldAnchor>): S {
  const anchors = state.anchors.map((anchor) => (anchor.generation === generation ? { ...anchor, ...edit } : anchor));
  return { ...state, anchors };
}

function withoutSigner<S extends Pick<State, 'signer'>>(state: S): S {
  const { signer: _, ...rest } = state;
  return rest as S;
}

// --- cert-manager

function anchorSteps(state: State): readonly Step[] {
  return state.anchors.flatMap((anchor) => {
    if (!anchor.isIssuing) return [];
    const key = nextKey(anchor, state);
    const by = signingKey(state, anchor, key);
    if (by === undefined) return [];
    const { answered: _, ...rest } = anchor;
    const issued: WorldAnchor = { ...rest, certificate: { key, by, ...beyondOf(state, anchor) }, isIssuing: false };
    const label = () => `cert-manager issues anchor ${key}${by === key ? '' : ` as a bridge by ${by}`}`;
    const anchors = state.anchors.map((one) => (one === anchor ? issued : one));
    return [{ actor: 'cert-manager', label, state: { ...state, anchors, ...vouchedFor(state, { key, by }) } } as const];
  });
}

/** Notes that one key vouches for another. */
function vouchedFor(
  { vouched }: { readonly vouched?: State['vouched'] | undefined },
  made: Certified,
): Pick<State, 'vouched'> {
  const isKnown = vouched?.some(({ key, by }) => key === made.key && by === made.by);
  if (vouched === undefined || isKnown || made.key === made.by) return {};
  return { vouched: [...vouched, made].sort((a, b) => (answerId(a) < answerId(b) ? -1 : 1)) };
}

/** What comes along of the generation that signs an anchor. */
function beyondOf({ anchors }: State, { asked }: WorldAnchor): Pick<Certified, 'beyond'> {
  const { key, by } = anchors.find(({ generation }) => generation === asked)?.certificate ?? {};
  return by === undefined || by === key ? {} : { beyond: by };
}

/** The key that signs an anchor, if there is one: that of an issuer elsewhere is A. */
function signingKey({ anchors }: State, { asked, answered }: WorldAnchor, own: Key): Key | undefined {
  if (asked === 'self') return own;
  if (asked === 'issuer') return 'A';
  if (asked === 'request') return answered?.key === own ? answered.by : undefined;
  const anchor = anchors.find((one) => one.generation === asked);
  return anchor?.hasIssuer ? anchor.certificate?.key : undefined;
}

/** The issuer that cert-manager has been asked for. */
function dueIssuerSteps(state: State, scenario: Scenario): readonly Step[] {
  const { issuer } = state;
  if (issuer.signed !== undefined) {
    const { signed: secret } = issuer;
    const label = () => `what cert-manager signed comes into the Secret: the issuer of ${chainName(secret)}`;
    return [
      { actor: 'cert-manager', label, isExpected: true, state: { ...state, issuer: { isIssuing: false, secret } } },
    ];
  }
  return issuer.isIssuing ? signatures(state, scenario) : [];
}

function issuerSteps(state: State, { scenario }: Rules): readonly Step[] {
  const { issuer } = state;
  const due = dueIssuerSteps(state, scenario);
  if (due.length > 0 || issuer.isIssuing || issuer.secret === undefined || state.renewals === 0) return due;
  // By who is asked at the moment of signing, so that it need not be two steps.
  return signatures({ ...state, renewals: state.renewals - 1 }, scenario).map((step) => ({
    ...step,
    actor: 'natural',
    label: () => `by itself, ${step.label()}`,
  }));
}

function signatures(state: State, { clocks, isCertManagerLate }: Scenario): readonly Step[] {
  const seen = new Set<string>();
  return [state, ...(isCertManagerLate ? state.past : [])].flatMap(({ signer, anchors }) => {
    const certificate = anchors.find(({ generation }) => generation === signer)?.certificate;
    if (certificate === undefined) return [];
    const { key, by, beyond } = certificate;
    const text = `${key}${by}${beyond}`;
    if (seen.has(text)) return [];
    seen.add(text);
    const revision = (state.issuer.secret?.revision ?? 0) + 1;
    const signed: Issued = {
      signer: key,
      ...(by !== key && { over: by }),
      ...(beyond !== undefined && { beyond }),
      revision,
      at: state.now + clocks.certManager,
    };
    const label = () => `cert-manager signs an issuer of ${chainName(signed)}`;
    return [
      {
        actor: 'cert-manager',
        label,
        state: { ...state, issuer: { ...state.issuer, isIssuing: true, signed } },
      } as const,
    ];
  });
}

// --- trust-manager

function bundleSteps(state: State): readonly Step[] {
  const keys = state.anchors.flatMap(({ bundled, certificate }) => (bundled && certificate ? [certificate.key] : []));
  const bundle = [...new Set([...keys, ...state.kept])].sort();
  if (hashOf(bundle) === hashOf(state.bundle)) return [];
  return [
    {
      actor: 'trust-manager',
      label: () => `trust-manager writes the bundle: ${list(bundle)}`,
      state: { ...state, bundle },
    },
  ];
}

// --- Pods

/** Bundles that a pod may be given now. */
function mounted(state: State): readonly (readonly Key[])[] {
  const all = [state, ...state.past].map(({ bundle }) => bundle).filter((bundle) => bundle.length > 0);
  return all.filter((bundle, index) => all.findIndex((other) => hashOf(other) === hashOf(bundle)) === index);
}

/**
 * Pods come and go. Those that the operator counts as nobody's laggards make no difference to it, so that of these all
 * live that can: see `withPods`.
 */
function podSteps(state: State, { scenario }: Rules): readonly Step[] {
  const { pods } = state;
  if (scenario.restarts === 'operator') return [];
  const come = mounted(state).filter((bundle) => pods.every((pod) => hashOf(pod) !== hashOf(bundle)));
  const go = pods.filter((pod) => !isUnnoticed(pod, state));
  return [
    ...come.map((bundle) => ({
      actor: 'natural' as const,
      label: () => `a pod starts, which is given ${list(bundle)}`,
      state: { ...state, pods: withPod(pods, bundle) },
    })),
    ...(state.starts ? pods.filter((pod) => isGiven(pod, state)) : []).map((pod) => ({
      actor: 'natural' as const,
      label: () => `all pods restart that were given ${list(pod)}, and are given it again`,
      state: { ...state, starts: { ...state.starts, [hashOf(pod)]: state.now } },
    })),
    ...go.map((pod) => ({
      actor: 'natural' as const,
      label: () => `the last pod goes that was given ${list(pod)}`,
      state: { ...state, pods: pods.filter((other) => other !== pod) },
    })),
  ];
}

/** Whether a pod that starts now may be given this. */
function isGiven(pod: readonly Key[], state: State): boolean {
  return mounted(state).some((bundle) => hashOf(bundle) === hashOf(pod)) && state.starts?.[hashOf(pod)] !== state.now;
}

function withPod(pods: State['pods'], bundle: readonly Key[]): State['pods'] {
  return [...pods, bundle].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
}

/**
 * Pods that are remembered to know the next anchor. Of two clusters, those that know whatever the other one is told of, or
 * signs by; and those than which others there know less.
 */
function isUnnoticed(pod: readonly Key[], { memory, heard, pods, starts, vouched }: State): boolean {
  const { rotation, bundles } = memory;
  // Who started when, and who trusts what, is noticed of all.
  if (starts !== undefined || vouched !== undefined) return false;
  if (!bundles.some(({ hash }) => hash === hashOf(pod))) return false;
  if (heard === undefined) return rotation?.key !== undefined && pod.includes(rotation.key);
  if (pods.some((other) => other.length < pod.length && other.every((key) => pod.includes(key)))) return true;
  const needed = [...heard.signing, ...(bundles.at(-1)?.keys ?? []), ...(rotation?.key ? [rotation.key] : [])];
  return needed.every((key) => pod.includes(key));
}

/** Adds all pods that can be there and that the operator would not mind. */
function withPods(state: State): State {
  const more = mounted(state).filter(
    (bundle) => isUnnoticed(bundle, state) && state.pods.every((pod) => hashOf(pod) !== hashOf(bundle)),
  );
  return more.length === 0 ? state : { ...state, pods: more.reduce(withPod, state.pods) };
}

function identitySteps(state: State, rules: Rules): readonly Step[] {
  const { scenario } = rules;
  const files = issuerFiles(state);
  const since = state.now + scenario.clocks.nodes;
  const updates = state.identity.flatMap((replica, index) =>
    (scenario.isIdentityDeaf ? [] : files)
      .filter((one) => one.revision > replica.issuer.revision && accepts(replica.roots, one))
      .map((issuer) => ({
        actor: 'identity' as const,
        label: () => `identity takes up the issuer of ${chainName(issuer)}`,
        state: withReplica(state, index, { ...replica, issuer, told: since }),
      })),
  );
  return [...updates, ...identityStarts(state, rules, files)];
}

/** Issuers that a Secret may hold where it is mounted. */
function issuerFiles(state: State): readonly Issued[] {
  const secrets = [state, ...state.past].flatMap(({ issuer: { secret } }) => secret ?? []);
  return secrets.filter((one, index) => secrets.findIndex(({ revision }) => revision === one.revision) === index);
}

/** Identity restarts, or goes and comes back later. */
function identityStarts(state: State, { scenario }: Rules, files: readonly Issued[]): readonly Step[] {
  const left = state.identityRestarts - 1;
  const [replica] = state.identity;
  if (replica !== undefined && (left < 0 || scenario.restarts === 'operator')) return [];
  const since = state.now + scenario.clocks.nodes;
  const starts = mounted(state).flatMap((roots) => files.map((issuer) => ({ roots, issuer, since })));
  const come = starts.map((start) => ({
    actor: replica === undefined ? ('identity' as const) : ('natural' as const),
    label: () => `identity starts, knows ${list(start.roots)} and works with the issuer of ${chainName(start.issuer)}`,
    state: {
      ...state,
      identity: [start, ...state.identity.slice(1)],
      identityRestarts: replica === undefined ? left + 1 : left,
    },
  }));
  if (replica === undefined) return come;
  const go = {
    actor: 'natural',
    label: () => 'identity goes',
    state: { ...state, identity: [], identityRestarts: left },
  } as const;
  return [...come, go];
}

function withReplica(state: State, index: number, replica: WorldIdentity): State {
  return { ...state, identity: state.identity.map((one, at) => (at === index ? replica : one)) };
}

// --- People

/**
 * Does what the status asks for: lifts an abort that cannot be, restarts identity where the other cluster waits for it,
 * signs the request for a bridge, or
 * names what the other cluster reports as leaked.
 */
function personSteps(state: State, rules: Rules): readonly Step[] {
  const { isUnsigned, policy } = rules.scenario;
  const maySign = policy.bridgeSigner === 'request' && !isUnsigned;
  if (!state.abort && state.heard === undefined && !maySign) return [];
  const decision = rules.decide(observe(state, rules.scenario, PROMPTLY), state.now);
  const { milestones = [], awaitedSignature } = decision;
  const isAsked = (wanted: string): boolean => milestones.some(({ reason }) => reason === wanted);
  const lift: Step = {
    actor: 'person',
    label: () => 'somebody reads NoWayBack, or Suspended: abort: false',
    state: { ...state, abort: false },
  };
  return [
    ...(state.abort && (isAsked('NoWayBack') || isAsked('Suspended')) ? [lift] : []),
    ...(isAsked(MEMBERS_WAIT) ? identityRestarts(state, rules) : []),
    ...(isAsked('Reported') ? leakSteps(state) : []),
    ...(maySign && awaitedSignature !== undefined ? signatureSteps(state, awaitedSignature.generation) : []),
  ];
}

/** Names here what the other cluster reports. */
function leakSteps(state: State): readonly Step[] {
  const { leaked = [], heard } = state;
  const more = (heard?.compromised ?? []).filter((key) => !leaked.includes(key));
  const label = () => `somebody reads Reported: the key ${list(more)} leaked`;
  return more.length === 0 ? [] : [{ actor: 'person', label, state: { ...state, leaked: [...leaked, ...more] } }];
}

function signatureSteps(state: State, generation: number): readonly Step[] {
  const anchor = state.anchors.find((one) => one.generation === generation);
  if (anchor === undefined) return [];
  const answer = { key: nextKey(anchor, state), by: 'A' };
  const label = () => `somebody reads SignatureNeeded: A signs ${answer.key}`;
  return [{ actor: 'person', label, state: { ...state, answer } }];
}

/** The old anchor comes near its end while it rotates. */
function deadlineSteps(state: State, { scenario }: Rules): readonly Step[] {
  if (!scenario.hasDeadline || state.isEnding || state.memory.rotation === undefined) return [];
  return [{ actor: 'time', label: () => 'A comes near its end', state: { ...state, isEnding: true } }];
}

/** Pods restart by themselves; identity restarts only if it is restarted. */
function identityRestarts(state: State, { scenario }: Rules): readonly Step[] {
  const { bundle, issuer } = state;
  const [replica] = state.identity;
  if (replica === undefined || issuer.secret === undefined) return [];
  const restarted = { roots: bundle, issuer: issuer.secret, since: state.now + scenario.clocks.nodes };
  const label = () => 'somebody reads MembersWait: identity restarts';
  return [{ actor: 'person', label, state: withReplica(state, 0, restarted) }];
}

// --- Mishaps

function mishaps(state: State): readonly Step[] {
  return [...new Set(state.mishaps)].flatMap((mishap) => {
    const after = MISHAPS[mishap](state);
    if (after === undefined) return [];
    const left = state.mishaps.filter((_, index) => index !== state.mishaps.indexOf(mishap));
    return [{ actor: 'mishap', label: () => `mishap: ${mishap}`, state: { ...after, mishaps: left } } as const];
  });
}

const MISHAPS: Readonly<Record<Mishap, (state: State) => State | undefined>> = {
  'memory lost': (state) => (state.memory === NO_MEMORY ? undefined : { ...state, memory: NO_MEMORY }),
  'pointer reset': (state) => (state.signer === 1 ? undefined : { ...state, signer: 1 }),
  'pointer deleted': (state) => (state.signer === undefined ? undefined : withoutSigner(state)),
  'label removed': (state) => edited(state, 1, { bundled: false }),
  'issuer deleted': (state) => edited(state, 1, { hasIssuer: false }),
  // Whom it is lost under while cert-manager signs by it, nobody can help.
  'secret lost': (state) => (state.issuer.isIssuing ? undefined : withoutSecret(state, state.isForeign ? 1 : 2)),
  'old secret lost': (state) => (state.issuer.isIssuing ? undefined : withoutSecret(state, 1)),
  abort: (state) => (state.abort ? undefined : { ...state, abort: true }),
  'abort withdrawn': (state) => (state.abort ? { ...state, abort: false } : undefined),
  'wrong answer': (state) => wronglyAnswered(state),
  'key leaked': (state) => leaking(state, state.issuer.secret?.signer),
  'next key leaked': (state) => leaking(state, state.memory.rotation?.key),
  'leak withdrawn': (state) => {
    const { leaked, ...rest } = state;
    return leaked === undefined ? undefined : rest;
  },
  'answer reverted': (state) => {
    const { answer, ...rest } = state;
    return answer === undefined ? undefined : rest;
  },
};

/** Somebody signs the next anchor with a key that no proxy knows. */
function wronglyAnswered(state: State): State | undefined {
  const anchor = state.anchors.find(({ asked }) => asked === 'request');
  return anchor && { ...state, answer: { key: nextKey(anchor, state), by: 'Z' } };
}

/** An attacker gets a key, and the operator is told. */
function leaking(state: State, key: Key | undefined): State | undefined {
  const { leaked = [] } = state;
  return key === undefined || leaked.includes(key) ? undefined : { ...state, leaked: [...leaked, key] };
}

/** Its Certificate has another key made. */
function withoutSecret(state: State, generation: number): State | undefined {
  const anchor = state.anchors.find((one) => one.generation === generation);
  if (anchor?.certificate === undefined) return undefined;
  const { certificate: _, answered: __, ...rest } = anchor;
  const anchors = state.anchors.map((one) => (one === anchor ? { ...rest, isIssuing: true } : one));
  return { ...state, anchors, lost: state.lost + 1 };
}

// --- Words

function lateWords({ now }: State, late: Lateness): string {
  const parts = Object.entries(late).map(([part, { until }]) => `${part} of ${now - until || 'less than 1'} ago`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function aheadWords(ahead: number): string {
  return ahead === 0 ? '' : ` (its clock ${ahead} ahead)`;
}

function actionWords(actions: readonly WorldAction[]): string {
  return actions.length === 0 ? 'nothing to do' : actions.map(oneAction).join(', ');
}

function oneAction(action: WorldAction): string {
  if (action.do === 'tell') return `tell ${toldText(action.told)}`;
  const { do: name, ...rest } = 'seen' in action ? { ...action, seen: '' } : action;
  return `${name} ${Object.values(rest)
    .map((value) => (Array.isArray(value) ? value.join('+') : String(value)))
    .join(' ')}`.trim();
}
