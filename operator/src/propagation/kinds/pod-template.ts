import { CONFIG_ANNOTATION } from '../../../api/names';
import { type Injection, restartValue } from '../objects/injection';

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
  return spec.template.metadata?.annotations?.[CONFIG_ANNOTATION];
}

/** Tells whether a template has the annotation that restarts its pods for a configuration. */
export function carriesValue(workload: Templated, injection: Injection): boolean {
  return configOf(workload) === restartValue(injection);
}

/** Changes one annotation of the template, and nothing else. */
export function annotateTemplate(value: string): Readonly<Record<string, unknown>> {
  return { template: { metadata: { annotations: { [CONFIG_ANNOTATION]: value } } } };
}

/** Characters that are kept of a value: more than any of ours has, and others may write what they like. */
const LONGEST_VALUE = 128;

/** Keeps the one annotation. */
export function slimTemplate(workload: Templated): PodTemplate {
  const value = configOf(workload)?.slice(0, LONGEST_VALUE);
  return value === undefined ? {} : { metadata: { annotations: { [CONFIG_ANNOTATION]: value } } };
}
