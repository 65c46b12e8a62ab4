import { CONFIG_ANNOTATION, TRUST_ROOTS_ANNOTATION } from '../../../api/names';
import { annotationOf, type Injection, restartValue } from '../objects/injection';

/** The fields of a pod template that are read. */
export interface PodTemplate {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}

/** A workload whose pods are replaced when its template changes. */
export interface Templated {
  readonly spec: { readonly template: PodTemplate };
}

/** The configuration that the template's pods are started for. */
export function configOf({ spec }: Templated): string | undefined {
  return annotationIn({ spec }, CONFIG_ANNOTATION);
}

function annotationIn({ spec }: Templated, annotation: string): string | undefined {
  return spec.template.metadata?.annotations?.[annotation];
}

/** Tells whether a template has the annotation that restarts its pods for a configuration. */
export function carriesValue(workload: Templated, injection: Injection): boolean {
  return annotationIn(workload, annotationOf(injection)) === restartValue(injection);
}

/** Changes one annotation of the template, and nothing else. */
export function annotateTemplate(value: string, annotation = CONFIG_ANNOTATION): Readonly<Record<string, unknown>> {
  return { template: { metadata: { annotations: { [annotation]: value } } } };
}

/** Changes the annotation that restarts a template's pods for a configuration. */
export function restartTemplate(injection: Injection): Readonly<Record<string, unknown>> {
  return annotateTemplate(restartValue(injection), annotationOf(injection));
}

/** Characters that are kept of a value: more than any of ours has, and others may write what they like. */
const LONGEST_VALUE = 128;

/** Keeps the annotations that restart. */
export function slimTemplate(workload: Templated): PodTemplate {
  const kept = [CONFIG_ANNOTATION, TRUST_ROOTS_ANNOTATION].flatMap((annotation) => {
    const value = annotationIn(workload, annotation)?.slice(0, LONGEST_VALUE);
    return value === undefined ? [] : [[annotation, value] as const];
  });
  return kept.length === 0 ? {} : { metadata: { annotations: Object.fromEntries(kept) } };
}
