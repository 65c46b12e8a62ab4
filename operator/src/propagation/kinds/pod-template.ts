import { CONFIG_ANNOTATION, TRUST_ROOTS_ANNOTATION } from '#operator/api/names';
import { annotationOf, type Injection, parseRestartValue, restartValue } from '../objects/injection';

/** The fields of a pod template that are read. */
export interface PodTemplate {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}

/** A workload whose pods are replaced when its template changes. */
export interface Templated {
  readonly spec: { readonly template: PodTemplate };
}

/** Returns the configuration for which the template's pods are started. */
export function configOf({ spec }: Templated): string | undefined {
  return annotationIn({ spec }, CONFIG_ANNOTATION);
}

function annotationIn({ spec }: Templated, annotation: string): string | undefined {
  return spec.template.metadata?.annotations?.[annotation];
}

/** Whether a template has the annotation that restarts its pods for a configuration. */
export function carriesValue(workload: Templated, injection: Injection): boolean {
  return annotationIn(workload, annotationOf(injection)) === restartValue(injection);
}

/** Returns the `since` of the last restart of a template's pods for a configuration of this hash. */
export function restartedSince(workload: Templated, injection: Injection): string | undefined {
  const carried = parseRestartValue(annotationIn(workload, annotationOf(injection)));
  return carried?.configHash === injection.configHash ? carried.since : undefined;
}

/** Returns a patch that changes only one annotation of the template. */
export function annotateTemplate(value: string, annotation = CONFIG_ANNOTATION): Readonly<Record<string, unknown>> {
  return { template: { metadata: { annotations: { [annotation]: value } } } };
}

/** Returns a patch of the annotation that restarts a template's pods for a configuration. */
export function restartTemplate(injection: Injection): Readonly<Record<string, unknown>> {
  return annotateTemplate(restartValue(injection), annotationOf(injection));
}

/** Maximum length of a stored value: longer than the operator's own values. Other clients may write any length. */
const MAX_VALUE_LENGTH = 128;

/** Keeps only the annotations for restarts. */
export function slimTemplate(workload: Templated): PodTemplate {
  const kept = [CONFIG_ANNOTATION, TRUST_ROOTS_ANNOTATION].flatMap((annotation) => {
    const value = annotationIn(workload, annotation)?.slice(0, MAX_VALUE_LENGTH);
    return value === undefined ? [] : [[annotation, value] as const];
  });
  return kept.length === 0 ? {} : { metadata: { annotations: Object.fromEntries(kept) } };
}
