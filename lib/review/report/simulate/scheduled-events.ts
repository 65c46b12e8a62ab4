import { isBridge } from '#anchor/chain';
import type { AnchorAction } from '#anchor/plan';
import { DAY, MINUTE } from '#base/time-units';
import type { Millis } from '../model';
import { hashOf, keyOf, type Replica, schedule, type Workload, type World, type WorldAnchor } from './world';

/** cert-manager issues within seconds, and trust-manager writes at once. Both times include a margin. */
const ISSUE_MS = 10_000;
const BUNDLE_MS = 2_000;

const RESTART_MS = 2 * MINUTE;

/** Events about issuers expire after an hour. */
const EVENT_MS = 60 * MINUTE;

function issuedAt({ now, outage }: World): Millis {
  return (outage !== undefined && now >= outage.from && now < outage.to ? outage.to : now) + ISSUE_MS;
}

/** Schedules renewals of the identity issuer. */
export function scheduleRenewal(world: World): void {
  const { issuer, scenario } = world;
  const { revision, chain } = issuer;
  schedule(world, chain.notAfter - scenario.issuer.renewBefore, () => {
    if (issuer.revision === revision && issuer.state === 'issued') askIssuer(world);
  });
}

function askIssuer(world: World): void {
  world.issuer.state = 'issuing';
  schedule(world, issuedAt(world), issueIssuer);
}

function issueIssuer(world: World): void {
  const { issuer, scenario, signer, now } = world;
  const certificate = signer === undefined ? undefined : world.anchors.get(signer)?.certificate;
  if (issuer.state === 'issued') return;
  // No issued anchor can sign: cert-manager retries.
  if (certificate === undefined) {
    schedule(world, now + MINUTE, issueIssuer);
    return;
  }
  issuer.chain = {
    signer: certificate.key,
    notBefore: now,
    notAfter: now + scenario.issuer.duration,
    bridges: isBridge(certificate) ? [certificate] : [],
  };
  issuer.state = 'issued';
  issuer.revision += 1;
  scheduleRenewal(world);
  const { replicas } = world;
  const step = scenario.policy.lag / (replicas.length + 1);
  for (const [index, replica] of replicas.entries()) {
    schedule(world, now + step * (index + 1), () => takeUp(world, replica));
  }
}

function takeUp(world: World, replica: Replica): void {
  const { issuer, now } = world;
  if (replica.chain === issuer.chain) return;
  replica.chain = issuer.chain;
  world.issuerUpdates = [...world.issuerUpdates.filter((time) => time > now - EVENT_MS), now];
  for (const one of world.used) {
    if (world.replicas.every(({ chain }) => chain !== one.chain)) one.until = Math.min(one.until, now);
  }
  if (world.used.at(-1)?.chain === issuer.chain) return;
  // Drops the issuers whose certificates have all expired.
  const living = world.used.filter(({ until }) => until + world.scenario.policy.leafReach > now);
  world.used = [...living, { chain: issuer.chain, until: Number.POSITIVE_INFINITY }];
}

function scheduleBundle(world: World): void {
  schedule(world, world.now + BUNDLE_MS, () => {
    const bundled = [...world.anchors.values()].flatMap(({ bundled, certificate }) =>
      bundled && certificate !== undefined ? [certificate.key] : [],
    );
    const keys = [...new Set([...bundled, ...world.kept])].sort();
    if (hashOf(keys) === hashOf(world.bundle)) return;
    world.bundle = keys;
    schedule(world, world.now + world.scenario.policy.lag / 2, () => {
      world.given = [...world.given, { since: world.now, keys }];
    });
  });
}

function restartWorkload(world: World, workload: Workload): void {
  workload.since = world.now;
  workload.roots = world.given.at(-1)?.keys ?? [];
  delete world.pods;
}

/** Schedules the regular restarts of all workloads, one group after another. */
export function scheduleRestarts(world: World): void {
  const { restartDays } = world.scenario.conditions;
  if (restartDays <= 0) return;
  const { workloads } = world;
  // Groups limit the number of steps for a large mesh.
  const groups = Math.min(24, workloads.length);
  const period = restartDays * DAY;
  for (let group = 0; group < groups; group++) {
    const members = workloads.filter((_, index) => index % groups === group);
    scheduleGroup(world, members, { at: world.now + (period * (group + 0.5)) / groups, period });
  }
}

function scheduleGroup(
  world: World,
  members: readonly Workload[],
  { at, period }: { at: Millis; period: Millis },
): void {
  schedule(world, at, () => {
    for (const workload of members) {
      if (workload.away && world.now < world.awayUntil)
        schedule(world, world.awayUntil, () => restartWorkload(world, workload));
      else restartWorkload(world, workload);
    }
    scheduleGroup(world, members, { at: at + period, period });
  });
}

