/**
 * The SHA-256 of published archives of charts that the library pins, by name and version without a leading v: only
 * those that two or more independent public sources state, for the archive of the repository or the layer of the OCI
 * artifact, which are the same bytes. For other charts, the first archive that is pulled is trusted.
 */
const PUBLISHED: ReadonlyMap<string, string> = new Map([
  ['cert-manager 1.21.1', 'c27101f3f3e2349fb4a9e704316105bf7b52ad73b8c8257d3498ef7f2f6a4adc'],
  ['cert-manager 1.16.1', 'e6bf08ee8834e6a727e38991978607ea9b729825150a20d7d10be1eb284106e6'],
  ['trust-manager 0.24.0', '0de4bbef2d1a013bd4a91c6f59a9cb0273dda9a785e018a9a16e8f2b096af823'],
  // All releases of 2.14 published this version, each in a different archive: this one is of stable-2.14.10.
  ['linkerd-crds 1.8.0', '516789ccd8116f5f7ddd69ad2368be6f3c26cb53eae94f3950061592c0074991'],
]);

/** Returns the digest of the published archive of a chart, in hexadecimal digits; undefined if it is unknown. */
export function publishedDigest({ name, version }: Readonly<Record<'name' | 'version', string>>): string | undefined {
  return PUBLISHED.get(`${name} ${version.replace(/^v/, '')}`);
}
