import { DISTRUSTED } from '../../compromised';
import type { MemberReport } from '../../plan';
import { exposed } from '../invariant';
import { type Lateness, nextKey, numberOf, reportText, WATCHED } from '../observe';
import type { Scenario } from '../scenario';
import type { Report, State, Watched, WorldAction } from '../state';
import type { Decided, Rules, Step } from './step';
import { act } from './writes';

/** The operator decides, or carries out the next of its decisions. */
export function operatorSteps(state: State, rules: Rules): readonly Step[] {
  const { pending } = state;
  if (pending !== undefined) return pendingSteps(state, pending.actions, pending.until);
  const { scenario } = rules;
  if (scenario.isGoal(state)) return [];
  const lates = latenesses(state, scenario);
  return scenario.clocks.operator.flatMap((ahead) => looks(state, rules, lates, ahead));
}

/** Returns the decisions on the present view and on late views, without decisions that another one covers. */
function looks(state: State, rules: Rules, lates: readonly Lateness[], ahead: number): readonly Step[] {
  const steps = new Map<string, readonly Step[]>();
  for (const late of lates) {
    for (const step of look(state, rules, late, ahead)) {
      const { memory, pending, wrong } = step.state;
      const decision = `${numberOf(memory)}/${pending && numberOf(pending.actions)}/${wrong}`;
      const known = steps.get(decision) ?? [];
      if (known.some((other) => allowsFor(other.state, step.state))) continue;
      const left = known.filter(({ actor, state: other }) => actor === 'operator' || !allowsFor(step.state, other));
      steps.set(decision, [...left, step]);
    }
  }
  return [...steps.values()].flat();
}

/** Whether one of two equal decisions covers the other: it expires no sooner, and views as old may follow it. */
function allowsFor(one: State, other: State): boolean {
  const isOpenAsLong = (one.pending?.until ?? 0) >= (other.pending?.until ?? 0);
  return isOpenAsLong && WATCHED.every((part) => (one.before[part]?.length ?? 0) >= (other.before[part]?.length ?? 0));
}

/** Drops versions that the operator can no longer see: it sees none older than one that it saw before. */
function withSeen(before: State['before'], late: Lateness): State['before'] {
  return Object.fromEntries(
    Object.entries(before).flatMap(([part, all]) => {
      const seen = late[part as Watched];
      return seen === undefined ? [] : [[part, all.slice(0, all.indexOf(seen) + 1)]];
    }),
  );
}

function look(state: State, { scenario, decide }: Rules, late: Lateness, ahead: number): readonly Step[] {
  const decision = decide(state, late, ahead);
  const { memory, report: decidedReport, actions: decided } = decision;
  const wrong = wrongOf(decision, state);
  const report = decidedReport && reportOf(decidedReport, state);
  const isNews =
    state.reported !== undefined && report !== undefined && reportText(report) !== reportText(state.reported);
  const actions: readonly WorldAction[] = isNews ? [...decided, { do: 'tell', report }] : decided;
  const seen = Object.values(late).map(({ until }) => until);
  const isSame = wrong === undefined && actions.length === 0 && numberOf(memory) === numberOf(state.memory);
  if (isSame) return [];
  const pending =
    actions.length === 0
      ? {}
      : { pending: { actions, until: Math.min(state.now + 1, ...seen) + scenario.policy.lag - 1 } };
  return [
    {
      actor: seen.length > 0 ? 'late operator' : 'operator',
      label: () =>
        `the operator observes${lateWords(state, late)}${aheadWords(ahead)} and decides: ${actionWords(actions)}`,
      state: { ...state, memory, before: withSeen(state.before, late), ...pending, ...(wrong && { wrong }) },
    },
  ];
}

/** Returns what is wrong with a decision while an attacker has a key; undefined if nothing is. */
function wrongOf({ actions, milestones = [] }: Decided, state: State): string | undefined {
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
  return trust && `the operator reports that nothing trusts the key, but ${trust}`;
}

function reportOf({ asks, answers = [], vouched, ...report }: MemberReport, state: State): Report {
  const asking = state.anchors.find(({ generation }) => generation === asks);
  const { certification } = state;
  return {
    ...report,
    // Certifications between keys matter only in worlds where a key leaks.
    ...(state.vouched && vouched && { vouched }),
    ...(asking !== undefined && { request: nextKey(asking, state) }),
    ...(answers.length > 0 && certification !== undefined && { given: certification }),
  };
}

function isOutdated(action: WorldAction, { anchors }: Pick<State, 'anchors'>): boolean {
  if (action.do !== 'apply-anchor' || action.seen === undefined) return false;
  const live = anchors.find(({ generation }) => generation === action.generation);
  return live === undefined || numberOf(live) !== action.seen;
}

/** The operator carries out its next action, or crashes before it. */
export function pendingSteps(
  state: State,
  [action, ...others]: readonly WorldAction[],
  until: number,
): readonly Step[] {
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

/** The operator sees the latest version of every part. */
export const PROMPTLY: Lateness = {};

function latenesses(state: State, scenario: Scenario): readonly Lateness[] {
  let all: Lateness[] = [PROMPTLY];
  for (const part of scenario.late) {
    const before = state.before[part] ?? [];
    all = [...all, ...before.flatMap((one) => all.map((late) => ({ ...late, [part]: one })))];
  }
  return all;
}

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
  if (action.do === 'tell') return `tell ${reportText(action.report)}`;
  const { do: name, ...rest } = 'seen' in action ? { ...action, seen: '' } : action;
  return `${name} ${Object.values(rest)
    .map((value) => (Array.isArray(value) ? value.join('+') : String(value)))
    .join(' ')}`.trim();
}
