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

/** The known Linkerd releases by name, and the minor versions as aliases of the releases that announced them. */
export type LinkerdVersion = (typeof RELEASES)[number][0] | keyof typeof ALIASES;

/** The minor versions of Linkerd. */
export type LinkerdLine = (typeof RELEASES)[number][2];

/**
 * The default release: the newest known one. Its type is that of all releases, so that declarations compiled with one
 * version of the library fit the next.
 */
export const DEFAULT_LINKERD_VERSION: LinkerdVersion = RELEASES[0][0];

/** All names of releases, newest first. */
export const LINKERD_VERSIONS: readonly LinkerdVersion[] = [
  ...RELEASES.map(([version]) => version),
  ...(Object.keys(ALIASES) as (keyof typeof ALIASES)[]),
];

/** The differences between an unknown release and a known one. */
export interface ReleaseLikeOptions {
  /**
   * Version of the proxies' image, if different from the release.
   *
   * @default - that of the release
   */
  readonly proxyVersion?: string;

  /**
   * The record of `npm run conformance -- --chart DIR --record FILE` for the release's charts. There is a warning
   * unless it proves that all of them render like those of the known release.
   *
   * @default - not compared
   */
  readonly conformance?: ConformanceRecord;
}

/** A release of Linkerd: a known one, or one with the templates of a known one. */
export class Release<V extends LinkerdVersion = LinkerdVersion> {
  /**
   * Returns a release that the library does not know, which you declare to have the charts of a known one except for
   * the version: images and charts are those of the new one, templates and values those of the known one.
   *
   * @example new LinkerdMesh(home, 'mesh', { version: Release.like('edge-26.8.3', 'edge-26.9.1') });
   *
   * @param known release whose templates are used
   * @param version of the release, which tags its images
   * @throws RangeError if the first is unknown, and if the second is known, or is not a version of an edge release
   */
  static like<V extends LinkerdVersion>(known: V, version: string, options: ReleaseLikeOptions = {}): Release<V> {
    const facts = knownFacts(known);
    // Untyped code may pass null.
    const given = options ?? {};
    const problems = checkReleaseLike(known, version, given);
    if (problems.length > 0) throw new RangeError(problems.map(describeProblem).join('\n'));
    return new Release(known, version, facts, given);
  }

  /** Its version, which tags its images: `edge-26.8.3`. */
  readonly version: string;
  /** The known release whose templates and values it uses. */
  readonly like: V;
  /** Its minor version of Linkerd; for an edge release, the last one announced by then. */
  readonly line: LinkerdLine;
  /** Version of the image of its proxies; absent if it is that of the release. */
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
   * Returns the release of that name.
   *
   * @throws RangeError for an unknown release, which cannot be built.
   *
   * @internal
   */
  static known<V extends LinkerdVersion>(name: V): Release<V> {
    const facts = knownFacts(name);
    return new Release(name, facts.version, facts);
  }
}

/** A release by name, or one that the library does not know. */
export type GivenRelease<V extends LinkerdVersion = LinkerdVersion> = V | Release<V>;

/** Returns the release for a name, or a given release. */
export function releaseOf<V extends LinkerdVersion>(given: GivenRelease<V>): Release<V> {
  return given instanceof Release ? given : Release.known(given);
}

/** Whether a value looks like a release, but was created by another copy of this class. */
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

/** The names of edge releases, which determine the versions of their charts. */
const EDGE = /^edge-[1-9]\d\.(?:[1-9]|1[0-2])\.[1-9]\d*$/;

/** Checks the arguments of Release.like. */
export function checkReleaseLike(
  known: LinkerdVersion,
  version: unknown,
  { proxyVersion }: Pick<ReleaseLikeOptions, 'proxyVersion'>,
): readonly Problem[] {
  return [...checkKnown(knownFacts(known)), ...checkNewVersion(version), ...checkProxyVersion(proxyVersion)];
}

/**
 * Checks that a release can represent later ones: a stable one has charts, values and tracing that no edge release has.
 */
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
  return LINKERD_FINDINGS.versionUnknownLinkerd({
    version: showValue(name),
    known: LINKERD_VERSIONS.map((known) => `'${known}'`).join(', '),
  });
}

/** Returns the proxy injector of a release: that of the known release whose templates it uses. */
export function releaseInjector({ like }: Release): Injector {
  return injectorOf(releaseFacts(like)?.version);
}
