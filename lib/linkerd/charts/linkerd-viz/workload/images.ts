import type { ContainerImage } from '../../pod/images';
import { print } from '../../print';
import type { VizView } from '../viz-view';
import type { ComponentImage } from './component-values';

/** The image of a component that is released with Linkerd; what is empty follows from the release. */
export function componentImage(values: VizView, image: ComponentImage): ContainerImage {
  return releasedImage(values, { ...image, tag: image.tag || values.linkerdVersion });
}

/** The image of a component with releases of its own, in the registry of the others. */
export function releasedImage(values: VizView, image: ComponentImage): ContainerImage {
  return foreignImage(values, { ...image, registry: image.registry || values.defaultRegistry });
}

/** The image of other people's software. */
export function foreignImage(values: VizView, { registry, name, tag, pullPolicy }: ComponentImage): ContainerImage {
  return {
    image: print`${registry}/${name}:${tag}`,
    imagePullPolicy: pullPolicy || values.defaultImagePullPolicy,
  };
}
