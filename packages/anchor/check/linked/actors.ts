import { MINUTE } from '#base/time-units';
import type { AnchorKey, IssuerChain, Time } from '../../chain';
import { isAccepted } from '../x509';
import {
  bundleOf,
  type Certification,
  type Cluster,
  type GivenBundle,
  type HeldAnchor,
  hashOf,
  heldKey,
  keysOf,
  type Made,
  policyOf,
  type Workload,
} from './cluster';

/** Lets time pass, in which all actors but the operator act; cert-manager only if it works. */
export function pass(cluster: Cluster, ms: number, isIssuing: boolean): void {
  cluster.now += ms;
  settle(cluster, isIssuing);
  for (const one of cluster.workloads) {
    if (one.started === undefined || cluster.now - one.started >= one.lifeMs) startPods(cluster, one);
  }
  useIssuer(cluster);
}

/** cert-manager and trust-manager do what they were asked for. */
export function settle(cluster: Cluster, isIssuing: boolean): void {
  if (isIssuing) {
    for (const [generation, anchor] of cluster.anchors) issueAnchor(cluster, generation, anchor);
    issueIssuer(cluster);
    for (const one of cluster.certifications.values()) signForMember(cluster, one);
  }
  writeBundle(cluster);
}

/** Records a new certificate. */
function make(cluster: Cluster, certificate: Omit<Made, 'id' | 'notBefore' | 'notAfter'>, lifeMs: number): Made {
  const notBefore = cluster.now + cluster.ahead.certManager;
  const id = `${certificate.key}<${certificate.signer}#${cluster.ledger.made.length}`;
  const made = { ...certificate, id, notBefore, notAfter: notBefore + lifeMs };
  cluster.ledger.made.push(made);
  return made;
}

/** cert-manager issues an anchor that was requested; it creates a new key if the Secret was lost. */
function issueAnchor(cluster: Cluster, generation: number, anchor: HeldAnchor): void {
  if (!anchor.isIssuing) return;
  anchor.key ??= `${cluster.name}-${++cluster.keys}`;
  const chain = chainFor(cluster, anchor, anchor.key);
  if (chain === undefined) return;
  anchor.chain = chain;
  anchor.isIssuing = false;
  delete anchor.answered;
  seeRoots(cluster, chain);
  cluster.ledger.log.push(
    `${cluster.name}: cert-manager issues generation ${generation}: ${chain.map(({ id }) => id).join()}`,
  );
}

function chainFor(cluster: Cluster, { asked, answered }: HeldAnchor, key: AnchorKey): readonly Made[] | undefined {
  const lifeMs = policyOf(cluster).duration;
  if (asked === 'self') return [make(cluster, { key, signer: key }, lifeMs)];
  if (asked === 'request') return answered?.[0]?.key === key ? answered : undefined;
  const by = cluster.anchors.get(asked);
  const signer = heldKey(cluster, asked);
  if (by?.hasIssuer !== true || signer === undefined) return undefined;
  return [make(cluster, { key, signer }, lifeMs), ...by.chain.filter((one) => one.key !== one.signer)];
}

/** The time after which cert-manager retries a failed signature. */
const RETRY_MS = 60 * MINUTE;

/** Signs with the Secret that the ClusterIssuer names when it signs. */
function issueIssuer(cluster: Cluster): void {
  const { issuer, signer, now, ahead, issuerLifeMs } = cluster;
  const anchor = signer === undefined ? undefined : cluster.anchors.get(signer);
  const key = heldKey(cluster, signer);
  const isDue = issuer.chain !== undefined && now >= (issuer.chain.notBefore + issuer.chain.notAfter) / 2;
  if (!issuer.isIssuing && (!isDue || now < issuer.retriedAt)) return;
  if (anchor === undefined || key === undefined) {
    issuer.retriedAt = now + RETRY_MS;
    return;
  }
  const notBefore = now + ahead.certManager;
  issuer.chain = {
    signer: key,
    notBefore,
    notAfter: notBefore + issuerLifeMs,
    bridges: anchor.chain.filter((one) => one.key !== one.signer),
  };
  issuer.isIssuing = false;
  issuer.revision++;
  // Identity loads a mounted Secret within the propagation delay, but misses one in five.
  cluster.identity.loadsAt =
    cluster.random() < 0.2 ? Number.POSITIVE_INFINITY : now + cluster.random() * lagOf(cluster);
}

