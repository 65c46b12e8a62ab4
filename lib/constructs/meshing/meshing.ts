import type { ApiObject } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { valueAtPointer } from '#base/json-pointer';
import { checkDnsLabel } from '#kubernetes/names';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { keysOf, readOptions, required, unknownKeys } from '#kubernetes/options/known-keys';
import type { InjectMode } from '#linkerd/annotation-values';
import { DEFAULT_INBOUND_POLICY, INJECT, OPAQUE_PORTS } from '#linkerd/annotations';
import { checkPorts, includesPort, type Ports, portsText } from '#linkerd/ports';
import { type Release, releaseOf } from '#linkerd/releases/release';
import { addRule } from '../../gitops/tree/add-rule';
import { jsonOf } from '../../gitops/tree/api-objects';
import { meshScopeOf } from '../../gitops/tree/mesh-scope';
import { apiObjectOf, type Meshable, type PlusResource } from '../../gitops/tree/meshable';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { declareMeshValues } from '../../gitops/tree/releases';
import { checkNodeNetworks } from '../control-plane/control-plane-values';
import { type ProxyRequirement, requireProxies } from '../control-plane/proxy-admission-policy';
import type { AllowOptions } from '../policy/allow-options';
import { checkNamespaceMode, DEFAULT_DENY_OPTIONS, type DefaultDenyOptions } from '../policy/default-deny';
import { EgressPolicy } from '../policy/egress';
import type { EgressOptions } from '../policy/egress-rules';
import { POLICY_FINDINGS } from '../policy/findings';
import { Policies, type PolicyTarget } from '../policy/policies';
import type { RateLimitOptions } from '../policy/rate-limit';
import { annotate } from './annotate';
import { type Annotations, configAnnotations } from './config/config-annotations';
import { checkMeshConfig } from './config/config-rules';
import { shapedConfig } from './config/config-shape';
import { MESH_CONFIG, MESH_CONFIG_KEYS, type MeshConfig } from './config/mesh-config';
import { MESHING_FINDINGS } from './findings';
import { checkMeshedNamespace, type InjectConfig, type Injection, injectPods } from './inject';
import { knownValuesOf, MESH, type Mesh } from './mesh';

/** Settings of a namespace's pods that differ from the mesh's defaults, and whether they require a proxy. */
export interface NamespaceConfig extends MeshConfig {
  /**
   * What to do with pods that start without their proxy; `false` for nothing. With `deny`, meshed pods do not start
   * until a proxy injector answers: use it with `highAvailability`.
   *
   * @default - the control plane's `requireProxy` in namespaces of extensions and the operator, `false` in others
   */
  readonly requireProxy?: ProxyRequirement | false;
}

/** Props of Meshing. */
export interface MeshingProps {
  /** The control plane, or only its release if another tool installs it. */
  readonly controlPlane: Mesh;
}

const NAMESPACE_CONFIG = keysOf<NamespaceConfig>({ ...MESH_CONFIG_KEYS, requireProxy: true });
const PROPS = keysOf<MeshingProps>({ controlPlane: required(MESH) });

/**
 * Adds workloads to the mesh, or keeps them out of it, by the annotations that Linkerd's proxy injector reads on pods
 * and namespaces. Accepts objects of cdk8s-plus, plain cdk8s objects (including Argo Rollouts and Elastic's kinds) and
 * namespaces, and returns annotations for the values of third-party charts.
 *
 * Linkerd's behavior depends on its release, above all for jobs, so a Meshing belongs to one mesh.
 *
 * @example
 * const meshing = new Meshing(home, 'meshing', { controlPlane });
 * meshing.namespace('shop', { requireProxy: 'deny' });
 * meshing.inject(database, { opaquePorts: [3306], proxy: { memory: { request: '32Mi', limit: '64Mi' } } });
 * meshing.exclude(backup);
 */
export class Meshing extends Construct {
  readonly release: Release;
  private readonly controlPlane: Mesh;
  private readonly dependents = new Set<Construct>();

  constructor(scope: Construct, id: string, props: MeshingProps) {
    super(scope, id);
    const given = propsOf<MeshingProps>(this, PROPS, props);
    this.controlPlane = given.controlPlane;
    this.release = releaseOf(given.controlPlane.release);
    declareMeshValues(this, () => knownValuesOf(given.controlPlane));
    addRule(this, () => checkNodeNetworks(given.controlPlane.nodeNetworks));
  }

