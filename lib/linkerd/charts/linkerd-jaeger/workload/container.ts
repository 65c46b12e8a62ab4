import type { Container } from '../../../../../imports/kubernetes';
import type { ImageValues } from '../../pod/images';
import { type ResourceValues, resources } from '../../pod/resources';
import { unprivileged } from '../../pod/security-context';
import { print } from '../../print';
import type { JaegerView } from '../jaeger-view';

/** The values that all components have in common. */
interface ComponentValues {
  readonly image: Omit<ImageValues, 'version'> & { readonly version?: string | number | undefined };
  readonly resources: ResourceValues | undefined;
  readonly UID: number | undefined;
}

/** The part that all containers have in common: image, resources, and that they can do nothing but run. */
export function confined(
  { defaultUID }: JaegerView,
  { image, resources: own, UID }: ComponentValues,
): Pick<Container, 'image' | 'imagePullPolicy' | 'resources' | 'securityContext'> {
  return {
    image: print`${image.name}:${image.version}`,
    imagePullPolicy: image.pullPolicy || undefined,
    resources: resources(own),
    securityContext: unprivileged(UID || defaultUID, undefined),
  };
}
