import { isMap, type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import type { IgnoreDifference } from '../tree/ignore-difference';

/** Name of Argo Rollouts' Gateway API plugin in Rollouts. */
export const GATEWAY_API_PLUGIN = 'argoproj-labs/gatewayAPI';

const ROUTES = 'gateway.networking.k8s.io';
const WEIGHTS = '.spec.rules[]?.backendRefs[]?.weight';

/** The field that Argo Rollouts adds to the selectors of the services of a Rollout. */
const HASH = '/spec/selector/rollouts-pod-template-hash';

/** Returns the weights of a route, and its rules of these names, which a Rollout adds and removes in its steps. */
export function routeFields(
  kind: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  rules: readonly string[] = [],
): IgnoreDifference {
  const added = rules.map((rule) => `.spec.rules[]? | select(.name == ${JSON.stringify(rule)})`);
  return { group: ROUTES, kind, namespace, name, jqPathExpressions: [WEIGHTS, ...added] };
}

/** Returns the part of a service's selector that selects one version. */
export function serviceFields({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): IgnoreDifference {
  return { group: '', kind: 'Service', namespace, name, jsonPointers: [HASH] };
}

/**
 * Returns the fields that Argo Rollouts changes for a Rollout: the selectors of its services, the weights of the routes
 * of its Gateway API plugin, and the rules of its managed routes. Returns nothing for other objects.
 */
export function rolloutFields(object: KubernetesObject): readonly IgnoreDifference[] {
  const { apiVersion, kind, metadata } = object;
  if (kind !== 'Rollout' || apiGroup(apiVersion) !== 'argoproj.io') return [];
  const at = (path: string) => valueAt(object as Values, `spec.strategy.${path}`);
  const { namespace = '' } = metadata;
  const services = [
    'canary.stableService',
    'canary.canaryService',
    'blueGreen.activeService',
    'blueGreen.previewService',
  ];
  const plugins = at('canary.trafficRouting.plugins');
  const plugin = isMap(plugins) ? plugins[GATEWAY_API_PLUGIN] : undefined;
  const rules = namesIn(at('canary.trafficRouting.managedRoutes')).filter((rule) => /^[\w.-]+$/.test(rule));
  return [
    ...services.flatMap((path) => textsIn(at(path))).map((name) => serviceFields({ namespace, name })),
    ...(isMap(plugin) ? routesOf(plugin, namespace, rules) : []),
  ];
}

function routesOf(plugin: Values, ownNamespace: string, rules: readonly string[]): readonly IgnoreDifference[] {
  const [namespace = ownNamespace] = textsIn(plugin.namespace);
  const named = (kind: string, one: string) =>
    [...textsIn(plugin[one]), ...namesIn(plugin[`${one}s`])].map((name) =>
      routeFields(kind, { namespace, name }, rules),
    );
  return [...named('HTTPRoute', 'httpRoute'), ...named('GRPCRoute', 'grpcRoute')];
}

function textsIn(value: unknown): readonly string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.flatMap((item) => (isMap(item) ? textsIn(item.name) : [])) : [];
}
