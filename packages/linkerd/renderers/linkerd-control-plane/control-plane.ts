import { isMap, type Value, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { NativeRenderer } from '../../charts/chart';
import type { RenderContext } from '../../charts/render-context';
import type { ControlPlaneTemplates } from '../../releases/groups/control-plane';
import { withoutNulls } from '../chart-view';
import { isEmpty } from '../empty';
import { SCHEDULE } from './cluster-schedule';
import { configMap, configRbac, configText } from './config';
import { type ControlPlaneView, controlPlaneView } from './control-plane-view';
import { destinationDeployment, destinationRbac, destinationServices, validatingWebhooks } from './destination';
import { heartbeatCronJob, heartbeatRbac } from './heartbeat';
import { identityDeployment, identityRbac, identityServices, trustRoots } from './identity';
import { CONTROL_PLANE_DIFFERENCES, CONTROL_PLANE_REFUSALS } from './intended-differences';
import { chartPodMonitors } from './pod-monitors';
import { policyRbac } from './policy-controller';
import {
  proxyInjectorDeployment,
  proxyInjectorRbac,
  proxyInjectorService,
  proxyInjectorWebhook,
} from './proxy-injector';
import { checkControlPlaneRender } from './render-rules';
import { disruptionBudget } from './workload';

/** Returns the native renderer of linkerd-control-plane. */
export function controlPlaneRenderer(templates: ControlPlaneTemplates): NativeRenderer {
  return deepFreeze({
    check: (values) => checkControlPlaneRender(values, templates),
    render: (values, context) => renderControlPlane(values, context, templates),
    perCluster: SCHEDULE,
    intended: { differences: CONTROL_PLANE_DIFFERENCES, refusals: CONTROL_PLANE_REFUSALS, fixes: [] },
  });
}

/**
 * Renders all objects of the control plane, equal to those of the official chart of a release except for
 * `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's merged over the chart's own; null removes a key. Check them with
 * `checkControlPlaneRender` first.
 */
function renderControlPlane(
  values: Values,
  context: RenderContext,
  templates: ControlPlaneTemplates,
): readonly KubernetesObject[] {
  const effective = withProxyResources(withoutNulls(values));
  const view = controlPlaneView(effective, templates);
  const config = configText(effective, view);
  return [
    configMap(view, context, config),
    ...configRbac(view, context),
    ...identity(view, context),
    ...destination(view, context),
    ...proxyInjector(view, context),
    ...(view.disableHeartBeat ? [] : heartbeatRbac(view, context)),
    ...chartPodMonitors(view, context),
    proxyInjectorDeployment(view, context, config),
    ...(view.disableHeartBeat ? [] : [heartbeatCronJob(view, context)]),
  ];
}

function identity(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  return [
    ...trustRoots(values, context),
    ...identityRbac(values, context),
    ...identityServices(values, context),
    identityDeployment(values, context),
    ...disruptionBudget(values, context, 'linkerd-identity', 'identity'),
  ];
}

function destination(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  return [
    ...destinationRbac(values, context),
    ...policyRbac(values, context),
    ...destinationServices(values, context),
    destinationDeployment(values, context),
    ...validatingWebhooks(values, context),
    ...disruptionBudget(values, context, 'linkerd-dst', 'destination'),
  ];
}

function proxyInjector(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  return [
    ...proxyInjectorRbac(values, context),
    proxyInjectorService(values, context),
    proxyInjectorWebhook(values, context),
    ...disruptionBudget(values, context, 'linkerd-proxy-injector', 'proxy-injector'),
  ];
}

const OWN_RESOURCES = ['destinationProxyResources', 'identityProxyResources', 'proxyInjectorProxyResources'];

/**
 * Completes the resources of single proxies with those of all proxies. The chart changes the values themselves, so the
 * result is also in the `linkerd-config` ConfigMap.
 */
export function withProxyResources(values: Values): Values {
  const all = isMap(values.proxy) && isMap(values.proxy.resources) ? values.proxy.resources : {};
  const completed: Record<string, Value | undefined> = { ...values };
  for (const key of OWN_RESOURCES) {
    const own = values[key];
    if (isMap(own) && !isEmpty(own)) completed[key] = fillEmpty(own, all);
  }
  return completed;
}

/** Fills empty members from `fallback`, recursively, like `merge` in templates. */
function fillEmpty(values: Values, fallback: Values): Values {
  const filled: Record<string, Value | undefined> = { ...values };
  for (const [key, value] of Object.entries(fallback)) {
    const own = values[key];
    if (isMap(own) && isMap(value)) filled[key] = fillEmpty(own, value);
    else if (isEmpty(own)) filled[key] = value;
  }
  return filled;
}
