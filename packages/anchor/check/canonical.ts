import { anchorsKnownTo, mayTrust } from '../knowledge';
import type { AnchorMemory, RememberedIssuer, Rotation } from '../memory';
import type { AnchorPolicy } from '../observed';
import { unreachedUntil } from '../pairs';
import { leavesTurnedBy, settledBy, takenUpBy } from '../times';
import { answerId, hashOf, numberOf, reportText, WATCHED } from './observe';
import { FOREVER, type Scenario } from './scenario';
import type { Before, Issued, Shown, State, Watched, WorldAnchor, WorldIdentity } from './state';

/**
 * Returns a text that is equal for two states only if the same steps can follow from both.
 *
 * Times that are compared with each other are scaled: distances up to the longest one that is ever compared are kept,
 * and longer ones are shortened to that plus one. Times that are compared only with the present are written as ages, up
 * to the age from which nothing depends on them. Numbers of issuances are scaled, too: the text distinguishes "the
 * same", "the next" and "a later one".
 */
export function canonical(state: State, scenario: Scenario): string {
  return new Writer(state, scenario).text();
}

/** Values in descending order, and the scaled position of each. */
interface Scale {
  readonly values: readonly number[];
  readonly places: readonly number[];
}

function scaleOf(values: number[], longest: number): Scale {
  values.sort((a, b) => b - a);
  const places: number[] = [];
  let before = values[0] ?? 0;
  let place = 0;
  for (const value of values) {
    place += Math.min(before - value, longest + 1);
    places.push(place);
    before = value;
  }
  return { values, places };
}

function placeOf(value: number, { values, places }: Scale): number | undefined {
  return places[values.indexOf(value)];
}

interface Scales {
  /**
   * With a metric, the expiries of issuers, which identify them; else identity's starts and times compared to these.
   */
  readonly times: Scale;
  readonly revisions: Scale;
}

/** Returns the scales of the present, and of the part of the past that an actor may still receive or see. */
function scalesOf(state: State, { policy, evidence }: Scenario): Scales {
  const { now, memory, issuer, identity, past, before } = state;
  const isMetric = evidence === 'metric';
  const times: number[] = [];
  const revisions: number[] = [];
  const addSecret = ({ secret }: Shown['issuer']): void => {
    if (secret === undefined) return;
    times.push(secret.at);
    revisions.push(secret.revision);
  };
  const addIssuer = (shown: Shown['issuer']): void => {
    addSecret(shown);
    if (shown.signed !== undefined) times.push(shown.signed.at);
  };
  const addReplica = ({ issuer: { revision, at }, since, loadedAt }: WorldIdentity): void => {
    revisions.push(revision);
    times.push(isMetric ? at : since);
    if (loadedAt !== undefined && evidence === 'events') times.push(loadedAt);
  };
  addIssuer(issuer);
  for (const replica of identity) addReplica(replica);
  for (const shown of past) addSecret(shown.issuer);
  for (const { shown } of before.issuer ?? []) addIssuer(shown.issuer);
  for (const { shown } of before.identity ?? []) for (const replica of shown.identity) addReplica(replica);
  if (!isMetric) times.push(now);
  if (memory.issuer !== undefined) {
    revisions.push(memory.issuer.revision);
    times.push(...timesOf(memory.issuer, isMetric));
  }
  const longest = isMetric ? 3 * policy.skew : Math.max(settledBy(0, policy), takenUpBy(0, policy));
  return { times: scaleOf(times, longest), revisions: scaleOf(revisions, 1) };
}

function timesOf({ notAfter, before, since, seen, takenUp }: RememberedIssuer, isMetric: boolean): readonly number[] {
  if (isMetric) return before === undefined ? [notAfter - FOREVER] : [notAfter - FOREVER, before - FOREVER];
  return takenUp === undefined ? [since, seen] : [since, seen, takenUp];
}

class Writer {
  private readonly policy: AnchorPolicy;
  private readonly isMetric: boolean;
  private readonly scales: Scales;

  constructor(
    private readonly state: State,
    private readonly scenario: Scenario,
  ) {
    this.policy = scenario.policy;
    this.isMetric = scenario.evidence === 'metric';
    this.scales = scalesOf(state, scenario);
  }

  text(): string {
    const { state } = this;
    let text = '';
    for (const part of WATCHED) text += `${this.part(state, part)}|`;
    for (const shown of state.past) text += `${this.given(shown)};`;
    return [
      text,
      state.leaves
        .filter(({ chain }) => this.scenario.keys > 2 || chain.over === undefined)
        .map(({ chain, last }) => `${chain.signer}${chain.over ?? ''}${chain.beyond ?? ''}${state.now - last}`)
        .sort()
        .join(),
      this.memory(state.memory),
      state.pending === undefined ? '' : `${numberOf(state.pending.actions)}/${state.pending.until - state.now}`,
      `${state.mishaps.join()}/${state.renewals}/${state.identityRestarts}`,
      `${state.abort}${state.lost}${state.isEnding ? 'e' : ''}${state.answer ? state.answer.key + state.answer.by : ''}`,
      `${state.leaked?.join('') ?? ''}${state.wrong ?? ''}${state.vouched?.map(({ key, by }) => key + by).join() ?? ''}`,
      `${state.reported && reportText(state.reported)}>${state.heard && reportText(state.heard)}`,
      state.certification === undefined ? '' : state.certification.key + state.certification.by,
      this.certification(state.memory.certification),
      this.seen(),
    ].join(';');
  }

