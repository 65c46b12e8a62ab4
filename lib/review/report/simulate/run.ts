import { verifies } from '#anchor/chain';
import type { AnchorPolicy, ObservedTrust, PodGroup } from '#anchor/observed';
import type { AnchorAction, AnchorPlan, Phase } from '#anchor/plan';
import { next } from '#anchor/rotation/next';
import { settledBy, takenUpBy } from '#anchor/times';
import { neededTime, type PlanStep, worstPlan } from '#anchor/worst-plan';
import { DAY, HOUR, MINUTE } from '#base/time-units';
import type { Millis } from '../model';
import { act, scheduleRenewal, scheduleRestarts } from './scheduled-events';
import { hashOf, type Scenario, type World, worldAt } from './world';

interface PassedPhase {
  readonly phase: Phase;
  readonly at: Millis;
}

/** An action of the operator. */
export interface DoneAction {
  readonly at: Millis;
  readonly action: AnchorAction;
}

/**
 * The rotation of a trust anchor, from shortly before it is due until it is done, or the anchor has expired. Times
 * count from the issuance of the anchor.
 */
export interface Run {
  readonly due: Millis;
  /** Expiry of the old anchor. */
  readonly end: Millis;
  readonly phases: readonly PassedPhase[];
  /** When the rotation was done; absent if it was not done a day after the expiry of the old anchor. */
  readonly done?: Millis;
  /** The time at which the simulation was cut off; absent if it was complete. */
  readonly cut?: Millis;
  readonly actions: readonly DoneAction[];
  /** Number of workloads that do not trust the new anchor, at each change. */
  readonly laggards: readonly { readonly at: Millis; readonly count: number }[];
  readonly bundles: readonly { readonly at: Millis; readonly keys: readonly string[] }[];
  /** The anchors that signed identity's issuers. */
  readonly issuers: readonly { readonly at: Millis; readonly signer: string; readonly bridged: boolean }[];
  /** Restarts requested by the operator. */
  readonly forced: readonly Millis[];
  readonly identityRestarts: readonly Millis[];
  /** Number of checks that all proxies trust each other. */
  readonly checks: number;
  readonly broken: readonly { readonly at: Millis; readonly pairs: readonly BrokenPair[] }[];
  /** The maximum duration as the operator calculates it; `worst` contains its steps. */
  readonly needed: Millis;
  readonly worst: readonly PlanStep[];
  /** Why the rotation was not done, as in the status of the TrustAnchor. */
  readonly waitedFor?: string;
}

/** The simulation begins this long before the rotation is due. */
const LEAD = 6 * HOUR;

/**
 * Maximum number of steps. A usual rotation takes some hundred steps. With an issuer that is renewed every hour it
 * takes some thousand, and with one that is renewed every few minutes too many to compute.
 */
const MAX_STEPS = 5_000;

/** Simulates a mesh during the rotation of its trust anchor, with the decision function of the operator. */
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
    if (step === MAX_STEPS) return { ...story.run(world), cut: world.now };
    const event = world.events[0];
    const wake = Math.min(...deadlines(world, story, again).filter((time) => time > world.now), world.now + pause);
    // Without events, an occasional check is enough.
    pause = acted ? MINUTE : Math.min(pause * 2, Math.max(HOUR, policy.renewBefore / 100));
    if (event === undefined || event.at > wake) {
      world.now = wake;
      continue;
    }
    happenUntil(world, event.at);
  }
  return story.run(world);
}

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

/** Skips the check after `patience`, at which the operator only reports what it waits for. */
function againAt(world: World, { again = Number.POSITIVE_INFINITY }: AnchorPlan): Millis {
  const [event] = world.events;
  const isBefore = event !== undefined && event.at <= again;
  if (isBefore || again !== world.now + world.scenario.policy.patience) return again;
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

function turns(seen: Millis, policy: AnchorPolicy): readonly Millis[] {
  return [takenUpBy(seen, policy), settledBy(seen, policy)];
}

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

  /** Records an observation of the mesh, and the actions taken. */
  note(world: World, plan: AnchorPlan, done: readonly AnchorAction[]): void {
    const { now } = world;
    this.waitedFor = plan.milestones.find(({ status }) => !status)?.message;
    if (this.done === undefined && this.phases.at(-1)?.phase !== plan.phase)
      this.phases.push({ phase: plan.phase, at: now });
    this.actions.push(...done.map((action) => ({ at: now, action })));
    this.noteMesh(world);
    if (plan.phase === 'Retired') this.done ??= now;
  }

  /** Whether the rotation is done, and identity uses an issuer that no longer needs the bridge. */
  isOver({ now, scenario }: World): boolean {
    if (this.done === undefined) return false;
    return this.issuers.at(-1)?.bridged !== true || now > this.done + scenario.issuer.duration;
  }

  private noteMesh(world: World): void {
    const { now, bundle } = world;
    const to = world.memory.rotation?.key;
    // Without a rotation in progress, no workload lags behind.
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

  run(world: World): Run {
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

/** The clock skew applies to the first replica of identity. */
function observe(world: World): ObservedTrust {
  const { scenario, issuer, replicas } = world;
  const skew = scenario.conditions.skewMinutes * MINUTE;
  return {
    policy: { ...scenario.policy, laggards: scenario.conditions.laggards },
    memory: world.memory,
    anchors: [...world.anchors].map(([generation, anchor]) => ({ generation, ...anchor })),
    signer: world.signer,
    issuer: { state: issuer.state, chain: issuer.chain, revision: issuer.revision },
    bundle: {
      hash: hashOf(world.bundle),
      anchors: world.bundle.flatMap((key) => world.published.get(key) ?? []),
    },
    kept: world.kept,
    identity: replicas.map(({ name, since, chain }, index) => ({
      name,
      since,
      issuerEnd: chain.notAfter + (index === 0 ? skew : 0),
    })),
    issuerUpdates: world.issuerUpdates,
    pods: podsOf(world),
    members: [],
    inWindow: true,
  };
}

function podsOf(world: World): readonly PodGroup[] {
  world.pods ??= world.workloads.map(({ name, since, roots, reads }) => ({
    workload: name,
    pods: 1,
    since,
    ...(!reads && { hash: hashOf(roots) }),
    restartable: true,
  }));
  return world.pods;
}

interface BrokenPair {
  /** The anchor that signed the issuer of one proxy. */
  readonly signer: string;
  /** The anchors that the other proxy trusts. */
  readonly roots: readonly string[];
}

/** Any certificate may be in use for its whole lifetime, and any clock may be off by `skewMinutes`. */
function brokenPairs(world: World): { readonly pairs: number; readonly broken: readonly BrokenPair[] } {
  const { policy, conditions } = world.scenario;
  const skew = conditions.skewMinutes * MINUTE;
  const living = world.used.filter(({ until }) => until + policy.leafReach > world.now).map(({ chain }) => chain);
  // Most workloads share their roots, which they got from the same bundle.
  const given = new Set(world.workloads.map(({ roots }) => roots));
  const known = new Map([...given].map((roots) => [hashOf(roots), roots]));
  const broken = [...known.values()].flatMap((roots) => {
    const set = new Set(roots);
    return living
      .filter((chain) => ![world.now - skew, world.now + skew].every((time) => verifies(chain, set, time)))
      .map(({ signer }) => ({ signer, roots }));
  });
  return { pairs: known.size * living.length, broken };
}
