import { ApiObject, Chart } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import type { Values } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { isNamespace, podPlaces } from '#kubernetes/objects/pod-places';
import { unknownKeys } from '#kubernetes/options/known-keys';
import { DEFAULT_INBOUND_POLICY } from '#linkerd/annotations';
import type { Release } from '#linkerd/releases/release';
import { PodIndex } from '../../checks/policy/pod-index';
import { defaultPolicyAt, numbersOf } from '../../checks/policy/pod-sets';
import { defaultPolicyIn, proxySettings } from '../../checks/policy/proxy-settings';
import { addRule, Warnings } from '../../gitops/tree/add-rule';
import { jsonOf, objectsAround } from '../../gitops/tree/api-objects';
import { Cluster } from '../../gitops/tree/cluster';
import { factsOf } from '../../gitops/tree/cluster-facts';
import { manifest } from '../../gitops/tree/manifest';
import { meshScopeOf } from '../../gitops/tree/mesh-scope';
import { apiObjectOf, type Meshable } from '../../gitops/tree/meshable';
import { aheadOfWorkloads, dependsOn } from '../../gitops/tree/order';
import { type IPreparable, prepareTree } from '../../gitops/tree/prepare';
import { declareReferences } from '../../gitops/tree/references';
import { MULTICLUSTER_FACTS, type MulticlusterFacts } from '../multicluster/facts';
import { ALLOW_OPTIONS, type AllowOptions } from './allow-options';
import { type ClientSet, NO_CLIENTS, union } from './client-set';
import { type ClientGroup, clientsOfGroup, clientsOfObject, type PolicyClient, type ResolvedClients } from './clients';
import { POLICY_FINDINGS } from './findings';
import { type GuardedPort, guardedPorts } from './guarded-ports';
import { clientElsewhere, type MeshFacts, type TwoClusters, targetElsewhere } from './other-cluster';
import { contested, isDefined, noClients, noRequests, unknownMode } from './policy-problems';
import { checkPortPolicy, type PolicyMode, portPolicyObjects } from './port-policy';
import {
  RATE_LIMIT_OPTIONS,
  type RateLimit,
  type RateLimitOptions,
  rateLimitObject,
  readRateLimit,
} from './rate-limit';
import { checkRequests } from './requests';
import { scrapePolicy } from './scrape-policy';
import { type ReadWorkloads, readWorkloads, type WorkloadGroup } from './workloads';

/** What a policy protects: a construct, or one of `Workloads`. */
export type PolicyTarget = Meshable | WorkloadGroup;

interface Call {
  readonly target: PolicyTarget;
  readonly ports: readonly (number | string)[] | undefined;
  readonly allow?: AllowOptions;
  readonly limit?: RateLimitOptions;
}

interface PortCall {
  readonly call: Call;
  readonly port: GuardedPort;
  readonly clients: ClientSet;
  readonly limit: RateLimit | undefined;
}

/** The mesh whose proxies enforce the policies. */
export interface PolicyMesh {
  readonly release: Release;
  /** The known values of its control plane's chart. Call it at synth. */
  readonly values: () => Values;
}

const ID = 'linkerd-policies';

/**
 * The policies of a cluster. Two calls for the same port of the same pods share one Server. The policies are created at
 * synth, when all pods are known.
 */
export class Policies extends Construct implements IPreparable {
  private readonly calls = new Set<Call>();
  private readonly scrapes = new Map<string, readonly PolicyClient[]>();
  private readonly problems = new Map<Call, Problem[]>();
  private readonly names = new Set<string>();
  private isMade = false;

  private constructor(
    scope: Construct,
    private readonly mesh: PolicyMesh,
  ) {
    super(scope, ID);
  }

  /** Returns the policies of the cluster around `scope`. */
  static of(scope: Construct, mesh: PolicyMesh): Policies {
    const chart = Cluster.find(scope) ?? Chart.of(scope);
    const known = chart.node.tryFindChild(ID);
    return known instanceof Policies ? known : new Policies(chart, mesh);
  }

  /** Allows clients to reach ports of a target. All other clients are refused, unless another call allows them. */
  allow(target: PolicyTarget, options: AllowOptions): void {
    this.add({ target, ports: options?.ports, allow: options ?? {} });
  }

  /** Limits the requests to ports of a target. */
  limit(target: PolicyTarget, options: RateLimitOptions): void {
    this.add({ target, ports: options?.ports, limit: options ?? {} });
  }

