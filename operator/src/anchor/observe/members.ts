import type { AnchorKey } from '../../../api/anchor/chain';
import type { ObservedMember } from '../../../api/anchor/observed';
import type { Told } from '../../../api/anchor/plan';
import { MEMBER_CONFIG_MAP, MOST_MEMBERS, TRUST_ROOTS_KEY } from '../../../api/trust-anchor';
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
  readonly [TRUST_ROOTS_KEY]: string;
}

/** The most characters of certificates that are read of one cluster: a rotation has two. */
const MOST_PEM = 16 * 1024;

/**
 * The most characters of certificates that all other clusters bring into the bundle. Proxies are given it in an environment
 * variable, and Linux starts no process with one of 128 KiB.
 */
const MOST_OF_ALL = 96 * 1024;

/** Keys that are read of those that sign in one cluster: a rotation has two, and a few that are left. */
const MOST_SIGNING = 32;

/** Keys that are read of those that pods of one cluster know: two of each other, and a few that are left. */
const MOST_ADOPTED = 2 * MOST_MEMBERS + MOST_SIGNING;

/**
 * Reads what other clusters tell. Of two that call themselves alike, nobody knows which one to believe: it has adopted
 * only what both have, and signs with whatever either signs with.
 */
export function observeMembers(configMaps: readonly ConfigMap[], sharing: Sharing): readonly ObservedMember[] {
  const told = toldBy(configMaps, sharing).flatMap(({ data }) => memberOf(data) ?? []);
  const brought = new Set(memberCertificates(configMaps, sharing).map(({ key }) => key));
  return [...Map.groupBy(told, ({ name }) => name)].slice(0, MOST_MEMBERS).map(([name, all]) => ({
    name,
    signing: [...new Set(all.flatMap(({ signing }) => signing))],
    roots: [...new Set(all.flatMap(({ roots = [] }) => roots))].filter((key) => brought.has(key)),
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

/**
 * The certificates of the anchors that other clusters sign with, as many as a bundle can hold beside those of here: what
 * one tells must keep no pod from starting. That of who is left out keeps old anchors from being retired.
 */
export function memberCertificates(configMaps: readonly ConfigMap[], sharing: Sharing): readonly KnownCertificate[] {
  const told = toldBy(configMaps, sharing).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  let room = MOST_OF_ALL;
  return [...new Set(told.flatMap(({ data = {} }) => rootsOf(data)))].filter(({ pem }) => {
    if (pem.length > room) return false;
    room -= pem.length;
    return true;
  });
}

function rootsOf(data: Readonly<Record<string, string>>): readonly KnownCertificate[] {
  const pem = data[TRUST_ROOTS_KEY] ?? '';
  const signing = keysOf(data.signing, MOST_SIGNING) ?? [];
  return pem.length > MOST_PEM
    ? []
    : knownCertificates(pem).filter(({ key, x509 }) => x509.ca && signing.includes(key));
}

/** Reads what one cluster tells; undefined where it is not what clusters tell. */
export function memberOf(data: Readonly<Record<string, string>> | undefined): ObservedMember | undefined {
  const { cluster, signing, adopted } = data ?? {};
  if (cluster === undefined || !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(cluster)) return undefined;
  const [signs, knows] = [keysOf(signing, MOST_SIGNING), keysOf(adopted, MOST_ADOPTED)];
  // Whoever signs with nothing known may sign with anything.
  if (signs === undefined || knows === undefined || signs.length === 0) return undefined;
  const roots = rootsOf(data ?? {}).map(({ key }) => key);
  return { name: cluster, signing: signs, adopted: knows, roots };
}

function keysOf(text: string | undefined, most: number): readonly string[] | undefined {
  if (text === undefined || text.length > most * 80) return undefined;
  const keys = text.split(/\s+/).filter((key) => key !== '');
  return keys.length <= most && keys.every((key) => /^[0-9a-f]{64}$/.test(key)) ? keys : undefined;
}

/** The data by which this cluster tells the others. */
export function memberData(cluster: string, { signing, adopted }: Told, pemOf: (key: AnchorKey) => string): MemberData {
  return {
    cluster,
    signing: lines(signing),
    adopted: lines(adopted.slice(0, MOST_ADOPTED)),
    // Those that others sign by, they bring themselves.
    [TRUST_ROOTS_KEY]: signing.toSorted().map(pemOf).join(''),
  };
}

function lines(keys: readonly AnchorKey[]): string {
  return keys.join('\n');
}
