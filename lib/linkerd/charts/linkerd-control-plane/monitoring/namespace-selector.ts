import type { PodMonitor } from '../../../../../imports/crds/monitoring.coreos.com';

/** Namespaces whose pods are scraped. */
export type ScrapedNamespaces = NonNullable<PodMonitor['spec']['namespaceSelector']>;

const RELEASE_NAMESPACE = /\{\{ *\.Release\.Namespace *\}\}/g;

/**
 * Reads the namespace selector that the values give as the text of a template, of which only the namespace of the
 * release is filled in.
 *
 * @throws Error if it is no YAML, or has other templates in it
 */
export function scrapedNamespaces(template: string, namespace: string): ScrapedNamespaces {
  const text = template.replace(RELEASE_NAMESPACE, namespace);
  if (text.includes('{{')) throw new Error('it has templates other than {{ .Release.Namespace }}');
  // Not before it is needed: to load it takes as long as to render a control plane.
  const { parse } = require('yaml') as typeof import('yaml');
  const selector: unknown = parse(text, { version: '1.1' });
  if (typeof selector !== 'object' || selector === null) throw new Error('it is no map');
  return selector;
}
