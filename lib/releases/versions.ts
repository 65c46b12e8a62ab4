import { knownRelease } from './known-release';
import { type LinkerdCharts, type LinkerdFeatures, type LinkerdRelease, RELEASES } from './releases';

/** The Linkerd releases that can be installed. */
export type LinkerdVersion = keyof typeof RELEASES;

/** The release that is installed unless told otherwise: the newest one known. */
export type DefaultLinkerdVersion = 'edge-26.8.3';

/** The release that is installed unless told otherwise. */
export const DEFAULT_LINKERD_VERSION: DefaultLinkerdVersion = 'edge-26.8.3';

/** All releases that can be installed. */
export const LINKERD_VERSIONS = Object.keys(RELEASES) as readonly LinkerdVersion[];

/** The charts of a release, pinned. */
export function chartsOf(version: LinkerdVersion): LinkerdCharts {
  return releaseOf(version).charts;
}

/** Returns what a release does that others do not. */
export function featuresOf(version: LinkerdVersion): LinkerdFeatures {
  return releaseOf(version).features;
}

function releaseOf(version: LinkerdVersion): LinkerdRelease {
  return knownRelease('Linkerd', RELEASES, version);
}
