import type { AnchorKey } from '../../chain';
import { anchorsKnownTo, mayTrust } from '../../knowledge';
import type { AnchorMemory } from '../../memory';
import type {
  GivenCertificate,
  MemberRequest,
  ObservedAnchor,
  ObservedCertification,
  ObservedMember,
  ObservedTrust,
  PodGroup,
} from '../../observed';
import type { AnchorAction, AnchorPlan, RestartWave } from '../../plan';
import { rememberedBundle, withMissed } from '../../remember';
import { seeRoots, settle, startPods } from './actors';
import {
  bundleOf,
  type Cluster,
  type HeldAnchor,
  hashOf,
  keysOf,
  type Made,
  policyOf,
  type Report,
  type Workload,
} from './cluster';

/**
 * The operator reconciles once: remembers, acts, and reports.
 *
 * @param left - the number of writes after which it is killed; absent if it is not
 */
export function look(cluster: Cluster, left?: number): void {
  const now = cluster.now + cluster.ahead.operator;
  const observed = observe(cluster);
  const plan = cluster.decide(observed, now) as AnchorPlan;
  if (left === 0) return;
  cluster.plan = plan;
  cluster.memory = plan.memory;
  const done = plan.actions.slice(0, left);
  for (const action of done) act(cluster, action, { plan, now });
  if (done.length > 0) cluster.ledger.log.push(`${cluster.name}: the operator: ${done.map(actionWords).join(', ')}`);
  if (left === undefined) cluster.report = reportOf(cluster, plan, now);
  settle(cluster, false);
}

function actionWords({ do: name, ...rest }: AnchorAction): string {
  return [name, ...Object.values(rest).map((value) => (Array.isArray(value) ? value.join('+') : String(value)))].join(
    ' ',
  );
}

/** Receives a report from another cluster. */
export function hear(cluster: Cluster, from: string, report: Report): void {
  cluster.heard.set(from, report);
  seeRoots(cluster, report.roots);
}

function observe(cluster: Cluster): ObservedTrust {
  const { anchors, signer, issuer, kept, identity, workloads, heard } = cluster;
  const bundle = bundleOf(cluster);
  const pods = workloads.flatMap((one) => observedPod(one) ?? []);
  const [replica] = pods;
  return {
    policy: policyOf(cluster),
    memory: seenMemory(cluster),
    anchors: [...anchors].map(([generation, anchor]) => observedAnchor(generation, anchor)),
    ...(signer !== undefined && { signer }),
    issuer: {
      state: issuer.isIssuing ? 'issuing' : 'issued',
      ...(issuer.chain && { chain: issuer.chain }),
      ...(issuer.revision > 0 && { revision: issuer.revision }),
    },
    ...(bundle.length > 0 && { bundle: { hash: hashOf(bundle), anchors: bundle } }),
    kept,
    answers: answersOf(cluster),
    certifications: [...cluster.certifications.keys()].map((name) => observedCertification(cluster, name)),
    identity: replica
      ? [
          {
            name: replica.workload,
            since: replica.since,
            ...(identity.chain && { issuerEnd: identity.chain.notAfter }),
          },
        ]
      : [],
    issuerUpdates: [],
    pods,
    members: [...heard].map(([name, report]) => observedMember(name, report)),
    inWindow: true,
  };
}

/** A watch reports each bundle, also one between two reconciliations. */
function seenMemory({ memory, bundles, ahead }: Cluster): AnchorMemory {
  const seen = bundles.map(({ since, certificates }) =>
    rememberedBundle({ hash: hashOf(certificates), anchors: certificates }, since + ahead.operator),
  );
  return withMissed(memory, seen);
}

/** Kubernetes reports whole seconds, by the clock of the node. */
function observedPod({ name, reads, started, ahead, bundle }: Workload): PodGroup | undefined {
  if (started === undefined) return undefined;
  const since = Math.floor((started + ahead) / 1_000) * 1_000;
  return { workload: name, pods: 1, since, ...(!reads && { hash: hashOf(bundle) }), restartable: true };
}

