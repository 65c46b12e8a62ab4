import type { Container } from '../../../../imports/kubernetes';
import { print } from '../print';
import type { CniView } from './cni-view';

/** The image that all containers of the plugin run. */
export function cniImage({ image }: CniView): Pick<Container, 'image' | 'imagePullPolicy'> {
  return { image: print`${image.name}:${image.version}`, imagePullPolicy: image.pullPolicy || undefined };
}