  /** Returns the earlier versions that pods and cert-manager may still receive. */
  private given({ bundle, issuer, signer, anchors }: Shown): string {
    const by = this.scenario.isCertManagerLate ? anchors.find(({ generation }) => generation === signer) : undefined;
    return `${hashOf(bundle)}|${this.issued(issuer.secret)}|${by?.certificate?.key ?? ''}${by?.certificate?.by ?? ''}`;
  }

  /** Returns the earlier versions of each part that the operator may still see, the latest first. */
  private seen(): string {
    const { before } = this.state;
    let text = '';
    for (const part of this.scenario.late) {
      for (const one of before[part] ?? []) text += `+${this.before(one, part)}`;
      text += '|';
    }
    return text;
  }

  private before({ shown, until }: Before, part: Watched): string {
    return `${this.part(shown, part)}@${this.state.now - until}`;
  }

  private part({ anchors, signer, issuer, kept, bundle, pods, starts, identity }: Shown, part: Watched): string {
    switch (part) {
      case 'anchors':
        return anchors.map(anchorText).join();
      case 'signer':
        return String(signer);
      case 'issuer':
        return `${issuer.isIssuing ? 'i' : ''}${this.issued(issuer.secret)}/${this.signed(issuer.signed)}`;
      case 'bundle':
        return `${hashOf(kept)}/${hashOf(bundle)}`;
      case 'pods':
        return pods.map((pod) => `${hashOf(pod)}${starts ? this.started(starts[hashOf(pod)] ?? 0) : ''}`).join();
      case 'identity':
        return identity
          .map((one) => this.replica(one))
          .sort()
          .join();
      default:
        return part satisfies never;
    }
  }

  private start(time: number): string {
    const { times } = this.scales;
    return String((placeOf(time, times) ?? 0) - (placeOf(this.state.now, times) ?? 0));
  }

  private end(time: number): string {
    return this.isMetric ? String(placeOf(time, this.scales.times)) : '';
  }

  private revision(revision: number): string {
    return `r${placeOf(revision, this.scales.revisions)}`;
  }

  /** Returns the date of an issuer; empty with a metric, because nothing depends on the date then. */
  private since(time: number): string {
    return this.isMetric ? '' : this.start(time);
  }

  private issued(issued: Issued | undefined): string {
    return issued === undefined ? '' : `${this.signed(issued)}${this.revision(issued.revision)}`;
  }

  /** Leaves out the revision: that of a signed issuer is always the next one. */
  private signed(signed: Issued | undefined): string {
    if (signed === undefined) return '';
    return `${signed.signer}${signed.over ?? ''}${signed.beyond ?? ''}${this.since(signed.at)}e${this.end(signed.at)}`;
  }

  private replica({ roots, issuer, since, loadedAt }: WorldIdentity): string {
    const event = this.scenario.evidence === 'events' && loadedAt !== undefined ? this.start(loadedAt) : '';
    const chain = `${issuer.signer}${issuer.over ?? ''}${issuer.beyond ?? ''}e${this.end(issuer.at)}${this.revision(issuer.revision)}`;
    return `${hashOf(roots)}/${chain}/${this.isMetric ? this.proof(since) : this.start(since)}/${event}/${this.knownTo(since)}`;
  }

  /** Returns whether a replica's start proves that it uses the present issuer, or may prove it later. */
  private proof(since: number): string {
    const { lag, skew } = this.policy;
    const { issuer } = this.state.memory;
    const age = this.age(since, lag + 2 * skew + 1);
    if (issuer === undefined || issuer.steady !== undefined) return age;
    const isNew = since >= issuer.seen + lag + skew;
    const isProven = issuer.takenUp === undefined || since < issuer.takenUp - lag - skew;
    return `${isNew ? 'n' : ''}${isProven ? 'p' : ''}${age}`;
  }

  /** Returns the anchors that a pod with this start is known to trust, and how long that may still change. */
  private knownTo(since: number): string {
    const { skew } = this.policy;
    const { memory, starts } = this.state;
    const keys = anchorsKnownTo({ since }, memory.bundles, this.policy);
    const trusted = starts ? `?${this.trustedBy(since)}${this.started(since)}` : '';
    return `${[...keys].join('')}${this.age(since, 2 * skew + 1)}${trusted}`;
  }

  private trustedBy(since: number): string {
    const { bundles } = this.state.memory;
    const all = [...new Set(bundles.flatMap(({ keys }) => keys))].sort();
    return all.filter((key) => mayTrust({ since }, [key], bundles, this.policy)).join('');
  }

  private started(since: number): string {
    const { leafReach, lag, skew, grain } = this.policy;
    const { rotation, issuer, bundles } = this.state.memory;
    const times = [rotation?.signing, issuer?.steady, ...bundles.slice(-3).map((bundle) => bundle.since + lag)];
    const later = times.map((time) => (time !== undefined && since >= time + skew + grain ? 1 : 0));
    return `@${this.age(since, leafReach + 2 * skew + lag + 1)}${later.join('')}`;
  }

