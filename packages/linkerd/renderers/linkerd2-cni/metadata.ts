import { CNI_RESOURCE } from '../../annotations';
import { createdBy } from '../metadata/created-by';
import type { CniView } from './cni-view';

/** Name of the plugin, and of most of its objects. */
export const NAME = 'linkerd-cni';

/** Returns an object's labels: its own, the plugin's, and the user's common ones. */
export function labels({ commonLabels }: CniView, own: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...own, [CNI_RESOURCE]: 'true', ...commonLabels };
}

/** Returns the annotation with the creator of an object. The plugin has its own releases. */
export function creator({ image }: CniView): Record<string, string> {
  return createdBy({ cliVersion: undefined, linkerdVersion: image.version });
}
