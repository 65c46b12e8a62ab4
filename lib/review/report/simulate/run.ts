import { next } from '../../../../operator/api/anchor/next';
import type { AnchorPolicy } from '../../../../operator/api/anchor/observed';
import type { AnchorAction, AnchorPlan, Phase } from '../../../../operator/api/anchor/plan';
import { settledBy, takenUpBy } from '../../../../operator/api/anchor/times';
import { neededTime, type PlanStep, worstPlan } from '../../../../operator/api/anchor/worst-plan';
import { DAY, HOUR, MINUTE } from '../../../../operator/api/time-units';
import type { Millis } from '../model';
import { act, scheduleRenewal, scheduleRestarts } from './happen';
import { type BrokenPair, brokenPairs, observe } from './observe';
import { type Scenario, type World, worldAt } from './world';

/** A milestone of a rotation, and when it was passed. */
interface PassedPhase {
  readonly phase: Phase;
  readonly at: Millis;
}

/** Something that the operator did. */
export interface DoneAction {
  readonly at: Millis;
  readonly action: AnchorAction;
}

/** The rotation of an anchor, from shortly before it is due until it is done, or too late. Times count from the issuance. */
export interface Run {
  readonly due: Millis;
  /** End of the old anchor. */
  readonly end: Millis;
  readonly phases: readonly PassedPhase[];
  /** The time at which all was done; absent where it was not by the end of the old anchor. */
  readonly done?: Millis;
  /** The time up to which it was simulated; absent where that is all of it. */
  readonly cut?: Millis;
  readonly actions: readonly DoneAction[];
  /** Workloads that do not know the new anchor, whenever their number changes. */
  readonly laggards: readonly { readonly at: Millis; readonly count: number }[];
  readonly bundles: readonly { readonly at: Millis; readonly keys: readonly string[] }[];
  /** The anchors that signed the issuers with which identity worked. */
  readonly issuers: readonly { readonly at: Millis; readonly signer: string; readonly bridged: boolean }[];
  /** Restarts that the operator asked for. */
  readonly forced: readonly Millis[];
  readonly identityRestarts: readonly Millis[];
  /** Times at which it was checked that each understands each. */
  readonly checks: number;
  readonly broken: readonly { readonly at: Millis; readonly pairs: readonly BrokenPair[] }[];
  /** The longest that it may take by the operator's own reckoning, and its steps. */
  readonly needed: Millis;
  readonly worst: readonly PlanStep[];
  /** The reason why it was not done, as the status gives it. */
  readonly waitedFor?: string;
}

/** Time before a rotation is due at which its story begins, and after its end at which it ends. */
const LEAD = 6 * HOUR;

/**
 * The most steps: a usual rotation takes some hundred, one whose issuer is renewed every hour some thousand, and one
 * whose issuer is renewed every few minutes more than anybody would wait for.
 */
const MOST_STEPS = 5_000;

/** Lets a mesh live through the rotation of its anchor, with the operator's own decisions. */
export function simulate(scenario: Scenario): Run {
  const { policy, conditions } = scenario;
  const due = Math.max(0, policy.duration - policy.renewBefore);
  const world = worldAt(Math.max(0, due - LEAD), scenario);
  world.outage = { from: due, to: due + conditions.outageHours * HOUR };
  world.awayUntil = due + conditions.awayDays * DAY;
  scheduleRenewal(world);
  scheduleRestarts(world);
  const story = new Story(world, due);
  let pause = MINUTE;
  for (let step = 0; world.now <= story.end + DAY; step++) {
    const { acted, again } = settle(world, story);
    if (story.isOver(world)) break;
    if (step === MOST_STEPS) return { ...story.told(world), cut: world.now };
    const event = world.events[0];
    const wake = Math.min(...deadlines(world, story, again).filter((time) => time > world.now), world.now + pause);
    // Where nothing happens, a look once in a while will do.
    pause = acted ? MINUTE : Math.min(pause * 2, Math.max(HOUR, policy.renewBefore / 100));
    if (event === undefined || event.at > wake) {
      world.now = wake;
      continue;
    }
    happenUntil(world, event.at);
  }
  return story.told(world);
}

/** Decides and acts until there is nothing more to be done at this time. */
function settle(world: World, story: Story): { readonly acted: boolean; readonly again: Millis } {
  for (let acted = false; ; ) {
    const plan = next(observe(world), world.now);
    const before = JSON.stringify(world.memory.rotation);
    world.memory = plan.memory;
    const done = plan.actions.filter((action) => act(world, action));
    story.note(world, plan, done);
    happenUntil(world, world.now);
    acted ||= done.length > 0;
    if (done.length === 0 && JSON.stringify(plan.memory.rotation) === before)
      return { acted, again: againAt(world, plan) };
  }
}

/**
 * The time at which time alone changes the decision. The operator looks again after its patience at the latest, whatever
 * happens; with more patience than there is, it tells what it waits for.
 */
