import { anchorsKnownTo, mayTrust } from '../../operator/api/anchor/knowledge';
import type { AnchorMemory, RememberedIssuer, Rotation } from '../../operator/api/anchor/memory';
import type { AnchorPolicy } from '../../operator/api/anchor/observed';
import { unreachedUntil } from '../../operator/api/anchor/pairs';
import { leavesTurnedBy, settledBy, takenUpBy } from '../../operator/api/anchor/times';
import { hashOf, numberOf, toldText, WATCHED } from './observe';
import { FOREVER, type Scenario } from './scenario';
import type { Before, Issued, Shown, State, Watched, WorldAnchor, WorldIdentity } from './state';

/**
 * A text that two states share only if the same can come of both.
 *
 * Times that are compared with each other go through a scale that keeps all distances up to the longest one that is
 * ever compared, and shortens longer ones to one more. Times that are compared with now alone go as their age, up to the
 * one from which nothing depends on it any more. Numbers of issuances go through a scale as well: only "the same", "the
 * next" and "a later one" are told apart.
 */
export function canonical(state: State, scenario: Scenario): string {
  const { policy, evidence } = scenario;
  const longest = Math.max(settledBy(0, policy), takenUpBy(0, policy));
  const starts = scaleOf(evidence === 'metric' ? [] : startsOf(state, evidence), longest);
  const ends = scaleOf(evidence === 'metric' ? endsOf(state) : [], 3 * policy.skew);
  const revisions = scaleOf(revisionsOf(state), 1);
  return new Writer(state, scenario, { starts, ends, revisions }).text();
}

type Scale = ReadonlyMap<number, number>;

interface Scales {
  /** Of starts of identity, and of all that they are compared with. */
  readonly starts: Scale;
  /** Of issuers' ends, which tell them apart. */
  readonly ends: Scale;
  readonly revisions: Scale;
}

/** Places from the latest backwards. */
function scaleOf(values: readonly number[], longest: number): Scale {
  const scale = new Map<number, number>();
  let before: number | undefined;
  let place = 0;
  for (const value of [...new Set(values)].sort((a, b) => b - a)) {
    if (before !== undefined) place += Math.min(before - value, longest + 1);
    scale.set(value, place);
    before = value;
  }
  return scale;
}

/** The present, and the part of the past that an actor may still receive or see. */
function versionsOf(state: State): readonly Pick<Shown, 'issuer' | 'identity'>[] {
  const { past, before } = state;
  return [
    state,
    ...past.map(({ issuer: { secret } }) => ({
      issuer: { isIssuing: false, ...(secret !== undefined && { secret }) },
      identity: [],
    })),
    ...(before.issuer ?? []).map(({ shown }) => ({ issuer: shown.issuer, identity: [] })),
    ...(before.identity ?? []).map(({ shown }) => ({ issuer: { isIssuing: false }, identity: shown.identity })),
  ];
}

function startsOf(state: State, evidence: Scenario['evidence']): number[] {
  const { now, memory } = state;
  const times = [now];
  if (memory.issuer !== undefined) times.push(memory.issuer.since, memory.issuer.seen);
  if (memory.issuer?.takenUp !== undefined) times.push(memory.issuer.takenUp);
  for (const shown of versionsOf(state)) {
    for (const issued of [shown.issuer.secret, shown.issuer.signed]) if (issued !== undefined) times.push(issued.at);
    for (const { since, told } of shown.identity) {
      times.push(since);
      if (told !== undefined && evidence === 'events') times.push(told);
    }
  }
  return times;
}

function endsOf(state: State): number[] {
  const { issuer } = state.memory;
  const ends = issuer === undefined ? [] : [issuer.notAfter - FOREVER];
  if (issuer?.before !== undefined) ends.push(issuer.before - FOREVER);
  for (const shown of versionsOf(state)) {
    for (const issued of [shown.issuer.secret, shown.issuer.signed]) if (issued !== undefined) ends.push(issued.at);
    for (const replica of shown.identity) ends.push(replica.issuer.at);
  }
  return ends;
}