  /** Allows only these clients to read the metrics of all proxies in a namespace. */
  allowScrapes(namespace: string, scrapers: readonly PolicyClient[]): void {
    this.scrapes.set(namespace, [...(this.scrapes.get(namespace) ?? []), ...listOf(scrapers)]);
    addRule(this, () => this.resolveClients('scrapers', scrapers).problems);
  }

  private add(call: Call): void {
    if (!this.isMade) this.calls.add(call);
    // Constructs of another cluster are no longer available.
    const place = this.placeOf(call.target);
    const target = clustersApart(this, place) ? this : place;
    addRule(target, () =>
      this.calls.has(call)
        ? (this.problems.get(call) ?? [])
        : [POLICY_FINDINGS.policyTooLate({ path: place.node.path })],
    );
  }

  /** The construct at which problems of a target are reported. */
  private placeOf(target: PolicyTarget): IConstruct {
    return Construct.isConstruct(target) ? target : this;
  }

  prepare(): void {
    this.isMade = true;
    if (this.calls.size === 0 && this.scrapes.size === 0) return;
    // Other constructs create pods when they are prepared.
    prepareTree(meshScopeOf(this), 'Platform');
    const index = new PodIndex(
      objectsAround(this)
        .filter((object) => isNamespace(object) || podPlaces(object).length > 0)
        .flatMap(({ json }) => json()),
      () => proxySettings(this.mesh.values()),
    );
    for (const [namespace, scrapers] of this.scrapes) this.addScrapes(namespace, scrapers, index);
    const found = [...this.calls].flatMap((call) => this.resolve(call, index));
    const byPort = grouped(found.map((one) => [portKey(one.port), one]));
    for (const group of byPort.values()) this.addPort(group, index);
  }

  private addScrapes(namespace: string, scrapers: readonly PolicyClient[], index: PodIndex): void {
    const { clients } = this.resolveClients('scrapers', scrapers);
    const policy = scrapePolicy(namespace, clients, {
      accessPolicy: accessPolicyOf(policyOfNamespace(namespace, index)),
      serverVersion: this.serverVersion,
      probeNetworks: index.settings.probeNetworks,
    });
    this.addObjects(portPolicyObjects(policy), []);
  }

  private get serverVersion(): string {
    return this.mesh.release.groups.crds.templates.serverVersion;
  }

  private resolve(call: Call, index: PodIndex): readonly PortCall[] {
    const { object, problems: ofTarget } = Construct.isConstruct(call.target)
      ? this.readTarget(call.target)
      : this.readReference(call.target);
    if (object === undefined) {
      this.problems.set(call, [...ofTarget]);
      return [];
    }
    const { ports, problems } = guardedPorts(object, call.ports, index);
    const { clients, problems: ofClients } =
      call.allow === undefined ? NOTHING : this.resolveClients('from', call.allow.from);
    const limit =
      call.limit === undefined
        ? undefined
        : readRateLimit(call.limit, (field, clients) => this.resolveClients(field, clients));
    const found = [...problems, ...ofClients, ...this.checkOptions(call), ...(limit?.problems ?? [])];
    this.problems.set(call, found);
    return found.length > 0 ? [] : ports.map((port) => ({ call, port, clients, limit: limit?.limit }));
  }

  /** Declares the namespace of the workloads as external, because another construct or program may create it. */
  private readReference(target: WorkloadGroup): ReadWorkloads {
    const read = readWorkloads(target);
    const { namespace } = read.object?.metadata ?? {};
    if (namespace !== undefined) declareReferences(this, { external: [{ kind: 'Namespace', name: namespace }] });
    return read;
  }

  private readTarget(target: Meshable): ReadWorkloads {
    const { path } = target.node;
    const elsewhere = clustersApart(this, target);
    if (elsewhere !== undefined) return { problems: [targetElsewhere(path, elsewhere)] };
    const found = objectBehind(target);
    if (found === undefined) {
      return { problems: [POLICY_FINDINGS.policyTargetRefusedObject({ field: 'The target of a policy', path })] };
    }
    const [object] = jsonOf(found);
    return { ...(object !== undefined && { object }), problems: [] };
  }

