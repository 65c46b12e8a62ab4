import edge from '../../imports/charts/linkerd-viz/edge-26.8.3.defaults.json';
import stable from '../../imports/charts/linkerd-viz/stable-2.14.10.defaults.json';
import type { Values } from './values';
import type { LinkerdVersion } from './versions';

const DEFAULTS: Readonly<Record<LinkerdVersion, Values>> = { 'edge-26.8.3': edge, 'stable-2.14.10': stable };

/** The values that a release's linkerd-viz chart has of itself. */
export function vizDefaultsOf(version: LinkerdVersion): Values {
  return DEFAULTS[version];
}
