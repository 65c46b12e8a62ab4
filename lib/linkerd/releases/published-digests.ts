/** A chart at one version. */
interface ChartVersion {
  readonly name: string;
  readonly version: string;
}

/**
 * The SHA-256 of published archives of charts that the library pins, by name and version without a leading v. Only
 * digests that at least two independent public sources name, for the archive of the repository or the layer of the OCI
 * artifact, which are the same bytes. All others are unknown: the first archive that is pulled is trusted.
 */
const PUBLISHED: ReadonlyMap<string, string> = new Map([
  ['cert-manager 1.21.1', 'c27101f3f3e2349fb4a9e704316105bf7b52ad73b8c8257d3498ef7f2f6a4adc'],
]);

/** Returns the digest of the published archive of a chart, in hexadecimal digits; undefined if it is unknown. */
export function publishedDigest({ name, version }: ChartVersion): string | undefined {
  return PUBLISHED.get(`${name} ${version.replace(/^v/, '')}`);
}
