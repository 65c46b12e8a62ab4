import { CONFIG_ANNOTATION } from '#operator/api/names';

/** A configuration, and the time since which all available injectors use it. */
export interface Injection {
  /** Short hash of the configuration. */
  readonly configHash: string;
  /** RFC 3339 in UTC, whole seconds. */
  readonly since: string;
  /** The annotation of pod templates for its restarts. Default: {@link CONFIG_ANNOTATION}. */
  readonly annotation?: string;
}

/** Returns the annotation of pod templates for its restarts. */
export function annotationOf({ annotation = CONFIG_ANNOTATION }: Pick<Injection, 'annotation'>): string {
  return annotation;
}

/**
 * Returns the annotation value that restarts a workload's pods: it describes what they are injected with, not who
 * restarts them or when. Repeating a restart writes the same value, which has no effect.
 */
export function restartValue({ configHash, since }: Injection): string {
  return `${configHash}.${since.replaceAll(/[-:]/g, '')}`;
}

/** Parses a {@link restartValue}; undefined for other strings. */
export function parseRestartValue(text: string | undefined): Injection | undefined {
  const match = /^(\w+)\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '');
  if (match === null) return undefined;
  const [, configHash = '', year, month, day, hour, minute, second] = match;
  const since = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  return Number.isFinite(Date.parse(since)) ? { configHash, since } : undefined;
}