/**
 * Executes an action of the operator. Returns false for finished actions, which the operator often repeats.
 */
export function act(world: World, action: AnchorAction): boolean {
  switch (action.do) {
    case 'apply-anchor':
      return applyAnchor(world, action);
    case 'keep-key':
    // The simulation has one cluster, which contains the key of the old anchor.
    case 'answer-request':
    case 'certify':
    case 'withdraw-certificate':
      return false;
    case 'renew-anchor':
      return renewAnchor(world, action.generation);
    case 'bundle':
      return bundle(world, action);
    case 'keep-roots':
      world.kept = action.keys;
      scheduleBundle(world);
      return true;
    case 'apply-issuer': {
      const anchor = world.anchors.get(action.generation);
      if (anchor === undefined || anchor.hasIssuer) return false;
      anchor.hasIssuer = true;
      return true;
    }
    case 'set-signer':
      world.signer = action.generation;
      return true;
    case 'hold-signer':
      delete world.signer;
      return true;
    case 'renew-issuer': {
      const isAsked = world.issuer.state === 'issued' && world.issuer.revision === action.revision;
      if (isAsked) askIssuer(world);
      return isAsked;
    }
    case 'restart-identity':
      return restartIdentity(world, 'bundle' in action ? action.bundle : `${action.revision}`);
    case 'restart-laggards':
      return restartLaggards(world, action);
    case 'delete-anchor':
      scheduleBundle(world);
      return world.anchors.delete(action.generation);
  }
}

function bundle(world: World, { generation, bundled }: Extract<AnchorAction, { do: 'bundle' }>): boolean {
  const anchor = world.anchors.get(generation);
  if (anchor === undefined) return false;
  anchor.bundled = bundled;
  scheduleBundle(world);
  return true;
}

function applyAnchor(world: World, action: Extract<AnchorAction, { do: 'apply-anchor' }>): boolean {
  const { generation, signer, bundled } = action;
  const before = world.anchors.get(generation);
  if (before?.askedSigner === signer && before.bundled === bundled) return false;
  const isSigned = before?.askedSigner === signer;
  const anchor: WorldAnchor = before ?? { bundled, askedSigner: signer, state: 'issuing', hasIssuer: false };
  anchor.bundled = bundled;
  anchor.askedSigner = signer;
  world.anchors.set(generation, anchor);
  if (isSigned) {
    scheduleBundle(world);
  } else {
    anchor.state = 'issuing';
    schedule(world, issuedAt(world), () => issueAnchor(world, generation));
  }
  return true;
}

function issueAnchor(world: World, generation: number): void {
  const anchor = world.anchors.get(generation);
  if (anchor === undefined || anchor.state === 'issued') return;
  const { askedSigner } = anchor;
  const { duration } = world.scenario.policy;
  const key = keyOf(generation);
  const signer = typeof askedSigner === 'number' ? keyOf(askedSigner) : key;
  anchor.certificate = { key, signer, notBefore: world.now, notAfter: world.now + duration };
  anchor.state = 'issued';
  world.published.set(key, anchor.certificate);
  scheduleBundle(world);
}

function renewAnchor(world: World, generation: number): boolean {
  const anchor = world.anchors.get(generation);
  if (anchor?.state !== 'issued') return false;
  anchor.state = 'issuing';
  schedule(world, issuedAt(world), () => issueAnchor(world, generation));
  return true;
}

function restartIdentity(world: World, cause: string): boolean {
  if (world.restartedIdentityFor.has(cause)) return false;
  world.restartedIdentityFor.add(cause);
  const { slowdown } = world.scenario.conditions;
  for (const replica of world.replicas) {
    schedule(world, world.now + RESTART_MS * slowdown, () => {
      replica.since = world.now;
      takeUp(world, replica);
    });
  }
  return true;
}

function restartLaggards(world: World, action: Extract<AnchorAction, { do: 'restart-laggards' }>): boolean {
  const { now, scenario } = world;
  const { policy, conditions } = scenario;
  world.slots = world.slots.filter((until) => until > now);
  const places = policy.parallelRestarts - world.slots.length;
  if (places <= 0) return false;
  const asked = new Set(action.workloads);
  const next = world.workloads
    .filter(({ name, restartedFor }) => asked.has(name) && restartedFor !== action.generation)
    .slice(0, places);
  for (const workload of next) {
    workload.restartedFor = action.generation;
    world.forced.push(now);
    const back = workload.away ? Math.max(now, world.awayUntil) : now;
    const done = back + RESTART_MS * conditions.slowdown;
    // After this time, a slower restart no longer occupies its slot.
    const free = Math.min(done, now + policy.restartTime);
    world.slots = [...world.slots, free];
    schedule(world, done, () => restartWorkload(world, workload));
    if (free < done) schedule(world, free, () => {});
  }
  return next.length > 0;
}
