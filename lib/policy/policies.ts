import { ApiObject, Chart } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { shownValue, violationOf } from '../../operator/api/violation';
import { grouped } from '../checks/policy/grouped';
import { PodIndex } from '../checks/policy/pod-index';
import { describeObject, type KubernetesObject } from '../kubernetes/kubernetes-object';
import { isNamespace, podPlaces } from '../kubernetes/pod-places';
import type { Problem } from '../problems/problem';
import type { Release } from '../releases/release';
import { addRule } from '../tree/add-rule';
import { jsonOf, objectsAround } from '../tree/api-objects';
import { Cluster } from '../tree/cluster';
import { addLateChildren } from '../tree/late-children';
import { manifest } from '../tree/manifest';
import { apiObjectOf, type Meshable } from '../tree/meshable';
import { dependsOn, madeFor } from '../tree/order';
import { type ClientSet, NO_CLIENTS, union } from './client-set';
import { type ClientGroup, clientsOfGroup, clientsOfObject, type PolicyClient, type ResolvedClients } from './clients';
import { type GuardedPort, guardedPorts } from './guarded-ports';
import { checkPortPolicy, type PolicyMode, type PortProtocol, portPolicyObjects } from './port-policy';
import { checkRequests, type HttpRequests } from './requests';
import { scrapePolicy } from './scrape-policy';

/** The clients of a port, and what they may do there. */
export interface AllowOptions {
  /** The clients: each one of them is let in. */
  readonly from: readonly PolicyClient[];

  /**
   * The ports, by the name or number that the Service has for them; those of the containers, for a workload.
   *
   * @default - all TCP ports
   */
  readonly ports?: readonly (number | string)[];

  /**
   * The requests that these clients may make. Others may be allowed more by another call.
   *
   * @default - all, and connections that are no HTTP
   */
  readonly requests?: readonly HttpRequests[];

  /**
   * Paths at which kubelets probe beside those that the pods' probes name: where an answer redirects the kubelet to
   * another path. They are open to everybody.
   *
   * @default - those of the probes
   */
  readonly probePaths?: readonly string[];

  /**
   * The protocol of the ports.
   *
   * @default - `opaque` for the pods' opaque ports; proxies look at the first bytes of others
   */
  readonly protocol?: PortProtocol;

  /**
   * The fate of clients that nothing allows. `audit` lets them in and tells of them; not in 2.14.
   *
   * @default - `audit` in namespaces that `defaultDeny` has in that mode, `deny` in others
   */
  readonly mode?: PolicyMode;
}

/** One call for a Service or workload. */
interface Grant {
  readonly target: Meshable;
  readonly options: AllowOptions;
}

/** A grant with what it comes to at one port. */
interface GrantedPort {
  readonly grant: Grant;
  readonly port: GuardedPort;
  readonly clients: ClientSet;
}

/** The id of the one construct per cluster (or plain chart) that has all policies. */
const ID = 'linkerd-policies';

/**
 * The policies of a cluster: two calls for the same port of the same pods have one Server. They are made at synth, when
 * all pods are known.
 */
export class Policies extends Construct {
  private readonly grants: Grant[] = [];
  private readonly modes = new Map<string, string>();
  private readonly scrapes = new Map<string, readonly PolicyClient[]>();
  private readonly problems = new Map<Grant, Problem[]>();
  private isMade = false;

  private constructor(
    scope: Construct,
    private readonly release: Release,
  ) {
    super(scope, ID);
    addLateChildren(this, () => {
      this.isMade = true;
      this.make();
    });
  }

  /** The policies of the cluster around `scope`. */
  static of(scope: Construct, release: Release): Policies {
    const chart = Cluster.find(scope) ?? Chart.of(scope);
    const known = chart.node.tryFindChild(ID);
    return known instanceof Policies ? known : new Policies(chart, release);
  }

  /** Lets clients reach ports of a target, and nobody else who is not allowed as well. */
  allow(target: Meshable, options: AllowOptions): void {
    const grant = { target, options };
    if (!this.isMade) this.grants.push(grant);
    addRule(target, () => (this.grants.includes(grant) ? (this.problems.get(grant) ?? []) : [tooLate(target)]));
  }

