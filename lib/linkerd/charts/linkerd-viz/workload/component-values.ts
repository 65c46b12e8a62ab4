import type { ImageValues } from '../../pod/images';
import type { ResourceValues } from '../../pod/resources';

/** The image of a component, as Viz takes it: registry and name apart. */
export interface ComponentImage {
  readonly registry: string | undefined;
  readonly name: string | undefined;
  readonly tag: string | undefined;
  readonly pullPolicy: ImageValues['pullPolicy'];
}

/** Resources of the proxy that the injector puts beside a component. */
export interface ProxyValues {
  readonly resources?: Pick<ResourceValues, 'cpu' | 'memory'> | null | undefined;
}

/** The values that all components of Viz have in common. */
export interface ComponentValues {
  readonly replicas: number | undefined;
  readonly logLevel: string | undefined;
  readonly logFormat: string | undefined;
  readonly image: ComponentImage;
  readonly resources: ResourceValues | undefined;
  readonly proxy: ProxyValues | undefined;
  readonly UID: number | undefined;
  readonly GID: number | undefined;
  readonly service: { readonly annotations: Readonly<Record<string, string>> | undefined };
}