  /** Injects a proxy into the target's pods; for a namespace, into all pods that do not have the annotation. */
  inject(target: Meshable, config: InjectConfig = {}): void {
    this.apply(target, { mode: 'enabled', config });
  }

  /**
   * Injects a proxy that finds destinations by the request's `l5d-dst-override` or Host header instead of the address
   * that the pod connects to: for ingress controllers that choose among the pods of a service themselves. Such a proxy
   * handles HTTP only, and clients outside the cluster must not be able to set that header (see `DstOverride`).
   */
  injectIngress(target: Meshable, config: InjectConfig = {}): void {
    this.apply(target, { mode: 'ingress', config });
  }

  /** Keeps the target's pods out of the mesh, also in a meshed namespace. */
  exclude(target: Meshable, place: Pick<InjectConfig, 'podMetadata'> = {}): void {
    this.apply(target, { mode: 'disabled', config: place });
  }

  /** Returns the Namespace, created if needed. Its pods stay out of the mesh, except those with another annotation. */
  excludeNamespace(name: string, config: NamespaceConfig = {}): ApiObject {
    return this.namespace(name, config, 'disabled');
  }

  /** Returns the Namespace, created if needed. Its pods join the mesh, except those with another annotation. */
  namespace(name: string, config: NamespaceConfig = {}, mode: InjectMode = 'enabled'): ApiObject {
    const { options, problems } = readOptions<NamespaceConfig>(NAMESPACE_CONFIG, config);
    const { requireProxy, ...podConfig } = options;
    const isPossible = checkDnsLabel('namespace', name).length === 0;
    if (requireProxy !== undefined && isPossible) this.requireProxy(name, requireProxy);
    const { annotations, rule } = this.annotating(podConfig, mode, 'namespace');
    const namespace = ensureNamespace(this, name, { annotations });
    addRule(namespace, () => [...problems, ...rule()]);
    addRule(this, () => checkDnsLabel('namespace', name));
    if (mode !== 'disabled') addRule(this, () => checkMeshedNamespace(namespace, this.controlPlane));
    return namespace;
  }

  /**
   * Sets what to do with pods that start without their proxy, for example before the proxy injector runs, in a
   * namespace that another tool creates. Existing pods keep running.
   */
  requireProxy(namespace: string, action: ProxyRequirement | false = 'deny'): void {
    requireProxies(this, { namespace, action, mesh: this.controlPlane, preset: false });
  }

  /**
   * Turns off protocol detection for connections to ports of a service. Set the ports on its pods as well, because
   * meshed clients connect to the pods directly.
   */
  opaquePorts(service: ApiObject | PlusResource, ports: Ports): void {
    if (!this.isTarget(service)) return;
    const object = apiObjectOf(service);
    const conflicts = annotate(object, object.metadata, { [OPAQUE_PORTS]: portsText(ports) });
    addRule(service, () => [...conflicts, ...jsonOf(object).flatMap((json) => checkOpaqueService(json, ports))]);
  }

  /**
   * Allows clients to reach ports of a Service, or of the pods of a workload. Proxies then refuse (with
   * `mode: 'audit'`, report) all other clients at these ports, except those that another call allows, and kubelets at
   * the paths of the pods' HTTP probes. Clients are identified by the service accounts of their pods, which must be
   * meshed, or by their addresses. For workloads of another repository or a chart, pass `Workloads`.
   *
   * @example
   * meshing.allow(api, { from: [web, Clients.namespace('jobs')], requests: [{ method: 'GET', path: '/items' }] });
   */
  allow(target: PolicyTarget, options: AllowOptions): void {
    this.policies.allow(target, options);
  }

  /**
   * Reports or refuses connections to ports of a namespace's pods that no Server selects. New pods take the setting
   * from their namespace. Existing pods keep theirs until they restart, and neither the operator nor `restart: 'auto'`
   * restarts them for this. Without a `mode`, proxies only report connections, and synth warns: `default-deny-audits`.
   *
   * @example
   * meshing.defaultDeny('shop', { mode: 'audit', scrapers: [prometheus] });
   */
  defaultDeny(namespace: string, options: DefaultDenyOptions = {}): void {
    const { mode = 'audit', scrapers } = options ?? {};
    addRule(this, () => [
      ...checkDnsLabel('namespace', namespace),
      ...checkNamespaceMode(mode, this.release),
      ...unknownKeys(DEFAULT_DENY_OPTIONS, options, 'defaultDeny'),
      ...(options?.mode == null ? [POLICY_FINDINGS.defaultDenyAudits({ namespace })] : []),
    ]);
    ensureNamespace(this, namespace, { annotations: { [DEFAULT_INBOUND_POLICY]: mode } });
    if (scrapers !== undefined) this.policies.allowScrapes(namespace, scrapers);
  }

