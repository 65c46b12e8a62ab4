import type { Reference } from '../tree/references';
import type { Prometheus } from './prometheus';

/** Returns what the chart brings along that other objects refer to. */
export function vizProvides(namespace: string, prometheus: Prometheus): readonly Reference[] {
  const services = [
    'metrics-api',
    'tap',
    'tap-injector',
    'web',
    ...(prometheus.kind === 'embedded' ? ['prometheus'] : []),
  ];
  return (['Service', 'ServiceAccount'] as const).flatMap((kind) =>
    services.map((name) => ({ kind, namespace, name })),
  );
}