  /** Says what becomes of connections in a namespace that nothing allows. */
  setMode(namespace: string, mode: string): void {
    this.modes.set(namespace, mode);
  }

  /** Lets clients read the metrics of all proxies in a namespace, and nobody else. */
  allowScrapes(namespace: string, scrapers: readonly PolicyClient[]): void {
    this.scrapes.set(namespace, [...(this.scrapes.get(namespace) ?? []), ...listOf(scrapers)]);
    addRule(this, () => resolveClients(scrapers).problems);
  }

  private make(): void {
    for (const [namespace, scrapers] of this.scrapes) this.addScrapes(namespace, scrapers);
    if (this.grants.length === 0) return;
    const index = new PodIndex(
      objectsAround(this)
        .filter((object) => isNamespace(object) || podPlaces(object).length > 0)
        .flatMap(({ json }) => json()),
    );
    const granted = this.grants.flatMap((grant) => this.resolve(grant, index));
    const byPort = grouped(granted.map((one) => [portKey(one.port), one]));
    for (const group of byPort.values()) this.addPort(group);
  }

  private addScrapes(namespace: string, scrapers: readonly PolicyClient[]): void {
    const { clients } = resolveClients(scrapers);
    const policy = scrapePolicy(namespace, clients, {
      accessPolicy: this.accessPolicyIn(namespace),
      serverVersion: this.release.groups.crds.templates.serverVersion,
    });
    this.addObjects(portPolicyObjects(policy), []);
  }

  /** The fate of clients that nothing allows, on ports that have a Server: a value of `accessPolicy`. */
  private accessPolicyIn(namespace: string, mode = this.modes.get(namespace)): string | undefined {
    return mode === 'audit' ? mode : undefined;
  }

  private resolve(grant: Grant, index: PodIndex): readonly GrantedPort[] {
    const { target, options } = grant;
    const [object] = jsonOf(apiObjectOf(target));
    if (object === undefined) return [];
    const { ports, problems } = guardedPorts(object, options.ports ?? undefined, index);
    const { clients, problems: ofClients } = resolveClients(options.from);
    const ofRequests = listOf(options.requests).flatMap((requests, position) =>
      checkRequests(`requests[${position}]`, requests),
    );
    const ofProbes = listOf(options.probePaths).flatMap((path, position) =>
      checkRequests(`probePaths[${position}]`, { path }),
    );
    const found = [...problems, ...ofClients, ...ofRequests, ...ofProbes, ...this.checkMode(options.mode)];
    this.problems.set(grant, found);
    return found.length > 0 ? [] : ports.map((port) => ({ grant, port, clients }));
  }

  private addPort(granted: readonly [GrantedPort, ...GrantedPort[]]): void {
    const [first] = granted.toSorted((one, other) => (one.port.name < other.port.name ? -1 : 1));
    const options = granted.map(({ grant }) => grant.options);
    const protocols = [...new Set(options.flatMap(({ protocol }) => protocol ?? []))];
    const modes = [...new Set(options.flatMap(({ mode }) => mode ?? []))];
    const { port } = first ?? granted[0];
    const policy = {
      port,
      grants: granted.map(({ clients, grant: { options } }) => {
        const requests = listOf(options.requests);
        return {
          clients: requests.length === 0 ? clients : NO_CLIENTS,
          requests: requests.map((one) => ({ requests: one, clients })),
          probePaths: listOf(options.probePaths),
        };
      }),
      protocol: protocols[0],
      accessPolicy: this.accessPolicyIn(port.namespace, modes[0]),
      serverVersion: this.release.groups.crds.templates.serverVersion,
    };
    const problems = [
      ...checkPortPolicy(policy),
      ...contested(port, 'protocol', protocols),
      ...contested(port, 'mode', modes),
    ];
    this.problems.get(granted[0].grant)?.push(...problems);
    if (problems.length === 0) this.addObjects(portPolicyObjects(policy), granted);
  }

