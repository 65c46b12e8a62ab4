import { laggardsOf } from '../../../api/anchor/knowledge';
import type { ObservedMember, ObservedTrust } from '../../../api/anchor/observed';
import type { AnchorPlan } from '../../../api/anchor/plan';
import { BUNDLED_KEY, MEMBER_CONFIG_MAP, MOST_MEMBERS } from '../../../api/trust-anchor';
import { type KnownCertificate, knownCertificates } from '../../pki/known-certificate';
import type { ConfigMap } from '../objects/trust-anchor';

/** The data of the ConfigMap by which a cluster tells others that share its anchor how far it is. */
export interface MemberData {
  readonly cluster: string;
  /** Keys of the anchors that sign there, or may, one on each line. */
  readonly signing: string;
  /** Keys of the anchors that all pods there know, one on each line. */
  readonly adopted: string;
  /** PEM of the anchors, for the bundles of the others. */
  readonly [BUNDLED_KEY]: string;
}

/** The most characters of certificates that are read of one cluster: those of as many anchors as it may name. */
const MOST_PEM = 64 * 1024;

/** Keys that are read of one list: a rotation has two, and a few that are left. */
const MOST_KEYS = 32;

/**
 * Reads what other clusters tell. Of two that call themselves alike, nobody knows which one to believe: it has adopted
 * only what both have, and signs with whatever either signs with.
 */
export function observeMembers(configMaps: readonly ConfigMap[], sharing: Sharing): readonly ObservedMember[] {
  const told = toldBy(configMaps, sharing).flatMap(({ data }) => memberOf(data) ?? []);
  return [...Map.groupBy(told, ({ name }) => name)].slice(0, MOST_MEMBERS).map(([name, all]) => ({
    name,
    signing: [...new Set(all.flatMap(({ signing }) => signing))],
    roots: [...new Set(all.flatMap(({ roots = [] }) => roots))],
    adopted: (all[0]?.adopted ?? []).filter((key) => all.every(({ adopted }) => adopted.includes(key))),
  }));
}

/** This cluster, and those that share its anchor. */
interface Sharing {
  readonly cluster: string | undefined;
  readonly members: readonly string[];
}

function toldBy(configMaps: readonly ConfigMap[], { cluster, members }: Sharing): readonly ConfigMap[] {
  return configMaps.filter(({ metadata, data }) => {
    const name = metadata.name === MEMBER_CONFIG_MAP ? undefined : memberOf(data)?.name;
    return name !== undefined && name !== cluster && members.includes(name);
  });
}

/** The certificates of the anchors that other clusters sign with. */
export function memberCertificates(configMaps: readonly ConfigMap[], sharing: Sharing): readonly KnownCertificate[] {
  return toldBy(configMaps, sharing).flatMap(({ data = {} }) => rootsOf(data));
}

function rootsOf(data: Readonly<Record<string, string>>): readonly KnownCertificate[] {
  const pem = data[BUNDLED_KEY] ?? '';
  const signing = keysOf(data.signing) ?? [];
  return pem.length > MOST_PEM
    ? []
    : knownCertificates(pem).filter(({ key, x509 }) => x509.ca && signing.includes(key));
}

/** Reads what one cluster tells; undefined where it is not what clusters tell. */
export function memberOf(data: Readonly<Record<string, string>> | undefined): ObservedMember | undefined {
  const { cluster, signing, adopted } = data ?? {};
  if (cluster === undefined || !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(cluster)) return undefined;
  const [signs, knows] = [keysOf(signing), keysOf(adopted)];
  // Whoever signs with nothing known may sign with anything.
  if (signs === undefined || knows === undefined || signs.length === 0) return undefined;
  const roots = rootsOf(data ?? {}).map(({ key }) => key);
  return { name: cluster, signing: signs, adopted: knows, roots };
}

function keysOf(text: string | undefined): readonly string[] | undefined {
  if (text === undefined || text.length > MOST_KEYS * 80) return undefined;
  const keys = text.split(/\s+/).filter((key) => key !== '');
  return keys.length <= MOST_KEYS && keys.every((key) => /^[0-9a-f]{64}$/.test(key)) ? keys : undefined;
}

/**
 * The data by which this cluster tells the others. As long as a leaf of the old anchor may live, it signs with that, too; and with
 * the new one from when it may.
 */
export function memberData(
  cluster: string,
  observed: ObservedTrust,
  plan: AnchorPlan,
  pems: readonly string[],
): MemberData {
  const { rotation, bundles } = plan.memory;
  const hasTurned = plan.milestones.some(({ type, status }) => type === 'LeavesTurned' && status);
  const pointed = observed.anchors.find(({ generation }) => generation === observed.signer);
  const isReturning = rotation?.aborting === true && rotation.signing !== undefined;
  const signing = [
    observed.issuer.chain?.signer,
    pointed?.certificate?.key,
    ...(hasTurned && !isReturning ? [] : [rotation?.from]),
    ...(isReturning ? [rotation.key] : []),
  ];
  const keys = [...new Set(bundles.at(-1)?.keys)].slice(0, MOST_KEYS);
  const isSettled = (key: string): boolean =>
    key !== rotation?.key || plan.milestones.some(({ type, status }) => type === 'Adopted' && status);
  const adopted = keys.filter(
    (key) => isSettled(key) && laggardsOf(observed.pods, [key], bundles, observed.policy).pods === 0,
  );
  return {
    cluster,
    signing: lines(signing),
    adopted: lines(adopted),
    [BUNDLED_KEY]: [...pems].join(''),
  };
}

function lines(keys: readonly (string | undefined)[]): string {
  return [...new Set(keys)].flatMap((key) => key ?? []).join('\n');
}
