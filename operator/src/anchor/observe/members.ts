import type { AnchorKey } from '../../../api/anchor/chain';
import type { ObservedMember } from '../../../api/anchor/observed';
import type { Told } from '../../../api/anchor/plan';
import { MEMBER_CONFIG_MAP, MOST_MEMBERS, TRUST_ROOTS_KEY } from '../../../api/trust-anchor';
import { type KnownCertificate, knownCertificates } from '../../pki/known-certificate';
import type { ConfigMap } from '../objects/trust-anchor';

/** The data of the ConfigMap with which a cluster reports to others that share its anchor. */
export interface MemberData {
  readonly cluster: string;
  /** Keys of the anchors that sign there, or may, one on each line. */
  readonly signing: string;
  /** Keys of the anchors that all pods there know, one on each line. */
  readonly adopted: string;
  /** PEM of the anchors, for the bundles of the others. */
  readonly [TRUST_ROOTS_KEY]: string;
}

/** Maximum number of characters of certificates to read for one cluster: a rotation has two. */
const MOST_PEM = 16 * 1024;

/**
 * Maximum number of characters of certificates that all other clusters add to the bundle. Proxies get it in an
 * environment variable, and Linux starts no process with one of 128 KiB.
 */
const MOST_OF_ALL = 96 * 1024;

/** Maximum number of keys to read of signers in one cluster: a rotation has two, and a few leftovers. */
const MOST_SIGNING = 32;

/** Maximum number of keys to read that pods of one cluster know: two of each other cluster, and a few leftovers. */
const MOST_ADOPTED = 2 * MOST_MEMBERS + MOST_SIGNING;

/**
 * Reads the reports of other clusters. If two have the same name, neither is trusted: the cluster has adopted only what
 * both have, and signs with what either does.
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
 * Returns the certificates of the anchors with which other clusters sign, as many as fit into a bundle together with
 * this cluster's: a report must keep no pod from starting. An omitted one keeps old anchors from being retired.
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

/** Reads the report of one cluster; undefined if it is invalid. */
export function memberOf(data: Readonly<Record<string, string>> | undefined): ObservedMember | undefined {
  const { cluster, signing, adopted } = data ?? {};
  if (cluster === undefined || !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(cluster)) return undefined;
  const [signs, knows] = [keysOf(signing, MOST_SIGNING), keysOf(adopted, MOST_ADOPTED)];
  // A cluster without known signers may sign with anything.
  if (signs === undefined || knows === undefined || signs.length === 0) return undefined;
  const roots = rootsOf(data ?? {}).map(({ key }) => key);
  return { name: cluster, signing: signs, adopted: knows, roots };
}

function keysOf(text: string | undefined, most: number): readonly string[] | undefined {
  if (text === undefined || text.length > most * 80) return undefined;
  const keys = text.split(/\s+/).filter((key) => key !== '');
  return keys.length <= most && keys.every((key) => /^[0-9a-f]{64}$/.test(key)) ? keys : undefined;
}

/** Returns the data of this cluster's report. */
export function memberData(cluster: string, { signing, adopted }: Told, pemOf: (key: AnchorKey) => string): MemberData {
  return {
    cluster,
    signing: lines(signing),
    adopted: lines(adopted.slice(0, MOST_ADOPTED)),
    // Other clusters include the certificates of their own signers.
    [TRUST_ROOTS_KEY]: signing.toSorted().map(pemOf).join(''),
  };
}

function lines(keys: readonly AnchorKey[]): string {
  return keys.join('\n');
}
