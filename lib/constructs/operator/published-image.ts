import { BUNDLED_SHA256 } from './program-config-map';
import published from './published-image.json';

/** An image of the operator that was pushed. */
interface PublishedRecord {
  /** The image by its digest. */
  readonly reference: string;
  /** sha256 of the program in it. */
  readonly program: string;
}

/**
 * The published image that runs the very program that this library carries. The file beside this module has none in a
 * checkout: it is written when the image is pushed, by `npm run publication:record`, into what becomes the package.
 */
export function publishedReference(
  { image }: { readonly image: PublishedRecord | null } = published,
  program: string = BUNDLED_SHA256,
): string | undefined {
  return image?.program === program ? image.reference : undefined;
}