function signForMember(cluster: Cluster, one: Certification): void {
  const signer = heldKey(cluster, one.generation);
  if (one.certificate !== undefined || signer === undefined) return;
  const { key, permits, limitsUris } = one.request;
  const constraint = permits && { constrained: true as const, permits, ...(limitsUris && { limitsUris }) };
  one.certificate = make(cluster, { key, signer, ...constraint }, one.duration);
}

/** trust-manager writes the certificates of labelled Secrets, and the roots that the operator keeps. */
function writeBundle(cluster: Cluster): void {
  const bundled = [...cluster.anchors.values()].flatMap(({ bundled: isIn, chain }) => (isIn ? chain : []));
  const kept = cluster.kept.flatMap((key) => cluster.roots.get(key) ?? []);
  const certificates = [...new Set([...bundled, ...kept])].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (certificates.length === 0 || hashOf(certificates) === hashOf(bundleOf(cluster))) return;
  const bundle: GivenBundle = { since: cluster.now, certificates };
  cluster.bundles = [...cluster.bundles, bundle].slice(-MAX_BUNDLES);
}

/** More bundles than trust-manager writes within the longest delay of a kubelet. */
const MAX_BUNDLES = 16;

/** Records the self-signed certificate of each root that expires last; a bridge only while there is no other. */
export function seeRoots({ roots }: Cluster, certificates: readonly Made[]): void {
  for (const one of certificates) {
    const before = roots.get(one.key);
    const isBetter = before === undefined || before.key !== before.signer || before.notAfter < one.notAfter;
    if (isBetter && (before === undefined || one.key === one.signer)) roots.set(one.key, one);
  }
}

function lagOf(cluster: Cluster): number {
  return policyOf(cluster).lag;
}

/** Starts the pods of a workload with the bundle of a random time within the last propagation delay. */
export function startPods(cluster: Cluster, workload: Workload): void {
  const at = cluster.now - cluster.random() * lagOf(cluster);
  const given = cluster.bundles.findLast(({ since }) => since <= at) ?? cluster.bundles[0];
  if (given === undefined || cluster.issuer.chain === undefined) return;
  workload.started = cluster.now;
  workload.bundle = given.certificates;
  if (workload === cluster.workloads[0]) {
    delete cluster.identity.chain;
    cluster.identity.loadsAt = cluster.now;
  }
}

/** Identity loads the issuer in its Secret, if it has noticed it and accepts it, and issues leaves. */
function useIssuer(cluster: Cluster): void {
  const { identity, issuer, now } = cluster;
  const [replica] = cluster.workloads;
  const { chain } = issuer;
  if (replica?.started === undefined || chain === undefined) return;
  if (now >= chain.notAfter)
    cluster.ledger.faults.push(`the issuer of ${cluster.name} has expired, and nothing signs another`);
  if (now >= identity.loadsAt && isAcceptedBy(cluster, chain, replica)) identity.chain = chain;
  cluster.leaves = cluster.leaves.filter(({ until }) => now < until);
  const used = identity.chain;
  if (used === undefined) return;
  const until = now + policyOf(cluster).leafReach;
  cluster.leaves = [...cluster.leaves.filter((one) => one.chain !== used), { chain: used, until }];
}

/** Whether the proxies of a workload accept what an issuer of a cluster signs, by the clock of their node. */
export function isAcceptedBy(
  { domain, now }: Pick<Cluster, 'domain' | 'now'>,
  chain: IssuerChain,
  by: Workload,
): boolean {
  const at: Time = now + by.ahead;
  return isAccepted({ ...chain, domain }, keysOf(by.bundle), at);
}
