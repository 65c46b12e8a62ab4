import {
  anchorNames,
  MEMBER_CONFIG_MAP,
  MEMBER_LABEL,
  memberCopyName,
  type TrustAnchorSpec,
} from '#anchor/trust-anchor';
import { MINUTE } from '#base/time-units';
import { copiedReport } from '#operator/src/exchange/copied-report';
import { knownCertificates } from '#operator/src/pki/known-certificate';
import { issueCertificate } from '../../cluster/certificates';
import { pick, type Random } from '../random';
import type { AnyObject } from './memory-api';
import { blocks } from './played-cert-manager';
import { brokenPods, condition, issuerChain, type PlayedMesh, type PlayedOperator, playedMesh } from './played-mesh';

/** The reach of a proxy's certificate: its lifetime and the clock skew of played meshes. */
const LEAF_MS = 5 * MINUTE + 1_000;

/** One of several linked clusters. */
export interface Linked {
  readonly name: string;
  readonly mesh: PlayedMesh;
  /** What it issued, and until when that may be in use. */
  readonly leaves: Map<string, { readonly chain: readonly string[]; readonly until: number }>;
  operator: PlayedOperator;
}

/** Clusters that share what one of them, the hub, certifies: all is by one clock, in an order by chance. */
export interface LinkedMeshes {
  readonly clusters: readonly Linked[];
  /** Lets a minute or so pass in all of them; reports travel, operators look, and cert-manager works, or not. */
  step(random: Random, isPrompt?: boolean): Promise<void>;
  /** The proxies that refuse a certificate of their own or of another cluster. */
  refusals(): readonly string[];
  /** Has an attacker get the key of an anchor in a cluster. @returns the key by which users name it; undefined if none is there */
  leak(one: Linked, random: Random): string | undefined;
  /** The clusters that say of a leaked key that nothing trusts it, while a proxy of some cluster accepts its owner. */
  falseAllClears(): readonly string[];
}

/** A key that leaked, and a CA that its owner made with it. */
interface Leaked {
  readonly key: string;
  readonly issuer: string;
}

/** Makes a hub, and clusters that it certifies; pods of each live as long as `podMs` says. */
export function linkedMeshes(
  names: readonly string[],
  { isConstrained, podMs }: { readonly isConstrained: boolean; readonly podMs: (name: string) => number },
): LinkedMeshes {
  const [hub = '', ...spokes] = names;
  const domainOf = (name: string) => (isConstrained ? { trustDomain: `${name}.example` } : {});
  const specOf = (name: string): Partial<TrustAnchorSpec> => ({
    cluster: name,
    members: names.filter((other) => other !== name),
    commonName: `root.${name}.example`,
    ...(name === hub
      ? { certifies: spokes.map((cluster) => ({ cluster, ...domainOf(cluster) })) }
      : { bridge: { signedBy: 'Member', ifUnsigned: 'Restart', member: hub, ...domainOf(name) } }),
  });
  const clusters = names.map((name): Linked => {
    const mesh = playedMesh(specOf(name), podMs(name));
    return { name, mesh, leaves: new Map(), operator: mesh.operator() };
  });
  const copy = (from: Linked, to: Linked): void => {
    const report = from.mesh.api.find('configmaps', `cert-manager/${MEMBER_CONFIG_MAP}`);
    const { name } = from;
    const at = `cert-manager/${memberCopyName(name)}`;
    const copied = copiedReport(
      report?.data,
      { cluster: to.name, member: name },
      to.mesh.api.find('configmaps', at)?.data,
    );
    if (!('data' in copied)) return;
    const labels = { [MEMBER_LABEL]: name };
    to.mesh.api.remove('configmaps', at);
    to.mesh.api.put('configmaps', {
      metadata: { name: memberCopyName(name), namespace: 'cert-manager', labels },
      data: copied.data,
    });
  };
  /** Every certificate of a CA that there ever was: the owner of a key presents what he likes of them. */
  const made = new Set<string>();
  const leaked: Leaked[] = [];
  const deceived = (keys: readonly string[]): readonly Linked[] =>
    clusters.filter(({ mesh }) =>
      leaked
        .filter(({ key }) => keys.includes(key))
        .some(({ issuer }) => brokenPods(mesh, [issuer, ...made]).length < mesh.pods().length),
    );
  const look = async (one: Linked): Promise<void> => {
    try {
      await one.operator.look();
    } catch {
      one.operator = one.mesh.operator();
    }
    const chain = issuerChain(one.mesh.api);
    for (const pem of caCertificates(one.mesh)) made.add(pem);
    if (chain.length > 0) one.leaves.set(chain.join(''), { chain, until: one.mesh.now() + LEAF_MS });
  };
  return {
    clusters,
    step: async (random, isPrompt = false) => {
      const does = (chance: number): boolean => isPrompt || random() < chance;
      const ms = isPrompt ? MINUTE : Math.ceil(random() * 2 * MINUTE);
      for (const { mesh } of clusters) passIn(mesh, ms, does(0.7));
      for (const [from, to] of pairsOf(clusters).filter(() => does(0.2))) copy(from, to);
      for (const one of clusters.filter(() => !does(0.98))) one.operator = one.mesh.operator();
      for (const one of shuffled(random, clusters).filter(() => does(0.8))) await look(one);
    },
    leak: ({ mesh }, random) => {
      const secret = pick(random, mesh.api.list('secrets', 'cert-manager').filter(isAnchor));
      const [cert] = blocks(secret?.tls.cert ?? '');
      const [known] = cert === undefined ? [] : knownCertificates(cert);
      if (secret === undefined || cert === undefined || known === undefined) return undefined;
      const issuer = issueCertificate({
        commonName: 'attacker',
        ca: true,
        issuer: { cert, key: secret.tls.key },
        notBefore: new Date(mesh.now() - MINUTE),
        notAfter: new Date(mesh.now() + 1_000_000 * MINUTE),
      }).cert;
      leaked.push({ key: known.key, issuer });
      return known.key;
    },
    falseAllClears: () =>
      clusters.flatMap(({ name, mesh }) => {
        if (condition(mesh, 'Distrusted').status !== 'True') return [];
        const named = mesh.api.find('trustanchors', 'linkerd')?.spec.compromised ?? [];
        return deceived(named).map((other) => `${name} says so, and ${other.name} accepts`);
      }),
    refusals: () =>
      clusters.flatMap((from) => {
        const now = from.mesh.now();
        const live = [...from.leaves].filter(([, { until }]) => now < until);
        return clusters.flatMap(({ name, mesh }) =>
          live.flatMap(([, { chain }]) => brokenPods(mesh, chain).map((why) => `${from.name} -> ${name}: ${why}`)),
        );
      }),
  };
}

function caCertificates({ api }: PlayedMesh): readonly string[] {
  const signed = api.list('certificaterequests').map(({ status }) => status?.certificate ?? '');
  return [
    ...api.list('secrets', 'cert-manager').flatMap(({ tls }) => blocks(tls?.cert ?? '')),
    ...signed.flatMap((text) => blocks(Buffer.from(text, 'base64').toString())),
  ];
}

function isAnchor({ metadata }: AnyObject): boolean {
  return anchorNames().includes(metadata.name);
}

function passIn(mesh: PlayedMesh, ms: number, isIssuing: boolean): void {
  mesh.away.delete('cert-manager');
  if (!isIssuing) mesh.away.add('cert-manager');
  mesh.pass(ms);
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
