import type { Probe } from '../../../../imports/kubernetes';

/** Values of a probe of a controller. */
export interface ProbeValues {
  /** Seconds until an answer is late. */
  readonly timeoutSeconds?: number | undefined;
}

/** Asks a controller whether it is alive. */
export function livenessProbe(values: ProbeValues, port: number | string, path = '/ping'): Probe {
  return { httpGet: { path, port }, initialDelaySeconds: 10, ...timeout(values) };
}

/** Asks a controller whether it can serve. */
export function readinessProbe(values: ProbeValues, port: number | string): Probe {
  return { failureThreshold: 7, httpGet: { path: '/ready', port }, ...timeout(values) };
}

function timeout({ timeoutSeconds }: ProbeValues): Pick<Probe, 'timeoutSeconds'> {
  return timeoutSeconds ? { timeoutSeconds } : {};
}
