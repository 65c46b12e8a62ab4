import type { AnchorKey } from '#anchor/chain';
import { MAX_VOUCHINGS, type Vouching } from '#anchor/memory';
import type { MemberRequest, ObservedAnchor, ObservedMember } from '#anchor/observed';
import type { MemberReport } from '#anchor/plan';
import { MAX_COMPROMISED, MAX_MEMBERS, MEMBER_CONFIG_MAP, TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import { type KnownCertificate, knownCertificates, knownRequest } from '../../pki/known-certificate';
import type { ConfigMap } from '../objects/trust-anchor';

/** The data of the ConfigMap with which a cluster reports to others that share its anchor. */
export type MemberData = {
  readonly cluster: string;
  /** Keys of the anchors that sign, or may sign, in that cluster, one per line. */
  readonly signing: string;
  /** Keys of the anchors that all pods of that cluster trust, one per line. */
  readonly adopted: string;
  /** PEM of the anchors that sign or certify, for the bundles of other clusters. */
  readonly [TRUST_ROOTS_KEY]: string;
  /** Key of the anchor with which it certifies other clusters' anchors; absent if it certifies none. */
  readonly certifier?: string;
  /** Keys of its anchors to which other clusters' certificates may chain, one per line. */
  readonly holds?: string;
  /** Keys of other clusters' anchors to which its certificates may chain (`certifiers`), or all do (`certified`). */
  readonly certifiers?: string;
  readonly certified?: string;
  /** `true` if each of its certificates chains to one of the certifiers. */
  readonly covered?: string;
  /** The request for a certificate of its anchor, PEM. */
  readonly request?: string;
  /** Leaked keys of its anchors, one per line. */
  readonly compromised?: string;
  /** Leaked keys that none of its pods trusts any more, one per line. */
  readonly distrusts?: string;
  /** Certifications among its anchors: the key of the certified anchor and of its signer, one pair per line. */
  readonly vouched?: string;
  /** PEM of the certificates for others, each under `certificate.<cluster>`. */
  readonly [certificate: `certificate.${string}`]: string;
};

/** The keys of a report, without the certificates for others. */
export const MEMBER_KEYS = Object.keys({
  cluster: true,
  signing: true,
  adopted: true,
  [TRUST_ROOTS_KEY]: true,
  certifier: true,
  holds: true,
  certifiers: true,
  certified: true,
  covered: true,
  request: true,
  compromised: true,
  distrusts: true,
  vouched: true,
} satisfies Record<Exclude<keyof MemberData, `certificate.${string}`>, true>);

/** Maximum number of characters to read of a request: one of RSA 4096 has some 2,000. */
const MAX_REQUEST_LENGTH = 8_192;

/** Maximum number of characters of certificates to read for one cluster: a rotation has two. */
const MAX_PEM = 16 * 1024;

/**
 * Maximum number of characters of certificates that all other clusters add to the bundle. Proxies get it in an
 * environment variable, and Linux starts no process with one of 128 KiB.
 */
const MAX_OF_ALL = 96 * 1024;

/** Maximum number of keys to read of signers in one cluster: a rotation has two, and a few leftovers. */
const MAX_SIGNING = 32;

/** Maximum number of keys to read that pods of one cluster trust: two of each other cluster, and a few leftovers. */
const MAX_ADOPTED = 2 * MAX_MEMBERS + MAX_SIGNING;

/** Maximum number of leaked keys to read: those in a policy, and those of the anchors that certified them. */
const MAX_REPORTED_LEAKS = 2 * MAX_COMPROMISED;

/**
 * Reads the reports of other clusters. If two have the same name, neither is trusted alone: an anchor counts as adopted
 * if both name it, and as a signer if either does.
 */
export function observeMembers(
  configMaps: readonly ConfigMap[],
  sharing: Sharing,
  known: readonly KnownCertificate[] = [],
  anchors: readonly Pick<ObservedAnchor, 'certificate'>[] = [],
): readonly ObservedMember[] {
  const reports = reportsIn(configMaps, sharing);
  const own = new Set(anchors.map(({ certificate }) => certificate?.key));
  const signers = Map.groupBy(
    reports.flatMap(({ member: { name, signing } }) => signing.map((key) => ({ key, name }))),
    ({ key }) => key,
  );
  const members = reports.map(({ member, data }) => {
    // A request may have the subject of an earlier anchor of the same member, whose key was lost.
    const isOfOthers = (key: AnchorKey): boolean =>
      own.has(key) || signers.get(key)?.some(({ name }) => name !== member.name) === true;
    return { ...member, ...certificationOf(data, known, isOfOthers) };
  });
  const brought = new Set(memberCertificates(configMaps, sharing).map(({ key }) => key));
  return [...Map.groupBy(members, ({ name }) => name)].slice(0, MAX_MEMBERS).map(([name, all]) => ({
    name,
    signing: [...new Set(all.flatMap(({ signing }) => signing))],
    roots: [...new Set(all.flatMap(({ roots = [] }) => roots))].filter((key) => brought.has(key)),
    adopted: (all[0]?.adopted ?? []).filter((key) => all.every(({ adopted }) => adopted.includes(key))),
    ...certificationOfAll(all),
    ...leaksOfAll(all),
    ...(all.length === 1 && all[0]?.updated !== undefined && { updated: all[0].updated }),
  }));
}

type Leaks = Pick<ObservedMember, 'compromised' | 'distrusts' | 'vouched'>;

/** One of two reports of the same name may be forged: leaks count if both name them, certifications if either does. */
function leaksOfAll(all: readonly ObservedMember[]): Leaks {
  const both = (part: 'compromised' | 'distrusts') =>
    all[0]?.[part]?.filter((key) => all.every((one) => one[part]?.includes(key)));
  return givenLeaks({
    compromised: both('compromised'),
    distrusts: both('distrusts'),
    vouched: all.flatMap(({ vouched = [] }) => vouched),
  });
}

function givenLeaks({
  compromised = [],
  distrusts = [],
  vouched = [],
}: { readonly [Part in keyof Leaks]: Leaks[Part] | undefined }): Leaks {
  return {
    ...(compromised.length > 0 && { compromised }),
    ...(distrusts.length > 0 && { distrusts }),
    ...(vouched.length > 0 && { vouched }),
  };
}

type Certification = Pick<ObservedMember, 'certifier' | 'certifiers' | 'certified' | 'isCovered' | 'request'>;

/** Two reports of the same name prove no certification, but certificates may depend on any certifier in them. */
function certificationOfAll(all: readonly ObservedMember[]): Certification {
  const [one, ...others] = all;
  const { certifier, certifiers, certified, isCovered, request } = one ?? {};
  const may = [...new Set(all.flatMap((member) => member.certifiers ?? []))];
  if (others.length > 0) return may.length === 0 ? {} : { certifiers: may };
  return {
    ...(certifier !== undefined && { certifier }),
    ...(certifiers !== undefined && { certifiers }),
    ...(certified !== undefined && { certified }),
    ...(isCovered && { isCovered }),
    ...(request !== undefined && { request }),
  };
}

function certificationOf(
  { certifier, certifiers, certified, covered, request }: ReportData,
  known: readonly KnownCertificate[],
  isOfOthers: (key: AnchorKey) => boolean,
): Certification {
  const [by] = keysOf(certifier, 1) ?? [];
  const [may, all] = [keysOf(certifiers, MAX_SIGNING), keysOf(certified, MAX_SIGNING)];
  const asks = request === undefined ? undefined : memberRequest(request, known, isOfOthers);
  return {
    ...(by !== undefined && { certifier: by }),
    ...(may !== undefined && { certifiers: may }),
    ...(all !== undefined && { certified: all }),
    ...(covered === 'true' && { isCovered: true }),
    ...(asks !== undefined && { request: asks }),
  };
}

function memberRequest(
  pem: string,
  known: readonly KnownCertificate[],
  isOfOthers: (key: AnchorKey) => boolean,
): MemberRequest | undefined {
  const read = pem.length > MAX_REQUEST_LENGTH ? undefined : knownRequest(pem);
  if (read === undefined) return undefined;
  const { key, isKeySupported, permits, limitsUris } = read;
  const subject = known.find((one) => one.key === key)?.subject ?? '';
  const isNamesake = known.some((one) => one.key !== key && one.subject === subject && isOfOthers(one.key));
  return {
    key,
    subject,
    isKeySupported,
    ...(isNamesake && { isNamesake }),
    ...(permits && { permits }),
    ...(limitsUris && { limitsUris }),
  };
}

function reportsOf(cluster: string, configMaps: readonly ConfigMap[]): readonly ReportData[] {
  return reportsIn(configMaps, { cluster: undefined, members: [cluster] }).map(({ data }) => data);
}

/** Returns the request of another cluster, PEM; undefined if it has none that is valid, or more than one report. */
export function memberRequestPem(cluster: string, configMaps: readonly ConfigMap[]): string | undefined {
  const [report, ...others] = reportsOf(cluster, configMaps);
  const { request = '' } = report ?? {};
  return others.length > 0 || request.length > MAX_REQUEST_LENGTH ? undefined : knownRequest(request)?.pem;
}

/** Returns the certificates that another cluster issued for this one, PEM. */
export function memberAnswers(member: string, cluster: string, configMaps: readonly ConfigMap[]): readonly string[] {
  return reportsOf(member, configMaps)
    .map((report) => report[`certificate.${cluster}`] ?? '')
    .filter((pem) => pem.trim() !== '');
}

interface Sharing {
  readonly cluster: string | undefined;
  readonly members: readonly string[];
}

type ReportData = Readonly<Record<string, string>>;

interface Report {
  readonly name: string;
  readonly data: ReportData;
  readonly member: ObservedMember;
}

function reportsIn(configMaps: readonly ConfigMap[], { cluster, members }: Sharing): readonly Report[] {
  return configMaps.flatMap(({ metadata: { name }, data = {} }) => {
    const member = name === MEMBER_CONFIG_MAP ? undefined : memberOf(data);
    if (member === undefined || member.name === cluster || !members.includes(member.name)) return [];
    return [{ name, data, member }];
  });
}

/**
 * Returns the certificates of the anchors with which other clusters sign, as many as fit into a bundle together with
 * this cluster's: with a larger bundle, pods would not start. While one is omitted, old anchors are not retired.
 */
export function memberCertificates(configMaps: readonly ConfigMap[], sharing: Sharing): readonly KnownCertificate[] {
  const reports = reportsIn(configMaps, sharing).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  let room = MAX_OF_ALL;
  return [...new Set(reports.flatMap(({ data }) => rootsOf(data)))].filter(({ pem }) => {
    if (pem.length > room) return false;
    room -= pem.length;
    return true;
  });
}

function rootsOf(data: ReportData): readonly KnownCertificate[] {
  const pem = data[TRUST_ROOTS_KEY] ?? '';
  // A certifying anchor may no longer sign in its cluster, but other clusters' certificates chain to it.
  const given = [...(keysOf(data.signing, MAX_SIGNING) ?? []), ...(keysOf(data.holds, MAX_SIGNING) ?? [])];
  return pem.length > MAX_PEM ? [] : knownCertificates(pem).filter(({ key, x509 }) => x509.ca && given.includes(key));
}

/** Reads the report of one cluster; undefined if it is invalid. */
export function memberOf(data: ReportData | undefined): ObservedMember | undefined {
  const { cluster, signing, adopted } = data ?? {};
  if (cluster === undefined || !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(cluster)) return undefined;
  const [signs, knows] = [keysOf(signing, MAX_SIGNING), keysOf(adopted, MAX_ADOPTED)];
  // A cluster without known signers may sign with any anchor.
  if (signs === undefined || knows === undefined || signs.length === 0) return undefined;
  const roots = rootsOf(data ?? {}).map(({ key }) => key);
  // Unreadable lists count as absent.
  const leaks = givenLeaks({
    compromised: keysOf(data?.compromised, MAX_REPORTED_LEAKS),
    distrusts: keysOf(data?.distrusts, MAX_REPORTED_LEAKS),
    vouched: vouchingsOf(data?.vouched),
  });
  const updated = Date.parse(data?.updated ?? '');
  return {
    name: cluster,
    signing: signs,
    adopted: knows,
    roots,
    ...leaks,
    ...(Number.isFinite(updated) && { updated }),
  };
}

function vouchingsOf(text: string | undefined): readonly Vouching[] | undefined {
  const keys = keysOf(text, 2 * MAX_VOUCHINGS) ?? [];
  return keys.flatMap((key, index) => {
    const by = index % 2 === 0 ? keys[index + 1] : undefined;
    return by === undefined ? [] : [{ key, by }];
  });
}

function keysOf(text: string | undefined, most: number): readonly string[] | undefined {
  if (text === undefined || text.length > most * 80) return undefined;
  const keys = text.split(/\s+/).filter((key) => key !== '');
  return keys.length <= most && keys.every((key) => /^[0-9a-f]{64}$/.test(key)) ? keys : undefined;
}

/** The certificates and the request in a report, PEM. */
interface Certificates {
  readonly request?: string;
  /** By cluster. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** Returns the data of this cluster's report. */
export function memberData(
  cluster: string,
  {
    signing,
    adopted,
    certifier,
    holds = [],
    certifiers,
    certified,
    isCovered,
    compromised,
    distrusts,
    vouched,
  }: MemberReport,
  pemOf: (key: AnchorKey) => string,
  { request, answers = {} }: Certificates = {},
): MemberData {
  return {
    cluster,
    signing: lines(signing),
    adopted: lines(adopted.slice(0, MAX_ADOPTED)),
    // Other clusters include the certificates of their own signers.
    [TRUST_ROOTS_KEY]: [...new Set([...signing, ...holds])].toSorted().map(pemOf).join(''),
    ...(certifier !== undefined && { certifier, holds: lines(holds) }),
    ...(certifiers !== undefined && { certifiers: lines(certifiers) }),
    ...(certified !== undefined && { certified: lines(certified) }),
    ...(isCovered && { covered: 'true' }),
    ...(compromised && { compromised: lines(compromised.slice(0, MAX_REPORTED_LEAKS)) }),
    ...(distrusts && { distrusts: lines(distrusts.slice(0, MAX_REPORTED_LEAKS)) }),
    ...(vouched && { vouched: lines(vouched.slice(0, MAX_VOUCHINGS).map(({ key, by }) => `${key} ${by}`)) }),
    ...(request !== undefined && { request }),
    ...Object.fromEntries(Object.entries(answers).map(([name, pem]) => [`certificate.${name}`, pem])),
  };
}

function lines(keys: readonly AnchorKey[]): string {
  return keys.join('\n');
}
