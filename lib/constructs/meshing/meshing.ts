import type { ApiObject } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { addRule } from '../../gitops/tree/add-rule';
import { jsonOf } from '../../gitops/tree/api-objects';
import { meshScopeOf } from '../../gitops/tree/mesh-scope';
import { apiObjectOf, type Meshable, type PlusResource } from '../../gitops/tree/meshable';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { keysOf, readOptions, required, unknownKeys } from '../../kubernetes/known-keys';
import { checkDnsLabel } from '../../kubernetes/names';
import { DEFAULT_INBOUND_POLICY, INJECT, type InjectMode, OPAQUE_PORTS } from '../../linkerd/annotations';
import { type Ports, portsText } from '../../linkerd/ports';
import { type Release, releaseOf } from '../../linkerd/releases/release';
import { checkNodeNetworks } from '../control-plane/control-plane-values';
import { type ProxyRequirement, requireProxies } from '../control-plane/proxy-admission-policy';
import type { AllowOptions } from '../policy/allow-options';
import { checkNamespaceMode, DEFAULT_DENY_OPTIONS, type DefaultDenyOptions } from '../policy/default-deny';
import { EgressPolicy } from '../policy/egress';
import type { EgressOptions } from '../policy/egress-rules';
import { POLICY_FINDINGS } from '../policy/findings';
import { Policies } from '../policy/policies';
import type { RateLimitOptions } from '../policy/rate-limit';
import { annotate } from './annotate';
import { type Annotations, configAnnotations } from './config/config-annotations';
import { checkMeshConfig } from './config/config-rules';
import { shapedConfig } from './config/config-shape';
import { MESH_CONFIG, MESH_CONFIG_KEYS, type MeshConfig } from './config/mesh-config';
import { checkMeshedNamespace, type InjectConfig, type Injection, injectPods } from './inject';
import { knownValuesOf, MESH, type Mesh } from './mesh';
import { checkOpaqueService } from './opaque-service';

/** The differences of a namespace's pods from the mesh's defaults, and what is required of them. */
export interface NamespaceConfig extends MeshConfig {
  /**
   * The fate of pods that come without the proxy that they should have; `false` for none. With `deny` no such pod starts
   * while no proxy injector answers: best with `highAvailability`.
   *
   * @default - the control plane's `requireProxy` in namespaces of the mesh's own, none in others
   */
  readonly requireProxy?: ProxyRequirement | false;
}

/** Props of Meshing. */
export interface MeshingProps {
  /** The control plane, or just its release where it is installed elsewhere. */
  readonly controlPlane: Mesh;
}

const NAMESPACE_CONFIG = keysOf<NamespaceConfig>({ ...MESH_CONFIG_KEYS, requireProxy: true });
const PROPS = keysOf<MeshingProps>({ controlPlane: required(MESH) });

