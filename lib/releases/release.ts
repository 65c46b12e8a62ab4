import { describeProblem, type Problem } from '../problems/problem';
import type { LinkerdCharts } from './linkerd/linkerd-charts';
import { chartsOf, type ReleaseFacts, type ReleaseGroups, releaseFacts } from './linkerd/release-facts';
import { ALIASES, RELEASES } from './linkerd/releases';

/** The Linkerd releases that are known by name, and the minor versions that stand for the release that announced them. */
export type LinkerdVersion = (typeof RELEASES)[number][0] | keyof typeof ALIASES;

/** The minor versions of Linkerd that releases belong to. */
export type LinkerdLine = (typeof RELEASES)[number][2];

/** The release that is installed unless told otherwise: the newest one known. */
export type DefaultLinkerdVersion = (typeof RELEASES)[0][0];

/** The release that is installed unless told otherwise. */
export const DEFAULT_LINKERD_VERSION: DefaultLinkerdVersion = RELEASES[0][0];

/** All names by which a release can be chosen, the newest first. */
export const LINKERD_VERSIONS: readonly LinkerdVersion[] = [
  ...RELEASES.map(([version]) => version),
  ...(Object.keys(ALIASES) as (keyof typeof ALIASES)[]),
];

/** A release of Linkerd: one that is known, or one that is taken for a known one. */
export class Release<V extends LinkerdVersion = LinkerdVersion> {
  /** Its version, by which images are tagged: `edge-26.8.3`. */
  readonly version: string;
  /** The known release whose templates and values are its own. */
  readonly like: V;
  /** The minor version of Linkerd that it belongs to; of an edge release, the last one that was announced by then. */
  readonly line: LinkerdLine;
  /** @internal */
  readonly charts: LinkerdCharts;
  /** @internal */
  readonly groups: ReleaseGroups;

  private constructor(like: V, version: string, facts: ReleaseFacts) {
    this.version = version;
    this.like = like;
    this.line = facts.line;
    this.groups = facts;
    this.charts = version === facts.version ? facts.charts : chartsOf(version, facts);
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
    const facts = typeof name === 'string' ? releaseFacts(name) : undefined;
    if (facts !== undefined) return new Release(name, facts.version, facts);
    throw new RangeError(describeProblem(unknownRelease(name)));
  }
}

/** A release as it is given: by name, or as one that the library does not know. */
export type GivenRelease<V extends LinkerdVersion = LinkerdVersion> = V | Release<V>;

/** Returns a release as it was given. */
export function releaseOf<V extends LinkerdVersion>(given: GivenRelease<V>): Release<V> {
  return given instanceof Release ? given : Release.known(given);
}

function unknownRelease(name: unknown): Problem {
  return {
    code: 'release-unknown',
    what: `The version of Linkerd is ${JSON.stringify(name)}`,
    why: 'Charts, their values and what they render are known here for some releases only',
    fix: `take ${LINKERD_VERSIONS.map((known) => `'${known}'`).join(' or ')}`,
  };
}
