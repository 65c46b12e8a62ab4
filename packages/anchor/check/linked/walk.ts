import type { Condition } from '#base/conditions';
import { MINUTE } from '#base/time-units';
import { UNKNOWN_KEY } from '../../compromised';
import { type LaggardPolicy, TRUST_ANCHOR_DEFAULTS, type TrustAnchorSpec } from '../../trust-anchor';
import { pick, type Random, seededRandom } from '../random';

/** What may go wrong in linked clusters while they rotate. */
interface Troubles {
  /** True if rotations are paused and rolled back. */
  readonly aborts?: true;
  /** The number of Secrets that may be lost, and the number of keys that may leak. */
  readonly lost?: number;
  readonly leaked?: number;
}

/** A world of linked clusters: the first one, the hub, certifies the anchors of all others. */
export interface LinkedWorld {
  readonly name: string;
  readonly clusters: readonly string[];
  /** True if each certificate of the hub permits only the names of one trust domain. */
  readonly isConstrained: boolean;
  /** The largest difference between two clocks. */
  readonly clocksApartMs: number;
  /** The longest time for which cert-manager does nothing, in steps of a minute or so. */
  readonly outageSteps: number;
  /** The lifetime of anchors, and the time before their expiry at which the operator rotates them. */
  readonly anchors?: Pick<TrustAnchorSpec, 'duration' | 'renewBefore'>;
  /** The lifetime of identity's issuers; cert-manager renews them after half of it. @default 48h */
  readonly issuer?: string;
  /** The longest time until a bundle reaches pods; cert-manager may take twice as long. @default 1m */
  readonly propagationDelay?: string;
  /** The policy for pods that do not trust the next anchor. @default Report */
  readonly laggards?: LaggardPolicy;
  /** The lifetimes of pods in minutes; each cluster uses one of them. */
  readonly podMinutes: readonly number[];
  readonly troubles: Troubles;
  /** The number of steps with random troubles. After them, every actor acts promptly until the world is at rest. */
  readonly steps: number;
}

/** One of several linked clusters, as a walk sees it. */
export interface Walker {
  readonly name: string;
  /** Lets time pass, in which all actors but the operator act; cert-manager only if it works. */
  pass(ms: number, isIssuing: boolean): void;
  /** The operator reconciles once; it is killed after `left` writes, if given. */
  look(left?: number): Promise<void> | void;
  spec(change: Partial<TrustAnchorSpec>): void;
  /** Loses the Secret of an anchor, if there is one. */
  loseSecret(random: Random): void;
  /** Leaks the key of an anchor to an attacker. @returns the key; undefined if there is none */
  leak(random: Random): string | undefined;
  /** The leaked keys that users have named. */
  named(): readonly string[];
  condition(type: string): Partial<Pick<Condition, 'status' | 'reason' | 'message'>>;
  /** True if the phase is `Stable` and no rotation is in progress. */
  isStable(): boolean;
}

/** Linked clusters: of a model, or with real certificates. */
export interface Walked<W extends Walker = Walker> {
  readonly clusters: readonly W[];
  /** Copies the report of one cluster to another. */
  copy(from: W, to: W): void;
  /** The proxies that refuse a certificate of their own or of another cluster. */
  refusals(): readonly string[];
  /** The proxies that accept what the owners of these leaked keys sign. */
  deceived(keys: readonly string[]): readonly string[];
  /** Sentences about other violations. */
  faults(): readonly string[];
}

/** One step of a walk: what happens, and in which order. */
export interface Turn {
  readonly ms: number;
  /** Clusters in which cert-manager does nothing. */
  readonly away: readonly string[];
  readonly copies: readonly (readonly [from: string, to: string])[];
  readonly looks: readonly { readonly name: string; readonly left?: number }[];
  readonly mishap?: Mishap;
}

/** What a user, an attacker or an accident does. */
type Mishap =
  | { readonly is: 'spec'; readonly name: string; readonly change: Partial<TrustAnchorSpec> }
  | { readonly is: 'lost' | 'leaked'; readonly name: string; readonly seed: number };

/** The leaked keys, and which of them each cluster's operator has seen. */
interface Leaks {
  readonly keys: Set<string>;
  /** The keys that were named when a cluster's operator last reconciled, as its status reports. */
  readonly seen: Map<string, readonly string[]>;
}

/** The end of a walk. */
export interface WalkEnd {
  readonly steps: number;
  /** A sentence about a violation, or that the walk never comes to rest. */
  readonly wrong?: string;
}

