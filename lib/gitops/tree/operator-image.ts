import { type KnownKeys, keysOf, LIST } from '#kubernetes/options/known-keys';
/** How an image is pulled. */
export interface ImagePullProps {
  /**
   * When nodes pull the image. With the default, a node pulls a tag only once.
   *
   * @default 'IfNotPresent'
   */
  readonly pullPolicy?: 'Always' | 'IfNotPresent' | 'Never';

  /**
   * Names of Secrets, in the namespace of the pods, with the registry's credentials.
   *
   * @default - none
   */
  readonly pullSecrets?: readonly string[];
}

/** A stock Node.js image that runs the operator from a ConfigMap. */
export interface BundledImageProps extends ImagePullProps {
  /**
   * An image with Node.js 22.19 or newer on its PATH as `node`: the default, or a mirror of it.
   *
   * @default 'docker.io/library/node:24.21.0-bookworm-slim' - the Node.js that this library is tested with. A full
   * version, so that the same commit runs the same program next year; slim, because only `node` is used.
   */
  readonly node?: string;
}

/** An image that runs the operator: `OperatorImage.bundled()`, `.fromRegistry(reference)` or `.published()`. */
export type OperatorImage =
  | (BundledImageProps & { readonly kind: 'bundled'; readonly node: string })
  | (ImagePullProps & { readonly kind: 'registry'; readonly reference: string })
  | (ImagePullProps & { readonly kind: 'published' });

type OfKind<Kind extends OperatorImage['kind']> = Extract<OperatorImage, { readonly kind: Kind }>;

/** The Node.js of this library's own tests (the package `node` in package-lock.json). */
const NODE = 'docker.io/library/node:24.21.0-bookworm-slim';

const BUNDLED = keysOf<OfKind<'bundled'>>({ kind: true, node: true, pullPolicy: true, pullSecrets: LIST });
const REGISTRY = keysOf<OfKind<'registry'>>({ kind: true, reference: true, pullPolicy: true, pullSecrets: LIST });
const PUBLISHED = keysOf<OfKind<'published'>>({ kind: true, pullPolicy: true, pullSecrets: LIST });

/** Returns the keys of a kind of image. */
export function operatorImageKeys({ kind }: { readonly kind?: unknown }): KnownKeys | undefined {
  if (kind === 'bundled') return BUNDLED;
  if (kind === 'registry') return REGISTRY;
  return kind === 'published' ? PUBLISHED : undefined;
}

/** The images that run the operator. */
export const OperatorImage = {
  /** Emits the operator in a ConfigMap. Requires no registry of your own. */
  bundled: (props: BundledImageProps = {}): OperatorImage => ({ ...props, kind: 'bundled', node: props.node ?? NODE }),
  /** An image that was built with `operator/Dockerfile` and pushed, by tag or digest. */
  fromRegistry: (reference: string, props: ImagePullProps = {}): OperatorImage => ({
    ...props,
    kind: 'registry',
    reference,
  }),
  /**
   * The image that was built and signed with this release of the library, by its digest; from the mirror of the
   * cluster, if it has one. Only published packages contain the digest: a checkout, and packages built from it, report
   * an error at synth.
   */
  published: (props: ImagePullProps = {}): OperatorImage => ({ ...props, kind: 'published' }),
};
