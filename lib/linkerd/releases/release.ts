import { type Injector, injectorOf } from '../../../operator/api/injection/injector';
import { checkImageTag } from '../../../operator/api/injection/text-forms';
import { describeProblem, type Problem } from '../../kubernetes/findings/problem';
import { isObject } from '../../kubernetes/select-fields';
import { showValue } from '../../kubernetes/value-path';
import { LINKERD_FINDINGS } from '../findings';
import type { LinkerdCharts } from './charts';
import { type ConformanceRecord, chartsUnproven } from './conformance-record';
import { ALIASES, RELEASES } from './known-releases';
import { chartsOf, type ReleaseFacts, type ReleaseGroups, releaseFacts } from './release-facts';

/** The Linkerd releases that are known by name, and the minor versions that stand for the release that announced them. */
export type LinkerdVersion = (typeof RELEASES)[number][0] | keyof typeof ALIASES;

/** The minor versions of Linkerd that releases belong to. */
export type LinkerdLine = (typeof RELEASES)[number][2];

/**
 * The release that is installed unless told otherwise: the newest one known. Its type is that of all releases, so that
 * declarations that are made with one version of the library fit the next.
 */
export const DEFAULT_LINKERD_VERSION: LinkerdVersion = RELEASES[0][0];

/** All names by which a release can be chosen, the newest first. */
export const LINKERD_VERSIONS: readonly LinkerdVersion[] = [
  ...RELEASES.map(([version]) => version),
  ...(Object.keys(ALIASES) as (keyof typeof ALIASES)[]),
];

/** The differences of a release that the library does not know from one that it does. */
export interface ReleaseLikeOptions {
  /**
   * Version of the proxies' image, where it is not that of the release.
   *
   * @default - that of the release
   */
  readonly proxyVersion?: string;

  /**
   * The record that `npm run conformance -- --chart DIR --record FILE` made of the release's charts. As long as it does
   * not tell that all of them are rendered as those of the known release, there is a warning.
   *
   * @default - nobody has compared them
   */
  readonly conformance?: ConformanceRecord;
}

/** A release of Linkerd: one that is known, or one that is taken for a known one. */
export class Release<V extends LinkerdVersion = LinkerdVersion> {
  /**
   * A release that the library does not know, on your word that its charts are those of one that it does but for the
   * version: images and charts are of the new one, templates and values of the known.
   *
   * @example
   * new LinkerdMesh(home, 'mesh', { version: Release.like('edge-26.8.3', 'edge-26.9.1') });
   *
   * @param known release whose templates are taken
   * @param version of the release, by which its images are tagged
   * @throws RangeError where the first is not known, and where the second is, or is no version of an edge release
   */
  static like<V extends LinkerdVersion>(known: V, version: string, options: ReleaseLikeOptions = {}): Release<V> {
    const facts = knownFacts(known);
    // Code without types may give null.
    const given = options ?? {};
    const problems = checkReleaseLike(known, version, given);
    if (problems.length > 0) throw new RangeError(problems.map(describeProblem).join('\n'));
    return new Release(known, version, facts, given);
  }

  /** Its version, by which images are tagged: `edge-26.8.3`. */
  readonly version: string;
  /** The known release whose templates and values are its own. */
  readonly like: V;
  /** The minor version of Linkerd that it belongs to; of an edge release, the last one that was announced by then. */
  readonly line: LinkerdLine;
  /** Version of the image of its proxies; absent where it is that of the release. */
  readonly proxyVersion?: string | undefined;
  /** @internal */
  readonly charts: LinkerdCharts;
  /** @internal */
  readonly groups: ReleaseGroups;
  /** @internal */
  readonly unproven: readonly string[];

  private constructor(like: V, version: string, facts: ReleaseFacts, options: ReleaseLikeOptions = {}) {
    const isKnown = version === facts.version;
    this.version = version;
    this.like = like;
    this.line = facts.line;
    this.proxyVersion = options.proxyVersion;
    this.groups = facts;
    this.charts = isKnown ? facts.charts : chartsOf(version, facts);
    this.unproven = isKnown ? [] : chartsUnproven(version, facts.version, options.conformance);
    Object.freeze(this);
  }

  /**
   * The release of that name.
   *
   * @throws RangeError where it is none of those that are known: nothing can be built from it.
   *
   * @internal
   */
  static known<V extends LinkerdVersion>(name: V): Release<V> {
    const facts = knownFacts(name);
    return new Release(name, facts.version, facts);
  }
}

/** A release as it is given: by name, or as one that the library does not know. */
export type GivenRelease<V extends LinkerdVersion = LinkerdVersion> = V | Release<V>;

/** Returns a release as it was given. */
export function releaseOf<V extends LinkerdVersion>(given: GivenRelease<V>): Release<V> {
  return given instanceof Release ? given : Release.known(given);
}

/** Tells whether something looks like a release, but was not made by this class. */
function isCopy(given: unknown): given is { readonly version: string } {
  return (
    isObject(given) && typeof given.version === 'string' && typeof given.like === 'string' && isObject(given.charts)
  );
}

function knownFacts(name: LinkerdVersion): ReleaseFacts {
  const facts = typeof name === 'string' ? releaseFacts(name) : undefined;
  if (facts === undefined) throw new RangeError(describeProblem(unknownRelease(name)));
  return facts;
}

/** The names of edge releases, from which the versions of their charts follow. */
const EDGE = /^edge-[1-9]\d\.(?:[1-9]|1[0-2])\.[1-9]\d*$/;

/** Checks what Release.like is given. */
export function checkReleaseLike(
  known: LinkerdVersion,
  version: unknown,
  { proxyVersion }: Pick<ReleaseLikeOptions, 'proxyVersion'>,
): readonly Problem[] {
  return [...checkKnown(knownFacts(known)), ...checkNewVersion(version), ...checkProxyVersion(proxyVersion)];
}

/** Checks that a release can stand for later ones: a stable one has charts, values and tracing that no edge has. */
function checkKnown({ version }: ReleaseFacts): readonly Problem[] {
  if (EDGE.test(version)) return [];
  return [LINKERD_FINDINGS.releaseLikeRefusedStable({ version, example: DEFAULT_LINKERD_VERSION })];
}

function checkNewVersion(version: unknown): readonly Problem[] {
  if (typeof version !== 'string' || !EDGE.test(version)) {
    return [LINKERD_FINDINGS.releaseLikeRefusedName({ version: showValue(version) })];
  }
  if (releaseFacts(version) === undefined) return [];
  return [LINKERD_FINDINGS.releaseLikeRefusedKnown({ version })];
}

function checkProxyVersion(version: unknown): readonly Problem[] {
  if (version === undefined) return [];
  if (typeof version === 'string') return checkImageTag('proxyVersion', version);
  return [LINKERD_FINDINGS.releaseLikeRefusedProxyVersion({ value: showValue(version) })];
}

function unknownRelease(name: unknown): Problem {
  if (isCopy(name)) {
    return LINKERD_FINDINGS.versionUnknownCopy({ version: String(name.version) });
  }
  return LINKERD_FINDINGS.versionUnknown({
    product: 'Linkerd',
    version: showValue(name),
    known: `${LINKERD_VERSIONS.map((known) => `'${known}'`).join(', ')}; a newer one can be taken for a known one by Release.like`,
  });
}

/** Returns the proxy injector of a release: that of the known one which it is, or is taken for. */
export function releaseInjector({ like }: Release): Injector {
  return injectorOf(releaseFacts(like)?.version);
}
