import type { Probe } from '#imports/kubernetes';

/** Values of a probe of a controller. */
export interface ProbeValues {
  /** Seconds until a probe times out. */
  readonly timeoutSeconds?: number | undefined;
}

/** Returns the liveness probe of a controller. */
export function livenessProbe(values: ProbeValues, port: number | string, path = '/ping'): Probe {
  return { httpGet: { path, port }, initialDelaySeconds: 10, ...timeout(values) };
}

/** Returns the readiness probe of a controller. */
export function readinessProbe(values: ProbeValues, port: number | string): Probe {
  return { failureThreshold: 7, httpGet: { path: '/ready', port }, ...timeout(values) };
}

function timeout({ timeoutSeconds }: ProbeValues): Pick<Probe, 'timeoutSeconds'> {
  return timeoutSeconds ? { timeoutSeconds } : {};
}
