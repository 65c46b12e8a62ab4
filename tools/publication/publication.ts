import { imageReferenceOf } from '#base/image-reference';

/** The manifest of the package: the content of package.json. */
export type Manifest = Readonly<Record<string, unknown>>;

/**
 * The record of a pushed image, for `lib/constructs/operator/published-image.json`.
 *
 * @param reference - the image, with its digest
 * @param program - sha256 of the program in it, in hex
 * @throws Error if the image has no digest, or `program` is not a sha256
 */
export function imageRecord(reference: string, program: string): object {
  if (imageReferenceOf(reference)?.digest === undefined) {
    throw new Error(`"${reference}" names no image by its digest: write it as <repository>@sha256:<64 hex digits>`);
  }
  if (!/^[0-9a-f]{64}$/.test(program)) throw new Error(`"${program}" is not a sha256 of 64 lower-case hex digits`);
  return { image: { reference, program } };
}

/**
 * The manifest with the repository that publishes the package and with the address of its pages at the tag. npm
 * compares the repository with the one in the signed provenance. The command `explain` prints the address.
 */
export function withRepository(manifest: Manifest, url: string): Manifest {
  if (!/^https:\/\/[^/\s@]+(?:\/[^/\s@]+)+$/.test(url)) throw new Error(`"${url}" is not an address of a repository`);
  const address = url.endsWith('.git') ? url : `${url}.git`;
  return {
    ...manifest,
    homepage: `${url.replace(/\.git$/, '')}/tree/v${manifest.version}`,
    repository: { type: 'git', url: `git+${address}` },
  };
}