  private memory({ current, bundles, rotation, issuer, rotated, compromised, vouched = [] }: AnchorMemory): string {
    const living = current === undefined ? '' : `${current.key}${current.generation}${current.lost ? 'l' : ''}`;
    const rotating = rotation === undefined ? '' : this.rotation(rotation);
    const known = issuer === undefined ? '' : this.remembered(issuer);
    // Certifications between anchors matter only in worlds where a key leaks.
    const certified = this.state.vouched === undefined ? '' : vouched.map(answerId).sort().join();
    return `${living}|${this.bundles(bundles)}|${rotating}|${known}|${rotated ?? ''}${compromised?.keys.join('') ?? ''}|${certified}`;
  }

  private certification(certification: AnchorMemory['certification']): string {
    if (certification === undefined) return '';
    const { since, by } = certification;
    const times = by.map((one) => `${one.key}${this.age(one.since, this.leafTime())}/${this.left(one.until)}`);
    return `${this.age(since, this.leafTime())}:${times.join()}`;
  }

  private left(until: number | undefined): string {
    return until === undefined ? '' : String(Math.max(until - this.state.now, -1 - this.policy.skew));
  }

  /** Bundles that were replaced long ago matter only if pods carry them or may still receive them. */
  private bundles(bundles: AnchorMemory['bundles']): string {
    const { lag, skew, grain } = this.policy;
    const longest = Math.max(lag + 2 * skew + 1, 2 * lag + skew + grain);
    const { now, pods, bundle, past, before } = this.state;
    const isCarried = (hash: string): boolean =>
      [
        bundle,
        ...pods,
        ...past.map((shown) => shown.bundle),
        ...(before.bundle ?? []).map(({ shown }) => shown.bundle),
        ...(before.pods ?? []).flatMap(({ shown }) => shown.pods),
      ].some((keys) => hashOf(keys) === hash);
    return bundles
      .filter(({ hash }, index) => {
        const until = bundles[index + 1]?.since ?? now;
        return now - until < longest + skew || isCarried(hash);
      })
      .map(
        ({ hash, since, ends = {} }) => `${hash}${this.age(since, longest)}${(ends.A ?? FOREVER) < FOREVER ? 'e' : ''}`,
      )
      .join();
  }

  private remembered(issuer: RememberedIssuer): string {
    const { revision, signer, notAfter, since, seen, before, hasty, missed, takenUp, steady } = issuer;
    return [
      `${this.revision(revision)}${signer}`,
      this.end(notAfter - FOREVER),
      this.since(since),
      this.isMetric ? this.age(seen, Math.max(settledBy(0, this.policy), takenUpBy(0, this.policy))) : this.start(seen),
      before === undefined ? '' : `b${this.end(before - FOREVER)}`,
      `${hasty && !this.isMetric ? 'h' : ''}${missed ? 'm' : ''}`,
      takenUp === undefined ? '' : this.isMetric ? 't' : this.start(takenUp),
      steady === undefined ? '' : this.steady(signer, steady),
    ].join('/');
  }

  /** The time does not matter for the anchor that a rotation replaces. */
  private steady(signer: string, steady: number): string {
    return signer === this.state.memory.rotation?.from ? 's' : this.age(steady, this.leafTime());
  }

  private rotation(rotation: Rotation): string {
    const { lag, skew } = this.policy;
    const { from, to, key, announced, signing, adopted, dropped, retiring, aborting, returned } = rotation;
    const { committed, withdrawing, unbridged, certifies } = rotation;
    const flags = `${retiring ? 'r' : ''}${aborting ? 'a' : ''}${committed ? 'c' : ''}${withdrawing ? 'w' : ''}${unbridged ? 'u' : ''}${certifies ? 'f' : ''}`;
    const ages = `${this.age(announced, lag + skew)}/${this.age(signing, this.leafTime())}/${this.age(adopted, lag + skew)}`;
    const others = `${this.age(dropped, lag + skew)}/${this.age(returned, this.leafTime())}`;
    return `${from}${to}${key}/${ages}/${others}/${flags}`;
  }

  private leafTime(): number {
    return this.scenario.probes === undefined ? leavesTurnedBy(0, this.policy) : unreachedUntil(0, this.policy);
  }

  /** Ages are compared with a margin: clocks of replicas differ by up to the skew. */
  private age(time: number | undefined, most: number): string {
    if (time === undefined) return '';
    return String(Math.min(this.state.now - time, most + this.policy.skew));
  }
}

function anchorText({ generation, bundled, asked, isIssuing, certificate, hasIssuer, answered }: WorldAnchor): string {
  const held = certificate === undefined ? '' : certificate.key + certificate.by + (certificate.beyond ?? '');
  return `${generation}${bundled ? 'b' : ''}${asked}${isIssuing ? 'i' : ''}${held}${hasIssuer ? 'I' : ''}${answered ? `<${answered.by}` : ''}`;
}
