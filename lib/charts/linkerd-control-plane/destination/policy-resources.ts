/** API group of Linkerd's own policy resources. */
export const POLICY_GROUP = 'policy.linkerd.io';

/** API group of the routes that Linkerd shares with gateways. */
export const GATEWAY_GROUP = 'gateway.networking.k8s.io';

/** Resources that say how traffic is routed, of the Gateway API. */
export const GATEWAY_ROUTES = ['httproutes', 'grpcroutes', 'tlsroutes', 'tcproutes'];