function againAt(world: World, { again = Number.POSITIVE_INFINITY }: AnchorPlan): Millis {
  if (again !== world.now + world.scenario.policy.patience) return again;
  const observed = observe(world);
  const policy = { ...observed.policy, patience: Number.POSITIVE_INFINITY };
  return next({ ...observed, policy }, world.now).again ?? Number.POSITIVE_INFINITY;
}

function happenUntil(world: World, at: Millis): void {
  world.now = at;
  for (let event = world.events[0]; event !== undefined && event.at <= at; event = world.events[0]) {
    world.events.shift();
    event.happen(world);
  }
}

/** Times at which the passing of time alone changes a decision. */
function deadlines(world: World, { end, due }: Story, again: Millis): readonly Millis[] {
  const { memory, workloads, scenario } = world;
  const { policy } = scenario;
  const key = memory.rotation?.key;
  const left = workloads.filter(({ roots }) => key === undefined || !roots.includes(key)).length;
  return [
    again,
    due,
    end - neededTime(worstPlan(policy, left, 'bridge')),
    end + DAY + 1,
    ...(memory.issuer === undefined ? [] : turns(memory.issuer.seen, policy)),
  ];
}

/** The times when identity is waited for no longer, and when it can have started with no earlier issuer. */
function turns(seen: Millis, policy: AnchorPolicy): readonly Millis[] {
  return [takenUpBy(seen, policy), settledBy(seen, policy)];
}

/** All that is worth telling of a rotation, noted while it goes on. */
class Story {
  readonly end: Millis;
  private done?: Millis;
  private waitedFor?: string;
  private checks = 0;
  private readonly phases: PassedPhase[] = [];
  private readonly actions: DoneAction[] = [];
  private readonly laggards: { at: Millis; count: number }[] = [];
  private readonly bundles: { at: Millis; keys: readonly string[] }[] = [];
  private readonly issuers: { at: Millis; signer: string; bridged: boolean }[] = [];
  private readonly broken: { at: Millis; pairs: readonly BrokenPair[] }[] = [];

  constructor(
    world: World,
    readonly due: Millis,
  ) {
    this.end = world.scenario.policy.duration;
  }

  /** Notes what a look at the mesh found, and what was done. */
  note(world: World, plan: AnchorPlan, done: readonly AnchorAction[]): void {
    const { now } = world;
    this.waitedFor = plan.milestones.find(({ status }) => !status)?.message;
    if (this.done === undefined && this.phases.at(-1)?.phase !== plan.phase)
      this.phases.push({ phase: plan.phase, at: now });
    this.actions.push(...done.map((action) => ({ at: now, action })));
    this.noteMesh(world);
    if (plan.phase === 'Retired') this.done ??= now;
  }

  /** Tells whether all is done, and identity works with an issuer that needs no bridge any more. */
  isOver({ now, scenario }: World): boolean {
    if (this.done === undefined) return false;
    return this.issuers.at(-1)?.bridged !== true || now > this.done + scenario.issuer.duration;
  }

  private noteMesh(world: World): void {
    const { now, bundle } = world;
    const to = world.memory.rotation?.key;
    // Once it is done, nobody asks any more.
    const count = to === undefined ? 0 : world.workloads.filter(({ roots }) => !roots.includes(to)).length;
    if (this.laggards.at(-1)?.count !== count) this.laggards.push({ at: now, count });
    if (this.bundles.at(-1)?.keys !== bundle) this.bundles.push({ at: now, keys: bundle });
    const chain = world.replicas[0]?.chain;
    const last = this.issuers.at(-1);
    if (chain !== undefined && (last?.signer !== chain.signer || last.bridged !== chain.bridges.length > 0)) {
      this.issuers.push({ at: now, signer: chain.signer, bridged: chain.bridges.length > 0 });
    }
    const { pairs, broken } = brokenPairs(world);
    this.checks += pairs;
    if (broken.length > 0) this.broken.push({ at: now, pairs: broken });
  }

  told(world: World): Run {
    const { policy, conditions } = world.scenario;
    const restarts = this.actions.filter(({ action }) => action.do === 'restart-identity');
    return {
      due: this.due,
      end: this.end,
      phases: this.phases,
      ...(this.done !== undefined && { done: this.done }),
      actions: this.actions,
      laggards: this.laggards,
      bundles: this.bundles,
      issuers: this.issuers,
      forced: world.forced,
      identityRestarts: restarts.map(({ at }) => at),
      checks: this.checks,
      broken: this.broken,
      needed: neededTime(worstPlan(policy, conditions.workloads, 'bridge')),
      worst: worstPlan(policy, conditions.workloads, 'bridge'),
      ...(this.done === undefined && this.waitedFor !== undefined && { waitedFor: this.waitedFor }),
    };
  }
}
