import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import type { Values } from '../../../kubernetes/values';
import type { VizTemplates } from '../../releases/groups/viz';
import type { RenderContext } from '../render-context';
import { metricsApi } from './metrics-api';
import { namespaceMetadata } from './namespace-metadata';
import { serviceProfiles, vizPolicy } from './policy';
import { prometheus } from './prometheus/prometheus';
import { tap } from './tap';
import { tapInjector } from './tap-injector';
import { vizView } from './viz-view';
import { web } from './web';

/**
 * Every object of Viz, equal to what the official chart of a release renders but for `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's over the chart's own; null removes a key. To be checked by
 * `checkVizRender` first.
 */
export function renderViz(
  values: Values,
  context: RenderContext,
  templates: VizTemplates,
): readonly KubernetesObject[] {
  const view = vizView(values, templates);
  return [
    ...metricsApi(view, context),
    ...tap(view, context),
    ...tapInjector(view, context),
    ...web(view, context),
    ...prometheus(view, context),
    ...vizPolicy(view, context),
    ...serviceProfiles(view, context),
    ...(view.createNamespaceMetadataJob ? namespaceMetadata(view, context) : []),
  ];
}