function revisionsOf(state: State): number[] {
  const revisions: number[] = [];
  if (state.memory.issuer !== undefined) revisions.push(state.memory.issuer.revision);
  for (const { issuer, identity } of versionsOf(state)) {
    if (issuer.secret !== undefined) revisions.push(issuer.secret.revision);
    for (const replica of identity) revisions.push(replica.issuer.revision);
  }
  return revisions;
}

class Writer {
  private readonly policy: AnchorPolicy;
  private readonly isMetric: boolean;

  constructor(
    private readonly state: State,
    private readonly scenario: Scenario,
    private readonly scales: Scales,
  ) {
    this.policy = scenario.policy;
    this.isMetric = scenario.evidence === 'metric';
  }

  text(): string {
    const { state } = this;
    return [
      WATCHED.map((part) => this.part(state, part)).join('|'),
      ...state.past.map((shown) => this.given(shown)),
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
      `${state.told && toldText(state.told)}>${state.heard && toldText(state.heard)}`,
      state.certification === undefined ? '' : state.certification.key + state.certification.by,
      this.certification(state.memory.certification),
      this.seen(),
    ].join(';');
  }

  /** Of the past, what pods and cert-manager may yet be given. */
  private given({ bundle, issuer, signer, anchors }: Shown): string {
    const by = this.scenario.isCertManagerLate ? anchors.find(({ generation }) => generation === signer) : undefined;
    return `${bundle.join('')}|${this.issued(issuer.secret)}|${by?.certificate?.key ?? ''}${by?.certificate?.by ?? ''}`;
  }

  /** The earlier versions of each part that the operator may yet see, the latest first. */
  private seen(): string {
    const { before } = this.state;
    return this.scenario.late
      .map((part) => (before[part] ?? []).map((one) => this.before(one, part)).join('+'))
      .join('|');
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
    return String((this.scales.starts.get(time) ?? 0) - (this.scales.starts.get(this.state.now) ?? 0));
  }

  private end(time: number): string {
    return this.isMetric ? String(this.scales.ends.get(time)) : '';
  }

  private revision(revision: number): string {
    return `r${this.scales.revisions.get(revision)}`;
  }

  /** The date of an issuer: with a metric, nothing depends on it. */
  private since(time: number): string {
    return this.isMetric ? '' : this.start(time);
  }

  private issued(issued: Issued | undefined): string {
    return issued === undefined ? '' : `${this.signed(issued)}${this.revision(issued.revision)}`;
  }

  /** Its number is the next one. */
  private signed(signed: Issued | undefined): string {
    if (signed === undefined) return '';
    return `${signed.signer}${signed.over ?? ''}${signed.beyond ?? ''}${this.since(signed.at)}e${this.end(signed.at)}`;
  }

  private replica({ roots, issuer, since, told }: WorldIdentity): string {
    const event = this.scenario.evidence === 'events' && told !== undefined ? this.start(told) : '';
    const chain = `${issuer.signer}${issuer.over ?? ''}${issuer.beyond ?? ''}e${this.end(issuer.at)}${this.revision(issuer.revision)}`;
    return `${roots.join('')}/${chain}/${this.isMetric ? this.proof(since) : this.start(since)}/${event}/${this.knownTo(since)}`;
  }

  /** Tells which proof of the present issuer a start is, or may yet be. */
  private proof(since: number): string {
    const { lag, skew } = this.policy;
    const { issuer } = this.state.memory;
    const age = this.age(since, lag + 2 * skew + 1);
    if (issuer === undefined || issuer.steady !== undefined) return age;
    const isNew = since >= issuer.seen + lag + skew;
    const isProven = issuer.takenUp === undefined || since < issuer.takenUp - lag - skew;
    return `${isNew ? 'n' : ''}${isProven ? 'p' : ''}${age}`;
  }

  /** The anchors that one who started then is known to know, and how long that may still change. */
  private knownTo(since: number): string {
    const { skew } = this.policy;
    const { memory, starts } = this.state;
    const keys = anchorsKnownTo({ since }, memory.bundles, this.policy);
    const trusted = starts ? `?${this.trustedBy(since)}${this.started(since)}` : '';
    return `${[...keys].join('')}${this.age(since, 2 * skew + 1)}${trusted}`;
  }

