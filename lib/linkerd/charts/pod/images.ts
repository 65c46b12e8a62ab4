import { print } from '../print';

type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** The image of a container, as values give it; what is empty follows from the release. */
export interface ImageValues {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly pullPolicy?: '' | PullPolicy | undefined;
}

/** Values that all images fall back to. */
export interface ReleaseImageValues {
  readonly linkerdVersion: string | undefined;
  readonly imagePullPolicy: PullPolicy | undefined;
}

/** Values that say which image the controllers run. */
export interface ControllerImageValues extends ReleaseImageValues {
  readonly controllerImage: string | undefined;
  readonly controllerImageVersion: string | undefined;
}

/** The image of a container, and when it is pulled. */
export interface ContainerImage {
  readonly image: string;
  readonly imagePullPolicy: PullPolicy | undefined;
}

export function image({ name, version, pullPolicy }: ImageValues, release: ReleaseImageValues): ContainerImage {
  return {
    image: print`${name}:${version || release.linkerdVersion}`,
    imagePullPolicy: pullPolicy || release.imagePullPolicy,
  };
}

/** The image of Linkerd's controllers. */
export function controllerImage(values: ControllerImageValues): ContainerImage {
  return image({ name: values.controllerImage, version: values.controllerImageVersion }, values);
}
