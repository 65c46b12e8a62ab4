import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import type { Values } from '../../../kubernetes/values';
import type { ControlPlaneTemplates } from '../../releases/linkerd/control-plane';
import { withoutNulls } from '../chart-view';
import { knownRender } from '../known-renders';
import type { RenderContext } from '../render-context';
import { configMap, configText } from './config/config-map';
import { configRbac } from './config/rbac';
import { type ControlPlaneView, controlPlaneView } from './control-plane-view';
import { destinationDeployment } from './destination/deployment';
import { policyRbac } from './destination/policy-rbac';
import { destinationRbac } from './destination/rbac';
import { destinationServices } from './destination/services';
import { validatingWebhooks } from './destination/webhooks';
import { heartbeatCronJob } from './heartbeat/cron-job';
import { heartbeatRbac } from './heartbeat/rbac';
import { identityDeployment } from './identity/deployment';
import { identityRbac } from './identity/rbac';
import { identityServices } from './identity/services';
import { trustRoots } from './identity/trust-roots';
import { chartPodMonitors } from './monitoring/pod-monitors';
import { proxyInjectorDeployment } from './proxy-injector/deployment';
import { proxyInjectorRbac } from './proxy-injector/rbac';
import { proxyInjectorService } from './proxy-injector/service';
import { proxyInjectorWebhook } from './proxy-injector/webhook';
import { withProxyResources } from './proxy-resources';
import { disruptionBudget } from './workload/disruption-budget';

/**
 * Every object of the control plane, equal to what the official chart of a release renders but for
 * `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's over the chart's own; null removes a key. To be checked by
 * `checkControlPlaneRender` first.
 */
export function renderControlPlane(
  values: Values,
  context: RenderContext,
  templates: ControlPlaneTemplates,
): readonly KubernetesObject[] {
  const effective = withProxyResources(withoutNulls(values));
  const view = controlPlaneView(effective, templates);
  const config = configText(effective, view);
  return [
    configMap(view, context, config),
    ...commonObjects(effective, context, templates),
    proxyInjectorDeployment(view, context, config),
    ...(view.disableHeartBeat ? [] : [heartbeatCronJob(view, context)]),
  ];
}

/** The objects that do not say when the heartbeat is: clusters have these in common. */
function commonObjects(
  { heartbeatSchedule: _, ...values }: Values,
  { namespace }: RenderContext,
  templates: ControlPlaneTemplates,
): readonly KubernetesObject[] {
  const source = JSON.stringify(['common objects of linkerd-control-plane', namespace, templates, values]);
  return knownRender(source, () => {
    const view = controlPlaneView(values, templates);
    const context = { namespace };
    return [
      ...configRbac(view, context),
      ...identity(view, context),
      ...destination(view, context),
      ...proxyInjector(view, context),
      ...(view.disableHeartBeat ? [] : heartbeatRbac(view, context)),
      ...chartPodMonitors(view, context),
    ];
  });
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
