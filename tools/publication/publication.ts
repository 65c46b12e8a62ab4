import { imageReferenceOf } from '#base/image-reference';

/** The manifest of the package, as far as it says where the package comes from. */
export type Manifest = Readonly<Record<string, unknown>>;

/**
 * The record of an image that was pushed, for `lib/constructs/operator/published-image.json`.
 *
 * @param reference - the image, with its digest
 * @param program - sha256 of the program in it, in hex
 * @throws Error if the image has no digest, or `program` is not a sha256
 */
export function imageRecord(reference: string, program: string): object {
  if (imageReferenceOf(reference)?.digest === undefined) {
    throw new Error(`"${reference}" names no image by its digest: name it as <repository>@sha256:<64 hex digits>`);
  }
  if (!/^[0-9a-f]{64}$/.test(program)) throw new Error(`"${program}" is no sha256: 64 lower-case hex digits`);
  return { image: { reference, program } };
}

/**
 * The manifest with the repository that it is published from, which npm compares with the one that signs for it, and with
 * the address of its pages at the tag, which `explain` names.
 */
export function withRepository(manifest: Manifest, url: string): Manifest {
  if (!/^https:\/\/[^/\s@]+(?:\/[^/\s@]+)+$/.test(url)) throw new Error(`"${url}" is no address of a repository`);
  const address = url.endsWith('.git') ? url : `${url}.git`;
  return {
    ...manifest,
    homepage: `${url.replace(/\.git$/, '')}/tree/v${manifest.version}`,
    repository: { type: 'git', url: `git+${address}` },
  };
}