  /**
   * Limits the HTTP requests per second to ports of a Service, or of the pods of a workload. It does not restrict which
   * clients may connect. Not in 2.14.
   *
   * @example
   * meshing.limitRequests(api, { total: 100, perClient: 20, overrides: [{ clients: [web], perClient: 50 }] });
   */
  limitRequests(target: PolicyTarget, options: RateLimitOptions): void {
    this.policies.limit(target, options);
  }

  /**
   * Sets which hosts outside the cluster the meshed pods of a namespace may reach. Not in 2.14.
   *
   * @example
   * meshing.egress('shop', { mode: 'deny', to: [{ hosts: ['api.example.com'] }] });
   */
  egress(namespace: string, options: EgressOptions = {}): void {
    const { name = 'egress' } = options;
    const id = `egress-${namespace}-${name}`;
    if (this.node.tryFindChild(id) === undefined) {
      this.dependOnMesh(new EgressPolicy(this, id, { namespace, release: this.release, options }));
    } else addRule(this, () => [POLICY_FINDINGS.policyNameTakenEgress({ namespace, name })]);
  }

  /** Returns the annotations that mesh pods, for the values of a chart that accepts pod annotations. */
  podAnnotations(config: MeshConfig = {}, mode: InjectMode = 'enabled'): Annotations {
    const { annotations, rule } = this.annotating(config, mode);
    addRule(this, rule);
    return annotations;
  }

  private annotating(config: MeshConfig, mode: InjectMode, of: 'pods' | 'namespace' = 'pods') {
    const { options, problems: unknown } = readOptions<MeshConfig>(MESH_CONFIG, config);
    const { config: shaped, problems } = shapedConfig(options);
    return {
      annotations: { [INJECT]: mode, ...configAnnotations(shaped, this.release) },
      rule: () => [...unknown, ...problems, ...checkMeshConfig(shaped, this.controlPlane, of)],
    };
  }

  /**
   * Orders meshed pods after the control plane: pods that are created before its injector runs get no proxy.
   *
   * @internal
   */
  dependOnMesh(pods: IConstruct): void {
    const { controlPlane } = this;
    if (Construct.isConstruct(controlPlane) && meshScopeOf(pods) === meshScopeOf(controlPlane))
      dependsOn(pods, controlPlane);
  }

  /** JavaScript may pass a name instead of a construct. */
  private isTarget(target: unknown): boolean {
    const isConstruct = Construct.isConstruct(target);
    if (!isConstruct) addRule(this, () => [MESHING_FINDINGS.targetRefused({ value: shownValue(target) })]);
    return isConstruct;
  }

  /** The policies, ordered after the control plane, which enforces them. */
  private get policies(): Policies {
    const { release, controlPlane } = this;
    const policies = Policies.of(this, { release, values: () => knownValuesOf(controlPlane) });
    if (!this.dependents.has(policies)) this.dependOnMesh(policies);
    this.dependents.add(policies);
    return policies;
  }

  private apply(target: Meshable, injection: Injection): void {
    if (!this.isTarget(target)) return;
    injectPods(target, injection, this.controlPlane);
    if (injection.mode !== 'disabled') this.dependOnMesh(target);
  }
}

function checkOpaqueService(service: KubernetesObject, ports: Ports): readonly Problem[] {
  const problems = checkPorts('opaquePorts', ports);
  if (service.kind !== 'Service' || apiGroup(service.apiVersion) !== '') {
    return [
      ...problems,
      MESHING_FINDINGS.opaquePortsRefusedObject({ object: describeObject(service), apiVersion: service.apiVersion }),
    ];
  }
  const own = portsOf(service);
  return [
    ...problems,
    ...ports
      .filter((port) => !own.some((number) => includesPort([port], number)))
      .map((port) =>
        MESHING_FINDINGS.opaquePortsRefusedPort({
          port: `${port}`,
          service: describeObject(service),
          ports: own.length > 0 ? own.join(', ') : 'no port',
        }),
      ),
  ];
}

function portsOf(service: KubernetesObject): readonly number[] {
  const ports = valueAtPointer(service, '/spec/ports');
  return Array.isArray(ports) ? ports.map(({ port }: { readonly port: number }) => port) : [];
}
