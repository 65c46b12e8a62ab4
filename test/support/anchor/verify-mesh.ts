import { generateKeyPairSync } from 'node:crypto';
import type { FakeIdentity } from './fake-identity';
import { issueLeaf, type LoadedIssuer, meshOf } from './identity/issuer';
import type { FakeProxies, MeshProxy } from './proxies';
import { describeChain, describeRoots, hashOf, readCertificates, verifyChain } from './trust';

/** The parts of a mesh that verify each other's certificates. */
export interface LiveMesh {
  readonly proxies: FakeProxies;
  readonly identity: FakeIdentity;
}

/** The result of a check of all pairs. */
export interface MeshReport {
  readonly at: Date;
  readonly proxies: number;
  /** The number of pairs of a proxy with a leaf and a proxy that verifies it; a proxy verifies itself, too. */
  readonly pairs: number;
  /** The number of verifications; equal ones are done once. */
  readonly verifications: number;
  /** A sentence for each kind of refusal; empty if all verifications succeed. */
  readonly failures: readonly string[];
  /** Proxies that have never received a leaf. */
  readonly starting: readonly StartingProxy[];
  /** The number of proxies whose leaf expired because the test process was too slow. Their expiry is no failure. */
  readonly starved: number;
  /** Each distinct verification, for {@link verifyWithGo}, with one leaf of each issuer. */
  readonly samples: readonly Verification[];
}

/** A proxy without a leaf. */
interface StartingProxy {
  readonly name: string;
  readonly sinceMs: number;
  readonly asked: number;
  readonly failure?: string;
}

/** A chain, the roots that verify it, and the time. */
export interface Verification {
  readonly chain: string;
  readonly roots: string;
  readonly at: Date;
}

/**
 * Verifies with real signatures. By the proxies' rules, it verifies each proxy's chain and a new leaf of each replica
 * of identity against each proxy's roots. By Go's rules, it verifies each replica's issuer against its roots.
 */
export function verifyMesh({ proxies, identity }: LiveMesh, at = new Date()): MeshReport {
  const live = proxies.live();
  const starved = new Set(live.filter((proxy) => isStarved(proxy, at.getTime())));
  const shown = live.filter((proxy) => proxy.chain !== undefined && !starved.has(proxy));
  const sources = [...shown, ...newLeavesOf(identity)] as readonly Source[];
  const byRoots = Map.groupBy(live, ({ roots }) => hashOf(roots));
  const refused = new Map<string, Refusal>();
  const samples = new Map<string, Verification>();
  let verifications = 0;
  for (const source of sources) {
    const kind = kindOf(source.chain);
    for (const [hash, group] of byRoots) {
      const roots = group[0]?.roots ?? '';
      verifications += 1;
      samples.set(`${kind}/${hash}`, { chain: source.chain, roots, at });
      const reason = verifyChain(source.chain, roots, { at: at.getTime() });
      if (reason !== undefined) note(refused, { source, reason, by: group, kind: `${kind}/${hash}` });
    }
  }
  return {
    at,
    proxies: live.length,
    pairs: live.filter(({ chain }) => chain !== undefined).length * live.length,
    verifications,
    failures: [...[...refused.values()].map(sentence), ...failuresOf(identity, at)],
    starting: live
      .filter(({ chain }) => chain === undefined)
      .map(({ name, since, failure, asked }) => ({
        name,
        sinceMs: at.getTime() - since,
        asked: asked?.times ?? 0,
        ...(failure && { failure }),
      })),
    starved: starved.size,
    samples: [...samples.values()],
  };
}

/**
 * Whether a leaf has expired, and its proxy requested the next one only in the last sixth of its lifetime, or not yet.
 * Proxies do so with almost a third left, so a late request means that the test process had no CPU time.
 */
function isStarved({ chain, asked }: MeshProxy, at: number): boolean {
  const [leaf] = chain === undefined ? [] : readCertificates(chain);
  if (leaf === undefined || at <= leaf.notAfter) return false;
  return asked === undefined || asked.first > leaf.notAfter - (leaf.notAfter - leaf.notBefore) / 6;
}

/** A proxy or replica that presents a chain. */
interface Source {
  readonly name: string;
  readonly chain: string;
}

interface Refusal {
  readonly sources: string[];
  readonly chain: string;
  readonly reason: string;
  readonly by: readonly MeshProxy[];
}

const PROBE_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'der' });

/** Leaves by issuer: a second leaf would differ only in its time, and each leaf outlives the test. */
const newLeaves = new WeakMap<LoadedIssuer, string>();

/** A new leaf of each replica that has a valid issuer. */
function newLeavesOf(identity: FakeIdentity): readonly Source[] {
  return identity.replicas().flatMap(({ pod, issuer }) => {
    if (issuer === undefined || issuer.notAfter < Date.now()) return [];
    const chain = newLeaves.get(issuer) ?? newLeafOf(issuer);
    newLeaves.set(issuer, chain);
    return [{ name: `new leaves of ${pod.metadata.name}`, chain }];
  });
}

function newLeafOf(issuer: LoadedIssuer): string {
  const validity = { lifetimeMs: 3_600_000, clockSkewMs: 60_000 };
  return issueLeaf(issuer, `probe.shop.serviceaccount.identity.${meshOf(issuer)}`, PROBE_KEY, validity);
}

/** A key of the certificates above the leaf: leaves of one issuer differ only in their time. */
function kindOf(chain: string): string {
  return readCertificates(chain)
    .slice(1)
    .map(({ id }) => id)
    .join();
}

function note(
  refused: Map<string, Refusal>,
  { source, reason, by, kind }: { source: Source; reason: string; by: readonly MeshProxy[]; kind: string },
): void {
  // The seconds of the message differ between leaves that have expired together.
  const key = `${kind}/${reason.replace(/[\d.]+ s/, 's').replace(/^"[^"]*"/, '')}`;
  const known = refused.get(key);
  if (known !== undefined) known.sources.push(source.name);
  else refused.set(key, { sources: [source.name], chain: describeChain(source.chain), reason, by });
}

function sentence({ sources, chain, reason, by }: Refusal): string {
  const names = by.map(({ name }) => name);
  return `${few(sources)} [${chain}] refused by ${few(names)} with roots ${describeRoots(by[0]?.roots ?? '')}: ${reason}`;
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

function failuresOf(identity: FakeIdentity, at: Date): readonly string[] {
  return identity.replicas().flatMap(({ pod, roots, issuer, crash }) => {
    const { name } = pod.metadata;
    if (crash !== undefined) return [`identity ${name} does not start: ${crash}`];
    if (issuer === undefined) return [];
    const reason = verifyChain(issuer.chain, roots ?? '', { at: at.getTime(), as: 'go' });
    return reason === undefined ? [] : [`identity ${name} does not issue: ${reason}`];
  });
}
