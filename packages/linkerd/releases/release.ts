import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { byText } from '#base/remembered';
import { suggest } from '#base/suggest';
import { showValue } from '#base/value-path';
import type { ChartFolder } from '../charts/chart-folder';
import { LINKERD_FINDINGS } from '../findings';
import type { LinkerdCharts } from './charts';
import { DEFAULT_LINKERD_VERSION, LINKERD_VERSIONS, type LinkerdVersion, type RELEASES } from './known-releases';
import { lineOf } from './lines';
import type { ReleaseArchives } from './release-archives';
import { type ReleaseFacts, type ReleaseGroups, releaseFacts } from './release-facts';
import { UnknownVersionError } from './unknown-version-error';

/** The minor versions of Linkerd. */
export type LinkerdLine = (typeof RELEASES)[number][2] | '2.15' | '2.16' | '2.17' | '2.18';

/** Facts about a release that its charts do not contain. */
export interface ReleaseFromChartsOptions<V extends LinkerdVersion = LinkerdVersion> {
  /**
   * The known release whose proxy injector reads the same annotations and values. The image of the injector decides
   * this, and no chart shows it: compare `pkg/k8s/labels.go` and `pkg/inject` of linkerd2. TypeScript also checks
   * values by the types of this release.
   *
   * @default - the closest known release, with a warning if that is another one
   */
  readonly injectorLike?: V;

  /**
   * Versions of charts, by their names: `{ 'linkerd-crds': '1.8.0' }`.
   *
   * @default - those of Linkerd's edge releases since edge-24.3.1: 2026.9.1 for edge-26.9.1
   */
  readonly chartVersions?: Readonly<Record<string, string>>;

  /**
   * Version of the proxies' image, if different from the release.
   *
   * @default - that of the release
   */
  readonly proxyVersion?: string;
}

interface ReleaseParts {
  readonly version: string;
  readonly charts: LinkerdCharts;
  readonly groups: ReleaseGroups;
  readonly archives?: ReleaseArchives;
  readonly proxyVersion?: string | undefined;
  readonly isInjectorAssumed?: boolean;
}

/** A release of Linkerd: a known one, or one that is rendered from its own charts. */
export class Release<V extends LinkerdVersion = LinkerdVersion> {
  /**
   * Returns a release that is rendered from its own charts: their templates, values, schemas and CRDs. It need not be a
   * release that the library knows.
   *
   * @example
   * const version = Release.fromCharts(ChartFolder.at('charts'), 'edge-26.9.1', { injectorLike: 'edge-26.8.3' });
   * new LinkerdMesh(home, 'mesh', { version });
   *
   * @param charts folder that `cdk8s-linkerd charts pull` fills: linkerd-crds, linkerd-control-plane, and the charts of
   * the parts that are used
   * @param version of the release, which tags its images
   * @throws RangeError if the version is not that of a release, or does not determine those of the charts, or an option
   * is invalid
   * @throws ChartError if linkerd-crds or linkerd-control-plane is missing or damaged, or of another release
   */
  static fromCharts<V extends LinkerdVersion = LinkerdVersion>(
    charts: ChartFolder,
    version: string,
    options: ReleaseFromChartsOptions<V> = {},
  ): Release<V> {
    const { readRelease } = require('./read-release') as typeof import('./read-release');
    // Untyped code may pass null.
    const { injectorLike, ...given } = options ?? {};
    const like = injectorLike === undefined ? undefined : knownFacts(injectorLike);
    const { closest, ...parts } = readRelease(charts, version, { ...given, like });
    return new Release(injectorLike ?? (closest as V), parts);
  }

  /** Version of the release, which is the tag of its images: `edge-26.8.3`. */
  readonly version: string;
  /** The known release with the same proxy injector and types of values: itself, unless it is from charts. */
  readonly injectorLike: V;
  /** Its minor version of Linkerd; for an edge release, the last one announced by then. */
  readonly line: LinkerdLine;
  /** Version of the image of its proxies; absent if it is that of the release. */
  readonly proxyVersion?: string | undefined;
  /** @internal */
  readonly charts: LinkerdCharts;
  /** @internal */
  readonly groups: ReleaseGroups;
  /** @internal */
  readonly archives?: ReleaseArchives | undefined;
  /** @internal */
  readonly isInjectorAssumed: boolean;

  private constructor(injectorLike: V, parts: ReleaseParts) {
    this.version = parts.version;
    this.injectorLike = injectorLike;
    this.line = (lineOf(parts.version) ?? knownFacts(injectorLike).line) as LinkerdLine;
    this.proxyVersion = parts.proxyVersion;
    this.groups = parts.groups;
    this.charts = parts.charts;
    this.archives = parts.archives;
    this.isInjectorAssumed = parts.isInjectorAssumed ?? false;
    Object.freeze(this);
  }

  /**
   * Returns the release of that name.
   *
   * @throws UnknownVersionError for an unknown release, which cannot be built.
   *
   * @internal
   */
  static known<V extends LinkerdVersion>(name: V): Release<V> {
    return Release.byName(name) as Release<V>;
  }

  /** One object for each name, so that memoized results of a release are reused for the next cluster. */
  private static readonly byName = byText((name) => {
    const facts = knownFacts(name as LinkerdVersion);
    return new Release(name as LinkerdVersion, { version: facts.version, charts: facts.charts, groups: facts });
  });
}

/** A release by name, or as an object: that of another construct, or one from its own charts. */
export type GivenRelease<V extends LinkerdVersion = LinkerdVersion> = V | Release<V>;

/** Returns the release for a name, or a given release. */
export function releaseOf<V extends LinkerdVersion>(given: GivenRelease<V>): Release<V> {
  return given instanceof Release ? given : Release.known(given);
}

/** Whether a value looks like a release, but was created by another copy of this class. */
function isCopy(given: unknown): given is { readonly version: string } {
  return (
    isObject(given) &&
    typeof given.version === 'string' &&
    typeof given.injectorLike === 'string' &&
    isObject(given.charts)
  );
}

function knownFacts(name: LinkerdVersion): ReleaseFacts {
  const facts = typeof name === 'string' ? releaseFacts(name) : undefined;
  if (facts === undefined) throw new UnknownVersionError(unknownRelease(name));
  return facts;
}

function unknownRelease(name: unknown): Problem {
  if (isCopy(name)) {
    return LINKERD_FINDINGS.versionUnknownCopy({ version: String(name.version) });
  }
  return LINKERD_FINDINGS.versionUnknownLinkerd({ version: showValue(name), similar: similarRelease(name) });
}

function similarRelease(name: unknown): LinkerdVersion {
  const text = typeof name === 'string' ? name.replace(/^20(?=\d\d\.)/, 'edge-') : '';
  const near = new Set(suggest(text, LINKERD_VERSIONS));
  return LINKERD_VERSIONS.find((known) => near.has(known)) ?? DEFAULT_LINKERD_VERSION;
}