function observedAnchor(generation: number, anchor: HeldAnchor): ObservedAnchor {
  const { key, asked, bundled, isIssuing, hasIssuer, chain, answered } = anchor;
  const [certificate, ...above] = chain;
  const isOpen = isIssuing && asked === 'request' && answered === undefined && key !== undefined;
  return {
    generation,
    bundled,
    askedSigner: asked,
    state: isIssuing ? 'issuing' : 'issued',
    hasIssuer,
    ...(certificate && { certificate, above }),
    ...(isOpen && { request: { key, publicKey: key, subject: key } }),
  };
}

/** The certificate for an anchor of this cluster in the report of the hub. */
function answerOf({ spec, name, heard }: Cluster): Made | undefined {
  return heard.get(spec.bridge?.member ?? '')?.answers[name];
}

function answersOf(cluster: Cluster): ObservedTrust['answers'] {
  const given = answerOf(cluster);
  return given === undefined ? [] : [{ place: 'member', certificates: [givenCertificate(given)] }];
}

function givenCertificate(made: Made): GivenCertificate {
  return { ...made, publicKey: made.key, subject: made.key, isCa: true, isForTls: true };
}

function observedCertification({ certifications, anchors }: Cluster, cluster: string): ObservedCertification {
  const { request, generation, certificate, since } = certifications.get(cluster) ?? {};
  return {
    cluster,
    key: request?.key ?? '',
    ...(generation !== undefined && anchors.has(generation) && { generation }),
    state: certificate === undefined ? 'issuing' : 'issued',
    since: since ?? 0,
    ...(certificate && { certificate }),
  };
}

function observedMember(name: string, { roots, answers: _, ...report }: Report): ObservedMember {
  return { ...report, name, roots: keysOf(roots) };
}

function reportOf(cluster: Cluster, { report }: AnchorPlan, now: number): Report | undefined {
  if (report === undefined) return cluster.report;
  const { asks, answers = [], ...told } = report;
  const keys = [...new Set([...told.signing, ...(told.holds ?? [])])];
  const asking = asks === undefined ? undefined : cluster.anchors.get(asks)?.key;
  const given = answers.flatMap((name) => {
    const made = cluster.certifications.get(name)?.certificate;
    return made === undefined ? [] : [[name, made] as const];
  });
  return {
    ...told,
    updated: now,
    roots: keys.flatMap((key) => cluster.roots.get(key) ?? []),
    ...(asking !== undefined && { request: requestOf(cluster, asking) }),
    answers: Object.fromEntries(given),
  };
}

function requestOf(cluster: Cluster, key: AnchorKey): MemberRequest {
  const { trustDomain } = policyOf(cluster);
  const constraint = trustDomain === undefined ? {} : { permits: [trustDomain], limitsUris: true as const };
  return { key, subject: key, isKeySupported: true, ...constraint };
}

interface Decided {
  readonly plan: AnchorPlan;
  readonly now: number;
}

function act(cluster: Cluster, action: AnchorAction, decided: Decided): void {
  const { anchors, issuer, certifications } = cluster;
  const anchor = 'generation' in action ? anchors.get(action.generation) : undefined;
  switch (action.do) {
    case 'apply-anchor':
      applyAnchor(cluster, action);
      return;
    case 'answer-request':
      answerRequest(cluster, action);
      return;
    case 'certify':
      certify(cluster, action, decided);
      return;
    case 'withdraw-certificate':
      certifications.delete(action.cluster);
      return;
    case 'keep-roots':
      cluster.kept = action.keys;
      return;
    case 'set-signer':
      cluster.signer = action.generation;
      return;
    case 'hold-signer':
      delete cluster.signer;
      return;
    case 'renew-issuer':
      issuer.isIssuing ||= (action.revision ?? 0) === issuer.revision;
      return;
    case 'restart-identity':
      restartIdentity(cluster, 'bundle' in action ? action.bundle : `${action.revision}`);
      return;
    case 'restart-laggards':
      restartLaggards(cluster, action.workloads, decided);
      return;
    case 'delete-anchor':
      anchors.delete(action.generation);
      return;
    case 'keep-key':
      return;
    default:
      if (anchor) edit(anchor, action);
  }
}

