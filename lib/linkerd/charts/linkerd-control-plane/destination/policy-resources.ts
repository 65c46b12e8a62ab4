import type { ControlPlaneTemplates } from '../../../releases/linkerd/control-plane';

/** API group of Linkerd's own policy resources. */
export const POLICY_GROUP = 'policy.linkerd.io';

/** API group of the routes that Linkerd shares with gateways. */
export const GATEWAY_GROUP = 'gateway.networking.k8s.io';

const EGRESS: ReadonlySet<string> = new Set(['egressnetworks', 'httplocalratelimitpolicies']);

/** Those of Linkerd's policy resources that a control plane acts on. */
export function policyResources(templates: ControlPlaneTemplates, resources: readonly string[]): readonly string[] {
  return templates.egressAndExternalWorkloads ? resources : resources.filter((resource) => !EGRESS.has(resource));
}

/** Resources of the Gateway API that say how traffic is routed, and that a control plane acts on. */
export function gatewayRoutes({ egressAndExternalWorkloads }: ControlPlaneTemplates): readonly string[] {
  return ['httproutes', ...(egressAndExternalWorkloads ? ['grpcroutes', 'tlsroutes', 'tcproutes'] : [])];
}