  private checkOptions({ allow, limit }: Call): readonly Problem[] {
    if (limit !== undefined) {
      const isKnown = isDefined(this.mesh.release, 'httplocalratelimitpolicies');
      return [
        ...unknownKeys(RATE_LIMIT_OPTIONS, limit, 'limitRequests'),
        ...(isKnown
          ? []
          : [
              POLICY_FINDINGS.policyUnsupported({
                call: 'limitRequests()',
                version: this.mesh.release.version,
                kind: 'HTTPLocalRateLimitPolicy',
              }),
            ]),
      ];
    }
    const { requests, probePaths, mode } = allow ?? {};
    return [
      ...unknownKeys(ALLOW_OPTIONS, allow, 'allow'),
      // An empty list of requests would allow all of them.
      ...(requests === undefined || (Array.isArray(requests) && requests.length > 0) ? [] : [noRequests(requests)]),
      ...listOf(requests).flatMap((one, index) => checkRequests(`requests[${index}]`, one)),
      ...listOf(probePaths).flatMap((path, index) => checkRequests(`probePaths[${index}]`, { path })),
      ...this.checkMode(mode),
    ];
  }

  private addPort(calls: readonly [PortCall, ...PortCall[]], index: PodIndex): void {
    const [first = calls[0]] = calls.toSorted((one, other) => (one.port.name < other.port.name ? -1 : 1));
    const { port } = first;
    const allowed = calls.flatMap(({ call: { allow }, clients }) => (allow === undefined ? [] : [{ allow, clients }]));
    const protocols = distinct(allowed.map(({ allow }) => allow.protocol));
    const modes = distinct(allowed.map(({ allow }) => allow.mode));
    const limits = calls.flatMap(({ limit }) => limit ?? []);
    const unguarded = allowed.length > 0 ? [] : this.unguardedPolicies(port, index);
    const policy = {
      port,
      grants: allowed.map(({ clients, allow }) => {
        const requests = listOf(allow.requests);
        return {
          clients: requests.length === 0 ? clients : NO_CLIENTS,
          requests: requests.map((one) => ({ requests: one, clients })),
          probePaths: listOf(allow.probePaths),
        };
      }),
      protocol: protocols[0],
      accessPolicy: unguarded[0] ?? accessPolicyOf(modes[0] ?? policyOfNamespace(port.namespace, index)),
      serverVersion: this.serverVersion,
      probeNetworks: index.settings.probeNetworks,
    };
    const problems = [
      ...checkPortPolicy(policy, limits.length > 0),
      ...contested(port, 'protocol', protocols),
      ...contested(port, 'mode', modes),
      ...contested(port, 'accessPolicy', unguarded),
      ...contested(port, 'limits', distinct(limits.map((limit) => JSON.stringify(limit)))),
    ];
    this.problems.get(calls[0].call)?.push(...problems);
    if (problems.length > 0) return;
    const [limit] = limits;
    const objects = [...(limit === undefined ? [] : [rateLimitObject(port, limit)]), ...portPolicyObjects(policy)];
    this.addObjects(objects, calls);
  }

  /**
   * Returns the policies for a port whose Server exists only for its limits: the default policies of its pods.
   */
  private unguardedPolicies({ namespace, pods, port }: GuardedPort, index: PodIndex): readonly string[] {
    const ofMesh = defaultPolicyIn(this.mesh.values()) ?? 'all-unauthenticated';
    // Pods of a chart use the settings of their namespace.
    const sets = pods.length === 0 ? [{ annotations: {}, namespace, ports: [] }] : pods;
    return distinct(
      sets.flatMap((one) => {
        const numbers = numbersOf(port, one);
        return (numbers.length === 0 ? [0] : numbers).map((number) => defaultPolicyAt(one, number, index, ofMesh));
      }),
    );
  }

  /** Adds the Server last, because it refuses all other clients as soon as it exists. */
  private addObjects(objects: readonly KubernetesObject[], calls: readonly PortCall[]): void {
    const taken = objects.filter((object) => this.names.has(describeObject(object)));
    if (taken[0] !== undefined) {
      for (const { call } of calls.slice(0, 1))
        this.problems.get(call)?.push(POLICY_FINDINGS.policyNameTaken({ object: describeObject(taken[0]) }));
      return;
    }
    const made = objects.map((object) => {
      this.names.add(describeObject(object));
      const { kind, metadata } = object;
      const added = manifest(this, `${kind}-${metadata.namespace}-${metadata.name}`, { ...object });
      // Refused workloads may never be ready, and Argo CD waits for them before it applies later waves.
      aheadOfWorkloads(added);
      return added;
    });
    const server = made.at(-1);
    if (server !== undefined && calls.some(({ call }) => !Construct.isConstruct(call.target))) {
      Warnings.of(server).acknowledge('policy-without-pods', 'its pods are created elsewhere', { ifAny: true });
    }
    if (server !== undefined) dependsOn(server, ...made.slice(0, -1));
  }

