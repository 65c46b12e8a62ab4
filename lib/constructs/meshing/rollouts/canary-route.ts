import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import type { HTTPRoute, HTTPRouteV1Beta1 } from '#imports/crds/gateway.networking.k8s.io';
import { checkDnsSubdomain, checkPort } from '#kubernetes/names';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import { keysOf, NUMBER, required } from '#kubernetes/options/known-keys';
import { GATEWAY_API_PLUGIN, routeFields, serviceFields } from '#lib/gitops/synth/rollout-fields';
import { addRule } from '#lib/gitops/tree/add-rule';
import { setHomeNamespace } from '#lib/gitops/tree/home-namespace';
import type { IgnoreDifference } from '#lib/gitops/tree/ignore-difference';
import { ignoreFields } from '#lib/gitops/tree/ignored-fields';
import { manifest } from '#lib/gitops/tree/manifest';
import { propsOf } from '#lib/gitops/tree/prop-of-shape';
import { releaseOf } from '#linkerd/releases/release';
import { MESHING_FINDINGS } from '../findings';
import { MESH, type Mesh } from '../mesh';
import { checkService, SERVICE, type ServiceName, type ServiceObject, serviceNameOf } from '../service-name';

/** The services of a canary rollout. */
export interface CanaryRouteProps {
  /** The control plane, or only its release if another tool installs it. */
  readonly controlPlane: Mesh;

  /** The service that clients connect to, as an object or by name. */
  readonly service: ServiceObject | ServiceName;
  /** The service in front of the pods of the stable version. In the same namespace. */
  readonly stable: ServiceObject | ServiceName;
  /** The service in front of the pods of the new version. In the same namespace. */
  readonly canary: ServiceObject | ServiceName;

  /** Port of all three services. */
  readonly port: number;

  /**
   * Name of the HTTPRoute.
   *
   * @default - the name of `service`
   */
  readonly name?: string;
}

const PROPS = keysOf<CanaryRouteProps>({
  controlPlane: required(MESH),
  service: required(SERVICE),
  stable: required(SERVICE),
  canary: required(SERVICE),
  port: NUMBER,
  name: true,
});

/**
 * The HTTPRoute with which Linkerd splits the requests to a service between the stable and the new version, and whose
 * weights Argo Rollouts sets. Requires Argo Rollouts with its Gateway API plugin
 * (https://rollouts-plugin-trafficrouter-gatewayapi.readthedocs.io), and meshed clients. Add the Rollout's pods to the
 * mesh with `meshing.inject(rollout)`.
 *
 * With Linkerd 2.14, use a plugin before 0.3: later ones do not read v1beta1.
 *
 * During a sync Argo CD leaves the weights and the selectors of the services to Argo Rollouts: the Application of the
 * namespace applies only objects that differ from Git, and ignores differences in these fields. Change the route and
 * its services in Git between rollouts: an object that differs is applied as a whole, and all requests go to the stable
 * version until Argo Rollouts reconciles the Rollout again.
 *
 * @example
 * const route = new CanaryRoute(home, 'canary', {
 *   controlPlane,
 *   service: { namespace: 'shop', name: 'web' },
 *   stable: { namespace: 'shop', name: 'web-stable' },
 *   canary: { namespace: 'shop', name: 'web-canary' },
 *   port: 80,
 * });
 * const strategy = { canary: { ...route.strategy, steps: [{ setWeight: 20 }, { pause: {} }] } };
 */
export class CanaryRoute extends Construct {
  /**
   * The fields that Argo CD must leave to Argo Rollouts, for an Application that you write yourself: the weights, and
   * the hash that Rollouts adds to the selectors of the services. A Platform sets them automatically.
   *
   * Alone they only hide a difference, and the next sync resets the fields during a rollout. Also set
   * `ApplyOutOfSyncOnly=true` in the same Application, so that it applies only objects that differ. Do not use
   * `RespectIgnoreDifferences=true` instead: Argo CD would replace all rules from Git with the live ones, because the
   * weights are in a list, and no change of a rule would reach the cluster.
   */
  static readonly ignoreDifferences: readonly IgnoreDifference[] = deepFreeze([
    {
      group: 'gateway.networking.k8s.io',
      kind: 'HTTPRoute',
      jqPathExpressions: ['.spec.rules[]?.backendRefs[]?.weight'],
    },
    { group: '', kind: 'Service', jsonPointers: ['/spec/selector/rollouts-pod-template-hash'] },
  ]);

  /** Name of the HTTPRoute. */
  readonly routeName: string;
  /** Namespace of the HTTPRoute and of its services. */
  readonly namespace: string;

  /**
   * The part of the Rollout for `spec.strategy.canary`, next to its steps.
   */
  readonly strategy: {
    readonly stableService: string;
    readonly canaryService: string;
    readonly trafficRouting: { readonly plugins: Readonly<Record<string, object>> };
  };

  constructor(scope: Construct, id: string, props: CanaryRouteProps) {
    super(scope, id);
    const given = propsOf<CanaryRouteProps>(this, PROPS, props);
    const service = serviceNameOf(given.service);
    const stable = serviceNameOf(given.stable);
    const canary = serviceNameOf(given.canary);
    this.routeName = given.name ?? service.name;
    this.namespace = service.namespace;
    this.strategy = {
      stableService: stable.name,
      canaryService: canary.name,
      trafficRouting: { plugins: { [GATEWAY_API_PLUGIN]: { httpRoute: this.routeName, namespace: this.namespace } } },
    };
    setHomeNamespace(this, this.namespace);
    const target = { group: '', kind: 'Service', port: given.port };
    const route = manifest(this, 'route', {
      apiVersion: releaseOf(given.controlPlane.release).groups.crds.templates.gatewayApi.routeVersion,
      kind: 'HTTPRoute',
      metadata: { name: this.routeName, namespace: this.namespace },
      spec: {
        parentRefs: [{ ...target, name: service.name }],
        rules: [
          {
            backendRefs: [
              { ...target, name: stable.name, weight: 100 },
              { ...target, name: canary.name, weight: 0 },
            ],
          },
        ],
      },
    } satisfies HTTPRoute | HTTPRouteV1Beta1);
    ignoreFields(route, [
      routeFields('HTTPRoute', { namespace: this.namespace, name: this.routeName }),
      ...[stable, canary].map(serviceFields),
    ]);
    addRule(this, () => [...checkCanaryRoute(given), ...checkDnsSubdomain('name', this.routeName)]);
  }
}

function checkCanaryRoute(props: CanaryRouteProps): readonly Problem[] {
  const fields = ['service', 'stable', 'canary'] as const;
  const services = fields.map((field) => serviceNameOf(props[field]));
  const full = services.map(({ name, namespace }) => `${namespace}/${name}`);
  const problems = [...fields.flatMap((field) => checkService(field, props[field])), ...checkPort('port', props.port)];
  if (new Set(services.map(({ namespace }) => namespace)).size > 1) {
    problems.push(MESHING_FINDINGS.canaryRouteRefusedNamespaces({ services: full.join(', ') }));
  }
  if (new Set(full).size < full.length) {
    problems.push(MESHING_FINDINGS.canaryRouteRefusedRepeated({ services: full.join(', ') }));
  }
  return problems;
}
