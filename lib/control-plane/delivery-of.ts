import type { Delivery } from '../charts/chart-release';
import type { LinkerdVersion } from '../releases/versions';

interface Deliveries extends Record<LinkerdVersion, Delivery> {
  'edge-26.8.3': Delivery;
  /** Nothing here renders its charts. */
  'stable-2.14.10': 'helm';
}

/** How a release's charts can reach a cluster. */
export type DeliveryOf<V extends LinkerdVersion> = Deliveries[V];
