import type { ChartGroup } from './group';

/** The differences between the templates of chart linkerd2-cni. */
export type CniTemplates = Readonly<Record<never, never>>;

/** Chart linkerd2-cni, by groups of releases. Those of edge differ in the image of the plugin only. */
export const CNI = {
  'edge-26.8.3': { values: 'edge-26.8.3', rendered: true, templates: {} },
  'edge-26.6.3': { values: 'edge-26.6.3', rendered: true, templates: {} },
  'edge-26.5.1': { values: 'edge-26.4.4', rendered: true, templates: {} },
  'edge-26.4.4': { values: 'edge-26.4.4', rendered: true, templates: {} },
  'edge-26.4.3': { values: 'edge-26.4.3', rendered: true, templates: {} },
  'edge-26.1.4': { values: 'edge-26.1.4', rendered: true, templates: {} },
  'edge-25.10.7': { values: 'edge-25.10.7', rendered: true, templates: {} },
  'stable-2.14.10': { values: 'stable-2.14.10', rendered: false, templates: {} },
} as const satisfies Readonly<Record<string, ChartGroup<CniTemplates>>>;
