import type { Delivery } from '../charts/chart-release';
import type { LinkerdVersion } from '../releases/versions';

/** The ways in which a release's charts can reach a cluster: nothing here renders those of 2.14. */
export type DeliveryOf<V extends LinkerdVersion> = { 'edge-26.8.3': Delivery; 'stable-2.14.10': 'helm' }[V];
