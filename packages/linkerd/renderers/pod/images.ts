import { print } from '../print';

type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** The image of a container in values; empty fields default to the release's. */
export interface ImageValues {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly pullPolicy?: '' | PullPolicy | undefined;
}

/** Values that are the defaults for all images. */
export interface ReleaseImageValues {
  readonly linkerdVersion: string | undefined;
  readonly imagePullPolicy: PullPolicy | undefined;
}

/** Values for the image of the controllers. */
export interface ControllerImageValues extends ReleaseImageValues {
  readonly controllerImage: string | undefined;
  readonly controllerImageVersion: string | undefined;
}

/** The image of a container, and its pull policy. */
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

/** Returns the image of Linkerd's controllers. */
export function controllerImage(values: ControllerImageValues): ContainerImage {
  return image({ name: values.controllerImage, version: values.controllerImageVersion }, values);
}
