import { mergeValues, type Values } from '#base/values';
import defaults from '#imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import type { CronJob, Deployment } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { CONTROL_PLANE, type ControlPlaneTemplates } from '#linkerd/releases/groups/control-plane';
import { withoutNulls } from '#linkerd/renderers/chart-view';
import { controlPlaneRenderer as controlPlaneOf } from '#linkerd/renderers/linkerd-control-plane/control-plane';
import { type ControlPlaneView, controlPlaneView } from '#linkerd/renderers/linkerd-control-plane/control-plane-view';

const webhook = (service: string): Values => ({ externalSecret: true, injectCaFrom: `linkerd/${service}` });

/** Returns the values of a chart with certificates from cert-manager, overridden by `values`. */
export function chartValues(values: Values = {}, own: Values = defaults as Values): Values {
  const certificates: Values = {
    identity: { externalCA: true, issuer: { scheme: 'kubernetes.io/tls' } },
    proxyInjector: webhook('linkerd-proxy-injector'),
    profileValidator: webhook('linkerd-sp-validator'),
    policyValidator: webhook('linkerd-policy-validator'),
  };
  return mergeValues(mergeValues(own, certificates), values);
}

export const NEWEST: ControlPlaneTemplates = CONTROL_PLANE['edge-26.8.3'].templates;

export { controlPlaneOf };

export const { render: renderControlPlane, check: checkControlPlaneRender } = controlPlaneOf(NEWEST);

export function viewOf(values: Values = {}, templates = NEWEST): ControlPlaneView {
  return controlPlaneView(withoutNulls(chartValues(values)), templates);
}

export function render(values: Values = {}, templates = NEWEST): readonly KubernetesObject[] {
  return controlPlaneOf(templates).render(chartValues(values), { namespace: 'linkerd' });
}

/** Returns the rendered object of a kind and a name, if any. */
function find(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject | undefined {
  return objects.find((object) => object.kind === kind && object.metadata.name === name);
}

type PodTemplate = NonNullable<Deployment['spec']>['template'];

/** Returns the pod template of `linkerd-<component>`. */
export function podOf(values: Values, component: string): PodTemplate {
  return podIn(render(values), component);
}

/** Returns the pod template of `linkerd-<component>` among objects. */
export function podIn(objects: readonly KubernetesObject[], component: string): PodTemplate {
  const deployment = find(objects, 'Deployment', `linkerd-${component}`) as Deployment | undefined;
  const cronJob = find(objects, 'CronJob', `linkerd-${component}`) as CronJob | undefined;
  const template = deployment?.spec?.template ?? cronJob?.spec?.jobTemplate.spec?.template;
  if (template === undefined) throw new Error(`no workload linkerd-${component}`);
  return template;
}
