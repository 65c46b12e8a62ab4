import { domainOf, type LinkedWorld, specsOf, type Walked, type Walker } from '#anchor/check/linked/walk';
import { pick, seededRandom } from '#anchor/check/random';
import { anchorNames, MEMBER_CONFIG_MAP, MEMBER_LABEL, memberCopyName } from '#anchor/trust-anchor';
import type { Condition } from '#base/conditions';
import { MINUTE } from '#base/time-units';
import { copiedReport } from '#operator/src/exchange/copied-report';
import { knownCertificates } from '#operator/src/pki/known-certificate';
import { issueCertificate } from '../../cluster/certificates';
import type { AnyObject } from './memory-api';
import { blocks } from './played-cert-manager';
import { brokenPods, condition, issuerChain, type PlayedMesh, playedMesh } from './played-mesh';

/** How long a proxy's certificate can be in use: the lifetime and the clock skew of played meshes. */
const LEAF_MS = 5 * MINUTE + 1_000;

/** A linked cluster with real objects and certificates, driven by the operator's own code. */
interface Linked extends Walker {
  readonly mesh: PlayedMesh;
  /** The issuer chains under which it issued, and until when their leaves can be in use. */
  readonly leaves: Map<string, { readonly chain: readonly string[]; readonly until: number }>;
}

/** A leaked key, and a CA that the attacker signed with it. */
interface Leaked {
  readonly key: string;
  readonly issuer: string;
}

/** The attacker's material: leaked keys, and each CA certificate that ever existed, for any chain. */
interface Attack {
  readonly leaked: Leaked[];
  readonly made: Set<string>;
}

/** Simulates the clusters of a world with equal clocks. The seed chooses the lifetime of each cluster's pods. */
export function linkedMeshes(world: LinkedWorld, seed: number): Walked<Linked> {
  const random = seededRandom(seed);
  const attack: Attack = { leaked: [], made: new Set() };
  const specs = specsOf({ ...world, clocksApartMs: 0 });
  const clusters = world.clusters.map((name): Linked => {
    const mesh = playedMesh(specs.get(name), (pick(random, world.podMinutes) ?? 1) * MINUTE);
    return linked(name, mesh, attack);
  });
  return {
    clusters,
    copy,
    refusals: () =>
      clusters.flatMap((from) => {
        const now = from.mesh.now();
        const live = [...from.leaves].filter(([, { until }]) => now < until);
        return clusters.flatMap(({ name, mesh }) =>
          live.flatMap(([, { chain }]) => brokenPods(mesh, chain).map((why) => `${from.name} -> ${name}: ${why}`)),
        );
      }),
    deceived: (keys) =>
      clusters
        .filter(({ mesh }) =>
          attack.leaked
            .filter(({ key }) => keys.includes(key))
            .some(({ issuer }) => brokenPods(mesh, [issuer, ...attack.made]).length < mesh.pods().length),
        )
        .map(({ name }) => `pods of ${name} accept its owner`),
    faults: () => [],
  };
}

function copy(from: Linked, to: Linked): void {
  const { name } = from;
  const report = from.mesh.api.find('configmaps', `cert-manager/${MEMBER_CONFIG_MAP}`);
  const at = `cert-manager/${memberCopyName(name)}`;
  const before = to.mesh.api.find('configmaps', at)?.data;
  const copied = copiedReport(report?.data, { cluster: to.name, member: name }, before);
  if (!('data' in copied)) return;
  to.mesh.api.remove('configmaps', at);
  to.mesh.api.put('configmaps', {
    metadata: { name: memberCopyName(name), namespace: 'cert-manager', labels: { [MEMBER_LABEL]: name } },
    data: copied.data,
  });
}

function linked(name: string, mesh: PlayedMesh, attack: Attack): Linked {
  const { api } = mesh;
  const leaves: Linked['leaves'] = new Map();
  let operator = mesh.operator();
  const namedKeys = (): readonly string[] => api.find('trustanchors', 'linkerd')?.spec.compromised ?? [];
  return {
    name,
    mesh,
    leaves,
    pass: (ms, isIssuing) => passIn(mesh, ms, isIssuing),
    look: async (left) => {
      // The operator was killed. A new process continues from the cluster's state.
      if (left !== undefined) operator = mesh.operator();
      try {
        await operator.look();
      } catch {
        operator = mesh.operator();
      }
      const chain = issuerChain(api);
      for (const pem of caCertificates(mesh)) attack.made.add(pem);
      if (chain.length > 0) leaves.set(chain.join(''), { chain, until: mesh.now() + LEAF_MS });
    },
    spec: (change) => mesh.spec(change),
    loseSecret: (random) => {
      const lost = pick(random, api.list('secrets', 'cert-manager'))?.metadata.name;
      if (lost !== undefined) api.remove('secrets', `cert-manager/${lost}`);
    },
    leak: (random) => {
      const leaked = leakedKey(mesh, pick(random, api.list('secrets', 'cert-manager').filter(isAnchor)));
      if (leaked !== undefined) attack.leaked.push(leaked);
      return leaked?.key;
    },
    named: namedKeys,
    condition: (type) => condition(mesh, type) as Partial<Condition>,
    isStable: () => mesh.status().phase === 'Stable' && mesh.status().memory?.rotation === undefined,
  };
}

function leakedKey(mesh: PlayedMesh, secret: AnyObject | undefined): Leaked | undefined {
  const [cert] = blocks(secret?.tls.cert ?? '');
  const [known] = cert === undefined ? [] : knownCertificates(cert);
  if (secret === undefined || cert === undefined || known === undefined) return undefined;
  const { cert: issuer } = issueCertificate({
    commonName: domainOf('attacker'),
    ca: true,
    issuer: { cert, key: secret.tls.key },
    notBefore: new Date(mesh.now() - MINUTE),
    notAfter: new Date(mesh.now() + 1_000_000 * MINUTE),
  });
  return { key: known.key, issuer };
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