  /** The Server comes last: from then on nobody else is let in. */
  private addObjects(objects: readonly KubernetesObject[], granted: readonly GrantedPort[]): void {
    const made = objects.map((object) => {
      const { kind, metadata } = object;
      const added = manifest(this, `${kind}-${metadata.namespace}-${metadata.name}`, { ...object });
      for (const target of new Set(granted.map(({ grant }) => grant.target))) madeFor(added, target);
      return added;
    });
    const server = made.at(-1);
    if (server !== undefined) dependsOn(server, ...made.slice(0, -1));
  }

  private checkMode(mode: PolicyMode | undefined): readonly Problem[] {
    if (mode === undefined || mode === null || mode === 'deny') return [];
    if (mode !== 'audit') return [unknownMode(mode)];
    return this.release.groups.crds.templates.serverVersion === 'policy.linkerd.io/v1beta1'
      ? [withoutAudit(this.release)]
      : [];
  }
}

/** The same pods, or those of the same selector where nothing is known of them. */
function portKey({ namespace, selector, port, pods }: GuardedPort): string {
  const ofPods = pods.length === 0 ? [JSON.stringify(selector)] : pods.map(({ object }) => describeObject(object));
  return [namespace, port, ...ofPods.toSorted()].join('\n');
}

function resolveClients(from: readonly PolicyClient[]): ResolvedClients {
  if (!Array.isArray(from)) return { clients: NO_CLIENTS, problems: [noList(from)] };
  const resolved = listOf(from).map((client, position) => resolveClient(`from[${position}]`, client));
  return {
    clients: union(resolved.map(({ clients }) => clients)),
    problems: resolved.flatMap(({ problems }) => problems),
  };
}

function resolveClient(field: string, client: PolicyClient): ResolvedClients {
  if (!Construct.isConstruct(client)) return clientsOfGroup(field, (client ?? {}) as ClientGroup);
  const [object] = jsonOf(clientObject(client));
  return object === undefined ? { clients: NO_CLIENTS, problems: [] } : clientsOfObject(field, object);
}

function clientObject(client: IConstruct): ApiObject {
  return ApiObject.isApiObject(client) ? client : apiObjectOf(client);
}

/** Code without types may give anything. */
function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  return Array.isArray(list) ? list : [];
}

function noList(from: unknown): Problem {
  return {
    code: 'policy-clients-misshapen',
    violates: violationOf('form', from),
    what: `The clients are ${shownValue(from)}, not a list`,
    why: 'It is not known whom to let in: nobody would be',
    fix: 'write from: [web], or from: [] to let nobody in',
  };
}

function tooLate(target: Meshable): Problem {
  return {
    code: 'policy-too-late',
    what: `allow() is called for ${target.node.path} after the policies were made`,
    why: 'They are made when somebody walks the tree, as synth does: this call comes to nothing',
    fix: 'call it before the tree is walked',
  };
}

function contested({ namespace, name }: GuardedPort, field: string, values: readonly string[]): readonly Problem[] {
  if (values.length < 2) return [];
  return [
    {
      code: 'policy-contested',
      what: `Server ${namespace}/${name} is to have ${field} ${values.map((value) => `"${value}"`).join(' and ')}`,
      why: 'A port of the same pods has one Server, whoever asks for it',
      fix: `say ${field} once, or the same each time`,
    },
  ];
}

function unknownMode(mode: unknown): Problem {
  return {
    code: 'policy-mode-unknown',
    violates: violationOf('form', mode),
    what: `mode is ${shownValue(mode)}`,
    why: 'Connections that nothing allows are either refused or told of',
    fix: "write 'audit' or 'deny'",
  };
}

/** Reports that a release cannot tell of what it would refuse. */
export function withoutAudit(release: Release): Problem {
  return {
    code: 'audit-unsupported',
    what: `mode is "audit", with ${release.version}`,
    why: 'Releases before 2.16 refuse connections, or let them in without a word',
    fix: "look at the metrics of clients first (`request_total` by `client_id`), and then use mode 'deny'; or move to a later release",
  };
}
