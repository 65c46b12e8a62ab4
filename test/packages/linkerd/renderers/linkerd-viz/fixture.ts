import { mergeValues, type Values } from '#base/values';
import defaults from '#imports/charts/linkerd-viz/edge-26.8.3.defaults.json';
import type { Deployment, Job } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { VIZ, type VizTemplates } from '#linkerd/releases/groups/viz';
import { withoutNulls } from '#linkerd/renderers/chart-view';
import { vizRenderer } from '#linkerd/renderers/linkerd-viz/viz';
import { type VizView, vizView } from '#linkerd/renderers/linkerd-viz/viz-view';

/** Returns the values of the chart with certificates from cert-manager, overridden by `values`. */
export function chartValues(values: Values = {}): Values {
  const certificates: Values = {
    tap: { externalSecret: true, injectCaFrom: 'linkerd-viz/tap' },
    tapInjector: { externalSecret: true, injectCaFrom: 'linkerd-viz/linkerd-tap-injector' },
  };
  return mergeValues(mergeValues(defaults as Values, certificates), values);
}

const NEWEST: VizTemplates = VIZ['edge-26.8.3'].templates;

export const { render: renderViz, check: checkVizRender } = vizRenderer(NEWEST);

export function viewOf(values: Values = {}, templates = NEWEST): VizView {
  return vizView(withoutNulls(chartValues(values)), templates);
}

export function render(values: Values = {}, templates = NEWEST): readonly KubernetesObject[] {
  return vizRenderer(templates).render(chartValues(values), { namespace: 'linkerd-viz' });
}

/** Returns the rendered object of a kind and a name, if any. */
export function find(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject | undefined {
  return objects.find((object) => object.kind === kind && object.metadata.name === name);
}

type PodTemplate = NonNullable<Deployment['spec']>['template'];

/** Returns the pod template of a component. */
export function podOf(values: Values, component: string): PodTemplate {
  const objects = render(values);
  const workload = (find(objects, 'Deployment', component) ?? find(objects, 'Job', component)) as
    | Deployment
    | Job
    | undefined;
  const template = workload?.spec?.template;
  if (template === undefined) throw new Error(`no workload ${component}`);
  return template;
}
