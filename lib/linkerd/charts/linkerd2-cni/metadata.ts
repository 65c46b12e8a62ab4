import { CNI_RESOURCE } from '../../annotations';
import { createdBy } from '../metadata/created-by';
import type { CniView } from './cni-view';

/** Name of the plugin, and of nearly all that belongs to it. */
export const NAME = 'linkerd-cni';

/** The labels of an object: its own, the plugin's, and those that the user gives to everything. */
export function labels({ commonLabels }: CniView, own: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...own, [CNI_RESOURCE]: 'true', ...commonLabels };
}

/** Returns the annotation that says who made an object. The plugin has releases of its own. */
export function creator({ image }: CniView): Record<string, string> {
  return createdBy({ cliVersion: undefined, linkerdVersion: image.version });
}
