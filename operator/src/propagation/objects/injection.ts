import { CONFIG_ANNOTATION } from '../../../api/names';

/** A configuration, and since when every injector that answers injects it. */
export interface Injection {
  /** Short hash of the configuration. */
  readonly configHash: string;
  /** RFC 3339 in UTC, whole seconds. */
  readonly since: string;
  /** The annotation of pod templates that restarts for it. Default: {@link CONFIG_ANNOTATION}. */
  readonly annotation?: string;
}

/** Returns the annotation of pod templates that restarts for it. */
export function annotationOf({ annotation = CONFIG_ANNOTATION }: Pick<Injection, 'annotation'>): string {
  return annotation;
}

/**
 * Returns the annotation that restarts a workload's pods: it says what they are to be injected with, not who restarts
 * them or when. Whoever repeats a restart writes the same, and nothing happens.
 */
export function restartValue({ configHash, since }: Injection): string {
  return `${configHash}.${since.replaceAll(/[-:]/g, '')}`;
}

/** Reads what {@link restartValue} wrote; undefined when it is something else. */
export function parseRestartValue(text: string | undefined): Injection | undefined {
  const match = /^(\w+)\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '');
  if (match === null) return undefined;
  const [, configHash = '', year, month, day, hour, minute, second] = match;
  const since = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  return Number.isFinite(Date.parse(since)) ? { configHash, since } : undefined;
}