  /** The anchors that one who started then may trust. */
  private trustedBy(since: number): string {
    const { bundles } = this.state.memory;
    const all = [...new Set(bundles.flatMap(({ keys }) => keys))].sort();
    return all.filter((key) => mayTrust({ since }, [key], bundles, this.policy)).join('');
  }

  /** A start, by all times that it is compared with. */
  private started(since: number): string {
    const { leafReach, lag, skew, grain } = this.policy;
    const { rotation, issuer, bundles } = this.state.memory;
    const times = [rotation?.signing, issuer?.steady, ...bundles.slice(-3).map((bundle) => bundle.since + lag)];
    const later = times.map((time) => (time !== undefined && since >= time + skew + grain ? 1 : 0));
    return `@${this.age(since, leafReach + 2 * skew + lag + 1)}${later.join('')}`;
  }

  private memory({ current, bundles, rotation, issuer, rotated, compromised }: AnchorMemory): string {
    return [
      current === undefined ? '' : `${current.key}${current.generation}${current.lost ? 'l' : ''}`,
      this.bundles(bundles),
      rotation === undefined ? '' : this.rotation(rotation),
      issuer === undefined ? '' : this.remembered(issuer),
      `${rotated ?? ''}${compromised?.keys.join('') ?? ''}`,
    ].join('|');
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

  /** Of bundles that were followed by others long ago, those alone matter that pods carry, or may yet be given. */
  private bundles(bundles: AnchorMemory['bundles']): string {
    const { lag, skew, grain } = this.policy;
    const longest = Math.max(lag + 2 * skew + 1, 2 * lag + skew + grain);
    const { now, pods, bundle, past, before } = this.state;
    const seen = [
      ...(before.bundle ?? []).map(({ shown }) => shown.bundle),
      ...(before.pods ?? []).flatMap(({ shown }) => shown.pods),
    ];
    const carried = [bundle, ...pods, ...past.map((shown) => shown.bundle), ...seen].map(hashOf);
    return bundles
      .filter(({ hash }, index) => {
        const until = bundles[index + 1]?.since ?? now;
        return now - until < longest + skew || carried.includes(hash);
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

  /** Since when matters only of the one that a rotation brings. */
  private steady(signer: string, steady: number): string {
    return signer === this.state.memory.rotation?.from ? 's' : this.age(steady, this.leafTime());
  }

  private rotation(rotation: Rotation): string {
    const { lag, skew } = this.policy;
    const { from, to, key, announced, signing, adopted, dropped, retiring, aborting, returned } = rotation;
    const { committed, withdrawing, unbridged, certifies } = rotation;
    return [
      `${from}${to}${key}`,
      this.age(announced, lag + skew),
      this.age(signing, this.leafTime()),
      this.age(adopted, lag + skew),
      this.age(dropped, lag + skew),
      retiring ? 'r' : '',
      aborting ? 'a' : '',
      committed ? 'c' : '',
      withdrawing ? 'w' : '',
      unbridged ? 'u' : '',
      certifies ? 'f' : '',
      this.age(returned, this.leafTime()),
    ].join('/');
  }

  private leafTime(): number {
    return this.scenario.probes === undefined ? leavesTurnedBy(0, this.policy) : unreachedUntil(0, this.policy);
  }

  /** The operator's clocks may be apart by the skew. */
  private age(time: number | undefined, most: number): string {
    if (time === undefined) return '';
    return String(Math.min(this.state.now - time, most + this.policy.skew));
  }
}

function anchorText({ generation, bundled, asked, isIssuing, certificate, hasIssuer, answered }: WorldAnchor): string {
  const held = certificate === undefined ? '' : certificate.key + certificate.by + (certificate.beyond ?? '');
  return `${generation}${bundled ? 'b' : ''}${asked}${isIssuing ? 'i' : ''}${held}${hasIssuer ? 'I' : ''}${answered ? `<${answered.by}` : ''}`;
}