/** The specs of the clusters of a world. */
export function specsOf({
  clusters,
  isConstrained,
  clocksApartMs,
  anchors,
  laggards = 'Report',
  propagationDelay = '1m',
}: LinkedWorld): ReadonlyMap<string, Partial<TrustAnchorSpec>> {
  const [hub = '', ...others] = clusters;
  const constraint = (name: string) => (isConstrained ? { trustDomain: domainOf(name) } : {});
  return new Map(
    clusters.map((name) => [
      name,
      {
        ...anchors,
        laggards: { ...TRUST_ANCHOR_DEFAULTS.laggards, policy: laggards },
        issuanceLifetime: '5m',
        propagationDelay,
        clockSkewAllowance: `${Math.max(1, clocksApartMs / 1_000)}s`,
        commonName: `root.${domainOf(name)}`,
        cluster: name,
        members: clusters.filter((other) => other !== name),
        ...(name === hub
          ? { certifies: others.map((cluster) => ({ cluster, ...constraint(cluster) })) }
          : { bridge: { signedBy: 'Member', ifUnsigned: 'Restart', member: hub, ...constraint(name) } }),
      },
    ]),
  );
}

/** The trust domain of a cluster. */
export function domainOf(name: string): string {
  return `${name}.example`;
}

/** Returns a random walk: the same for the same seed. */
export function turnsOf(world: LinkedWorld, seed: number): readonly Turn[] {
  const random = seededRandom(seed);
  const away = new Map<string, number>();
  const left = { lost: world.troubles.lost ?? 0, leaked: world.troubles.leaked ?? 0 };
  return Array.from({ length: world.steps }, (_, index) => {
    for (const name of world.clusters) {
      const steps = away.get(name) ?? 0;
      const begun = random() < 0.15 ? Math.ceil(random() ** 2 * world.outageSteps) : 0;
      away.set(name, steps > 0 ? steps - 1 : begun);
    }
    const mishap = mishapOf(world, left, random, `${index}`);
    return {
      ms: Math.ceil(random() * 2 * MINUTE),
      away: world.clusters.filter((name) => (away.get(name) ?? 0) > 0),
      copies: pairsOf(world.clusters).filter(() => random() < 0.2),
      looks: shuffled(random, world.clusters)
        .filter(() => random() < 0.8)
        .map((name) => ({ name, ...(random() < 0.02 && { left: Math.floor(random() * 3) }) })),
      ...(mishap && { mishap }),
    };
  });
}

function mishapOf(
  { clusters, troubles }: LinkedWorld,
  left: { lost: number; leaked: number },
  random: Random,
  word: string,
): Mishap | undefined {
  const name = pick(random, clusters) ?? '';
  const chance = random();
  const change = specChange(troubles, random, word);
  if (change !== undefined) return { is: 'spec', name, change };
  const is = left.lost > 0 && chance < 0.02 ? 'lost' : left.leaked > 0 && chance > 0.985 ? 'leaked' : undefined;
  if (is === undefined) return undefined;
  left[is]--;
  return { is, name, seed: Math.floor(random() * 2 ** 32) };
}

function specChange({ aborts }: Troubles, random: Random, word: string): Partial<TrustAnchorSpec> | undefined {
  const [chance, second] = [random(), random()];
  if (chance < 0.02) return { rotateNow: word };
  if (!aborts) return undefined;
  if (chance < 0.03) return { abort: second < 0.4 };
  return chance < 0.035 ? { paused: second < 0.3 } : undefined;
}

/** Returns a turn of one minute in which every actor acts promptly. */
function promptTurn(clusters: readonly string[]): Turn {
  return { ms: MINUTE, away: [], copies: pairsOf(clusters), looks: clusters.map((name) => ({ name })) };
}

/** More steps than any actor waits. */
const MANY = 1_500;