  private resolveClients(field: string, from: readonly PolicyClient[]): ResolvedClients {
    if (!Array.isArray(from)) return { clients: NO_CLIENTS, problems: [noClients(field, from)] };
    const resolved = listOf(from).map((client, position) => this.resolveClient(`${field}[${position}]`, client));
    return {
      clients: union(resolved.map(({ clients }) => clients)),
      problems: resolved.flatMap(({ problems }) => problems),
    };
  }

  private resolveClient(field: string, client: PolicyClient): ResolvedClients {
    if (!Construct.isConstruct(client)) return clientsOfGroup(field, (client ?? {}) as ClientGroup);
    const found = objectBehind(client);
    if (found === undefined)
      return {
        clients: NO_CLIENTS,
        problems: [POLICY_FINDINGS.policyTargetRefusedObject({ field, path: client.node.path })],
      };
    const [object] = jsonOf(found);
    if (object === undefined) return NOTHING;
    const resolved = clientsOfObject(field, object);
    const elsewhere = clustersApart(this, client);
    if (elsewhere === undefined) return resolved;
    const [identity] = resolved.clients.identities;
    return { clients: NO_CLIENTS, problems: [clientElsewhere(field, identity, elsewhere)] };
  }

  private checkMode(mode: PolicyMode | undefined): readonly Problem[] {
    if (mode === undefined || mode === null || mode === 'deny') return [];
    if (mode !== 'audit') return [unknownMode(mode, "'audit' or 'deny'")];
    return this.serverVersion === 'policy.linkerd.io/v1beta1'
      ? [POLICY_FINDINGS.policyUnsupportedAudit({ version: this.mesh.release.version })]
      : [];
  }
}

const NOTHING: ResolvedClients = { clients: NO_CLIENTS, problems: [] };

/** Returns the policy for ports that no Server selects. */
function policyOfNamespace(namespace: string, { namespaces }: PodIndex): string | undefined {
  return namespaces.get(namespace)?.annotations[DEFAULT_INBOUND_POLICY];
}

/** Returns what to do with clients that no policy allows, for ports with a Server. */
function accessPolicyOf(mode: string | undefined): string | undefined {
  return mode === 'audit' ? mode : undefined;
}

function distinct<T>(values: readonly (T | undefined)[]): readonly T[] {
  return [...new Set(values.filter((value) => value !== undefined && value !== null))] as readonly T[];
}

/** Undefined if both constructs are in one cluster. */
function clustersApart(policies: IConstruct, construct: IConstruct): TwoClusters | undefined {
  const [own, other] = [Cluster.find(policies), Cluster.find(construct)];
  return own === undefined || other === undefined || own.name === other.name
    ? undefined
    : { own: meshFacts(own), other: meshFacts(other) };
}

function meshFacts(cluster: Cluster): MeshFacts {
  const [facts] = (factsOf(cluster).get(MULTICLUSTER_FACTS) ?? []) as readonly MulticlusterFacts[];
  return {
    cluster: cluster.name,
    trustDomain: facts?.trustDomain ?? cluster.domain,
    controlPlaneNamespace: facts?.controlPlaneNamespace ?? 'linkerd',
  };
}

/** Equal for the same pods, or for the same selector if the pods are unknown. */
function portKey({ namespace, selector, port, pods }: GuardedPort): string {
  const ofPods = pods.length === 0 ? [JSON.stringify(selector)] : pods.map(({ object }) => describeObject(object));
  return [namespace, port, ...ofPods.toSorted()].join('\n');
}

/**
 * Returns the object of a construct; undefined for constructs without one, such as those that cdk8s-plus imports or
 * selects by name.
 */
function objectBehind(construct: IConstruct): ApiObject | undefined {
  try {
    return ApiObject.isApiObject(construct) ? construct : apiObjectOf(construct);
  } catch {
    return undefined;
  }
}

/** JavaScript may pass any value. */
function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  return Array.isArray(list) ? list : [];
}