/**
 * Makes workloads part of the mesh, or keeps them out of it, by the annotations that Linkerd's proxy injector reads on
 * pods and namespaces. Works on objects of cdk8s-plus, on plain cdk8s objects (Argo Rollouts and Elastic's kinds among
 * them), on namespaces, and for charts of others, whose values take annotations.
 *
 * What Linkerd does depends on its release, above all how jobs end, so all of it hangs on one mesh.
 *
 * @example
 * const meshing = new Meshing(home, 'meshing', { controlPlane: linkerd });
 * meshing.namespace('shop');
 * meshing.inject(database, { opaquePorts: [3306], proxy: { memory: { request: '32Mi', limit: '64Mi' } } });
 * meshing.exclude(nightlyBackup);
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
    addRule(this, () => checkNodeNetworks(given.controlPlane.nodeNetworks));
  }

  /** Gives the target's pods a proxy; of a namespace, all its pods that do not say otherwise themselves. */
  inject(target: Meshable, config: InjectConfig = {}): void {
    this.apply(target, { mode: 'enabled', config });
  }

  /**
   * Gives the target's pods a proxy that finds destinations by the request's `l5d-dst-override` or Host header, not by
   * the address that the pod connects to: for ingress controllers that choose among the pods of a service themselves.
   * Such a proxy handles HTTP only, and clients from outside must not be able to set that header (see `DstOverride`).
   */
  injectIngress(target: Meshable, config: InjectConfig = {}): void {
    this.apply(target, { mode: 'ingress', config });
  }

  /** Keeps the target's pods out of the mesh, whatever their namespace says. */
  exclude(target: Meshable, place: Pick<InjectConfig, 'podMetadata'> = {}): void {
    this.apply(target, { mode: 'disabled', config: place });
  }

  /** The namespace of that name, with all pods in it out of the mesh that do not say otherwise themselves. */
  excludeNamespace(name: string, config: NamespaceConfig = {}): ApiObject {
    return this.namespace(name, config, 'disabled');
  }

  /** The namespace of that name, with all pods in it part of the mesh that do not say otherwise themselves. */
  namespace(name: string, config: NamespaceConfig = {}, mode: InjectMode = 'enabled'): ApiObject {
    const { options, problems } = readOptions<NamespaceConfig>(NAMESPACE_CONFIG, config);
    const { requireProxy, ...podConfig } = options;
    addRule(this, () => problems);
    const isPossible = checkDnsLabel('namespace', name).length === 0;
    if (requireProxy !== undefined && isPossible) this.requireProxy(name, requireProxy);
    const namespace = ensureNamespace(this, name, { annotations: this.podAnnotations(podConfig, mode) });
    addRule(this, () => checkDnsLabel('namespace', name));
    if (mode !== 'disabled') addRule(this, () => checkMeshedNamespace(namespace, this.controlPlane));
    return namespace;
  }

  /**
   * Decides the fate of pods that come without the proxy that they should have, as before the proxy injector runs, in a
   * namespace that somebody else makes. Pods that are there already stay.
   */
  requireProxy(namespace: string, action: ProxyRequirement | false = 'deny'): void {
    requireProxies(this, { namespace, action, mesh: this.controlPlane, preset: false });
  }

  /**
   * Says that connections to ports of a service are proxied without a look at their protocol. To be said of the pods as
   * well, which clients connect to.
   */
  opaquePorts(service: ApiObject | PlusResource, ports: Ports): void {
    const object = apiObjectOf(service);
    const conflicts = annotate(object, object.metadata, { [OPAQUE_PORTS]: portsText(ports) });
    addRule(service, () => [...conflicts, ...jsonOf(object).flatMap((json) => checkOpaqueService(json, ports))]);
  }

  /**
   * Lets clients reach ports of a Service, or of the pods of a workload. From then on nobody else reaches these ports,
   * but for whom another call lets in, and kubelets at the paths of the pods' HTTP probes. Clients are known by the
   * service accounts of their pods, which have to be meshed, or by their addresses.
   *
   * @example
   * meshing.allow(api, { from: [web, Clients.namespace('jobs')] });
   * meshing.allow(api, { from: [prometheus], ports: ['metrics'], requests: [{ method: 'GET', path: '/metrics' }] });
   */
  allow(target: Meshable, options: AllowOptions): void {
    this.policies.allow(target, options);
  }

  /**
   * Has connections to pods of a namespace told of, or refused, that nothing allows: on ports that no Server is about.
   * The pods take it from their namespace when they are created; those that are there keep what they have until they are
   * restarted, which neither the operator nor `restart: 'auto'` does for it.
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
    ]);
    ensureNamespace(this, namespace, { annotations: { [DEFAULT_INBOUND_POLICY]: mode } });
    if (scrapers !== undefined) this.policies.allowScrapes(namespace, scrapers);
  }

  /**
   * Limits the requests of HTTP that ports of a Service, or of the pods of a workload, take in a second. It shuts nobody
   * out who gets in without it. Not in 2.14.
   *
   * @example
   * meshing.limitRequests(api, { total: 100, perClient: 20, overrides: [{ clients: [web], perClient: 50 }] });
   */
  limitRequests(target: Meshable, options: RateLimitOptions): void {
    this.policies.limit(target, options);
  }

  /**
   * Says which hosts outside of the cluster the meshed pods of a namespace may reach. Not in 2.14.
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

  /** The annotations that make pods part of the mesh, for the values of a chart that takes pod annotations. */
  podAnnotations(config: MeshConfig = {}, mode: InjectMode = 'enabled'): Annotations {
    const { options, problems: unknown } = readOptions<MeshConfig>(MESH_CONFIG, config);
    const { config: shaped, problems } = shapedConfig(options);
    addRule(this, () => [...unknown, ...problems, ...checkMeshConfig(shaped, this.controlPlane)]);
    return { [INJECT]: mode, ...configAnnotations(shaped, this.release) };
  }

  /**
   * Says that meshed pods come after the control plane: those that are created before its injector runs get no proxy.
   *
   * @internal
   */
  dependOnMesh(pods: IConstruct): void {
    const { controlPlane } = this;
    if (Construct.isConstruct(controlPlane) && meshScopeOf(pods) === meshScopeOf(controlPlane))
      dependsOn(pods, controlPlane);
  }

  /** The policies of the cluster, which come after the control plane that keeps them. */
  private get policies(): Policies {
    const { release, controlPlane } = this;
    const policies = Policies.of(this, { release, values: () => knownValuesOf(controlPlane) });
    if (!this.dependents.has(policies)) this.dependOnMesh(policies);
    this.dependents.add(policies);
    return policies;
  }

  private apply(target: Meshable, injection: Injection): void {
    injectPods(target, injection, this.controlPlane);
    if (injection.mode !== 'disabled') this.dependOnMesh(target);
  }
}