/** Links clusters, takes a walk, and waits until the clusters are at rest. */
export async function walk<W extends Walker>(
  { clusters: names, troubles }: LinkedWorld,
  world: Walked<W>,
  turns: readonly Turn[],
): Promise<WalkEnd> {
  const isHarmed = (troubles.lost ?? 0) + (troubles.leaked ?? 0) > 0;
  const prompt = promptTurn(names);
  const leaks: Leaks = { keys: new Set(), seen: new Map() };
  let steps = 0;
  const go = async (turn: Turn): Promise<string | undefined> => {
    steps++;
    await take(world, turn, leaks);
    return wrongIn(world, isHarmed ? leaks : undefined);
  };
  const rest = async (isThere: () => boolean, before = () => {}): Promise<string | undefined> => {
    for (let at = 0; !isThere(); at++) {
      if (at > MANY) return `the clusters never come to rest: ${statusText(world)}`;
      before();
      const wrong = await go(prompt);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
  let wrong = await joined(world, prompt);
  for (const turn of wrong === undefined ? turns : []) {
    wrong = await go(turn);
    if (wrong !== undefined) return { steps, wrong };
  }
  for (const one of world.clusters) one.spec({ abort: false, paused: false, compromised: [...leaks.keys] });
  const isCalm = () => world.clusters.every((one) => one.isStable() && isCured(one)) && world.refusals().length === 0;
  wrong ??= await rest(isCalm, () => nameReported(world));
  return { steps, ...(wrong !== undefined && { wrong }) };
}

/** Waits until all certificates chain to the hub. Until then, clusters refuse each other's certificates. */
async function joined<W extends Walker>(world: Walked<W>, prompt: Turn): Promise<string | undefined> {
  const isJoined = () =>
    world.clusters.slice(1).every((one) => one.condition('Certified').status === 'True') &&
    world.refusals().length === 0;
  for (let at = 0; !isJoined(); at++) {
    if (at > MANY) return `the clusters are never linked: ${statusText(world)}`;
    await take(world, prompt, { keys: new Set(), seen: new Map() });
  }
  return undefined;
}

async function take<W extends Walker>(world: Walked<W>, turn: Turn, leaks: Leaks): Promise<void> {
  const { clusters } = world;
  const named = (name: string): readonly W[] => clusters.filter((one) => one.name === name);
  for (const one of clusters) one.pass(turn.ms, !turn.away.includes(one.name));
  const { mishap } = turn;
  if (mishap !== undefined) for (const one of named(mishap.name)) happen(world, one, mishap, leaks.keys);
  const copies = turn.copies.flatMap(([from, to]) =>
    named(from).flatMap((one) => named(to).map((other) => [one, other] as const)),
  );
  for (const [from, to] of copies) world.copy(from, to);
  const looks = turn.looks.flatMap(({ name, left }) => named(name).map((one) => ({ one, left })));
  for (const { one, left } of looks) {
    await one.look(left);
    if (left !== 0) leaks.seen.set(one.name, one.named());
  }
}

/** Applies a mishap. Users name a leaked key in its own cluster, and perhaps in others. */
function happen<W extends Walker>(world: Walked<W>, one: W, mishap: Mishap, leaked: Set<string>): void {
  if (mishap.is === 'spec') {
    one.spec(mishap.change);
    return;
  }
  const random = seededRandom(mishap.seed);
  if (mishap.is === 'lost') {
    one.loseSecret(random);
    return;
  }
  const key = one.leak(random);
  if (key === undefined) return;
  leaked.add(key);
  for (const other of world.clusters) if (other === one || random() < 0.7) other.spec({ compromised: [...leaked] });
}

function wrongIn<W extends Walker>(world: Walked<W>, leaks: Leaks | undefined): string | undefined {
  const [fault] = world.faults();
  if (fault !== undefined) return fault;
  // A lost key may separate clusters; but no proxy may trust a leaked key once the status says that none does.
  if (leaks === undefined) return world.refusals()[0];
  for (const one of world.clusters) {
    const [deceived] =
      one.condition('Distrusted').status === 'True' ? world.deceived(leaks.seen.get(one.name) ?? []) : [];
    if (deceived !== undefined) return `${one.name} reports that nothing trusts the key, but ${deceived}`;
  }
  return undefined;
}

/** Whether the status reports no proxy that may trust a leaked key. */
function isCured(one: Walker): boolean {
  const { status = 'True', reason } = one.condition('Distrusted');
  return status === 'True' || reason === UNKNOWN_KEY;
}

/** Names a leaked key where a status asks for it. */
function nameReported({ clusters }: { readonly clusters: readonly Walker[] }): void {
  const give = (one: Walker | undefined, key: string | undefined): void => {
    if (one === undefined || key === undefined || one.named().includes(key)) return;
    one.spec({ compromised: [...one.named(), key] });
  };
  for (const one of clusters) {
    const { status, reason, message = '' } = one.condition('Distrusted');
    if (status !== 'False') continue;
    if (reason === 'Reported') give(one, /the key (\S+) of this cluster's anchor/.exec(message)?.[1]);
    const [, key, name] = /name the key (\S+) in spec.compromised of cluster (\w+)/.exec(message) ?? [];
    give(
      clusters.find((other) => other.name === name),
      key,
    );
  }
}

function statusText<W extends Walker>(world: Walked<W>): string {
  const open = world.clusters.map((one) => {
    const types = ['Distrusted', 'Certified', 'Adopted', 'Retired', 'Signing', 'Bridged'];
    const said = types.flatMap((type) => {
      const { status, reason } = one.condition(type);
      return status === 'False' ? [`${type} ${reason}`] : [];
    });
    return `${one.name}: ${said.join(', ') || 'nothing open'}`;
  });
  return [...open, ...world.refusals().slice(0, 1)].join('; ');
}

function pairsOf<T>(all: readonly T[]): readonly (readonly [T, T])[] {
  return all.flatMap((one) => all.flatMap((other) => (one === other ? [] : [[one, other] as const])));
}

function shuffled<T>(random: Random, all: readonly T[]): readonly T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