function certify(
  { heard, certifications }: Cluster,
  { cluster, generation, duration }: Extract<AnchorAction, { readonly do: 'certify' }>,
  { now }: Decided,
): void {
  const request = heard.get(cluster)?.request;
  if (request) certifications.set(cluster, { request, generation, duration, since: now });
}

/** Ignores an answer whose request has been replaced, and an answer that is no longer reported. */
function answerRequest(
  cluster: Cluster,
  { generation, certificates }: Extract<AnchorAction, { readonly do: 'answer-request' }>,
): void {
  const anchor = cluster.anchors.get(generation);
  const answer = answerOf(cluster);
  if (anchor?.isIssuing && answer !== undefined && certificates.includes(answer.id)) anchor.answered = [answer];
}

type Anchor = NonNullable<ReturnType<Cluster['anchors']['get']>>;
type Edit = Extract<AnchorAction, { readonly do: 'apply-issuer' | 'bundle' | 'renew-anchor' }>;

function edit(anchor: Anchor, action: Edit): void {
  if (action.do === 'apply-issuer') anchor.hasIssuer = true;
  if (action.do === 'renew-anchor') anchor.isIssuing = true;
  if (action.do === 'bundle') anchor.bundled = action.bundled;
}

function applyAnchor(
  { anchors }: Cluster,
  { generation, signer, bundled }: Extract<AnchorAction, { readonly do: 'apply-anchor' }>,
): void {
  const before = anchors.get(generation);
  if (before === undefined) {
    anchors.set(generation, { asked: signer, bundled, isIssuing: true, hasIssuer: false, chain: [] });
    return;
  }
  before.bundled = bundled;
  if (before.asked === signer) return;
  before.asked = signer;
  before.isIssuing = true;
  delete before.answered;
}

function restartIdentity(cluster: Cluster, cause: string): void {
  const [replica] = cluster.workloads;
  if (replica === undefined || cluster.identity.restartedFor.has(cause)) return;
  cluster.identity.restartedFor.add(cause);
  startPods(cluster, replica);
}

/** Restarts a workload once for a wave, as its annotation records, and again only after a long time. */
function restartLaggards(cluster: Cluster, workloads: readonly string[], { plan: { wave }, now }: Decided): void {
  if (wave === undefined) return;
  const policy = policyOf(cluster);
  const hash = `${wave.reason} ${wave.generation} ${wave.key}`;
  const retryMs = RETRY_RESTARTS * Math.max(policy.restartTime, policy.lag);
  const isDue = ({ restarted }: Workload): boolean =>
    restarted?.wave !== hash || restarted.at < wave.since || now >= restarted.at + retryMs;
  const due = cluster.workloads.filter((one) => workloads.includes(one.name) && isDue(one));
  for (const one of due.slice(0, policy.parallelRestarts)) {
    one.restarted = { wave: hash, at: now };
    startPods(cluster, one);
    if (isInVain(cluster, one, wave)) {
      cluster.ledger.faults.push(
        `the operator of ${cluster.name} restarts ${one.name} too early: its new pods lack what they restarted for`,
      );
    }
  }
}

const RETRY_RESTARTS = 5;

/** Whether the new pods of a workload lack what it was restarted for, as the operator sees them. */
function isInVain(cluster: Cluster, workload: Workload, { reason, key, since, forgets = [] }: RestartWave): boolean {
  const pod = observedPod(workload);
  if (pod === undefined) return false;
  const { bundles } = seenMemory(cluster);
  const policy = policyOf(cluster);
  if (reason === 'turn') return pod.since < since;
  if (reason === 'forget') return mayTrust(pod, forgets, bundles, policy);
  return !anchorsKnownTo(pod, bundles, policy).has(key);
}
