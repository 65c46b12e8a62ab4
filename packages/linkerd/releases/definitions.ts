import { isMap, type Value, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { compareReleases } from './lines';

/** The parts of a CustomResourceDefinition that the API server depends on. */
export interface Definition {
  /** Name of the object: plural and group. */
  readonly name: string;
  /** Its versions; objects may be stored in any of them. */
  readonly versions: readonly DefinitionVersion[];
}

interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  /** True of exactly one version. */
  readonly storage: boolean;
}

interface OptionalDefinitions {
  /** Names of the values; the first one that is set decides. */
  readonly decidedBy: readonly string[];
  readonly definitions: readonly Definition[];
}

interface ReleaseDefinitions {
  readonly since: string;
  readonly linkerd: readonly Definition[];
  readonly gatewayApi: readonly OptionalDefinitions[];
  readonly withGatewayApi: boolean;
}

/**
 * Parses a definition from its name and versions without white space: `*` marks the storage version, `-` a version that
 * is not served.
 */
export function definition(name: string, ...versions: readonly string[]): Definition {
  return {
    name,
    versions: versions.map((version) => ({
      name: version.replace(/[*-]+$/, ''),
      served: !version.includes('-'),
      storage: version.includes('*'),
    })),
  };
}

/** Returns the words that `definition` parses. */
export function definitionWords({ name, versions }: Definition): readonly string[] {
  return [name, ...versions.map(({ name, served, storage }) => `${name}${storage ? '*' : ''}${served ? '' : '-'}`)];
}

/** Returns the definition in an object; nothing for other objects. */
export function definitionIn({ apiVersion, kind, metadata, spec }: KubernetesObject): readonly Definition[] {
  if (kind !== 'CustomResourceDefinition' || apiGroup(apiVersion) !== 'apiextensions.k8s.io') return [];
  const { versions } = (spec ?? {}) as { readonly versions?: unknown };
  if (!Array.isArray(versions)) return [];
  const known = versions.filter(isVersion).map(({ name, served, storage }) => ({ name, served, storage }));
  return [{ name: metadata.name, versions: known }];
}

function isVersion(version: unknown): version is Definition['versions'][number] {
  if (!isMap(version as Value)) return false;
  const { name, served, storage } = version as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && typeof served === 'boolean' && typeof storage === 'boolean';
}

const UNCHANGED = [
  definition('authorizationpolicies.policy.linkerd.io', 'v1alpha1*'),
  definition('httproutes.policy.linkerd.io', 'v1alpha1', 'v1beta1', 'v1beta2', 'v1beta3*'),
  definition('meshtlsauthentications.policy.linkerd.io', 'v1alpha1*'),
  definition('networkauthentications.policy.linkerd.io', 'v1alpha1*'),
  definition('serverauthorizations.policy.linkerd.io', 'v1alpha1', 'v1beta1*'),
  definition('serviceprofiles.linkerd.io', 'v1alpha1', 'v1alpha2*'),
];

const EXTERNAL_WORKLOADS = definition('externalworkloads.workload.linkerd.io', 'v1alpha1', 'v1beta1*');

/** The CRDs of 2.15. */
const EDGE_24_2_4 = [
  ...UNCHANGED,
  EXTERNAL_WORKLOADS,
  definition('servers.policy.linkerd.io', 'v1alpha1', 'v1beta1', 'v1beta2*'),
];

/** The CRDs of 2.16. */
const EDGE_24_8_2 = [
  ...UNCHANGED,
  EXTERNAL_WORKLOADS,
  definition('servers.policy.linkerd.io', 'v1alpha1', 'v1beta1', 'v1beta2', 'v1beta3*'),
];

const EDGE = [
  ...EDGE_24_8_2,
  definition('egressnetworks.policy.linkerd.io', 'v1alpha1*'),
  definition('httplocalratelimitpolicies.policy.linkerd.io', 'v1alpha1*'),
];

/** Gateway API 0.7.1 without a served v1alpha2 of HTTPRoute. */
const GATEWAY_API_0_7 = [
  {
    decidedBy: ['enableHttpRoutes'],
    definitions: [definition('httproutes.gateway.networking.k8s.io', 'v1alpha2-', 'v1beta1*')],
  },
];

/** Gateway API 0.7.1, experimental channel. */
const EDGE_24_8_2_GATEWAY_API = [
  {
    decidedBy: ['enableHttpRoutes'],
    definitions: [
      definition('grpcroutes.gateway.networking.k8s.io', 'v1alpha2*'),
      definition('httproutes.gateway.networking.k8s.io', 'v1alpha2', 'v1beta1*'),
    ],
  },
];

/** Gateway API 0.7.1, experimental channel, with the routes of EgressNetworks. */
const EDGE_24_11_8_GATEWAY_API = [
  ...EDGE_24_8_2_GATEWAY_API,
  {
    decidedBy: ['enableTcpRoutes'],
    definitions: [definition('tcproutes.gateway.networking.k8s.io', 'v1alpha2*')],
  },
  {
    decidedBy: ['enableTlsRoutes'],
    definitions: [definition('tlsroutes.gateway.networking.k8s.io', 'v1alpha2*')],
  },
];

/** Gateway API 1.1.1, experimental channel. */
const EDGE_GATEWAY_API = [
  {
    decidedBy: ['enableHttpRoutes', 'installGatewayAPI'],
    definitions: [
      definition('grpcroutes.gateway.networking.k8s.io', 'v1*', 'v1alpha2'),
      definition('httproutes.gateway.networking.k8s.io', 'v1*', 'v1beta1'),
    ],
  },
  {
    decidedBy: ['enableTcpRoutes', 'installGatewayAPI'],
    definitions: [definition('tcproutes.gateway.networking.k8s.io', 'v1alpha2*')],
  },
  {
    decidedBy: ['enableTlsRoutes', 'installGatewayAPI'],
    definitions: [definition('tlsroutes.gateway.networking.k8s.io', 'v1alpha2*')],
  },
];

/**
 * The CRDs by release, newest first. Taken from `helm template` of charts/linkerd-crds at the tags of linkerd2, with
 * and without the value that installs the Gateway API: `spec.versions` of each object. Exact from edge-25.2.3 on, the
 * first with version 1.1.1 of the Gateway API; the entries for 2.15 to 2.17 are the releases that announced these
 * versions. The charts of edge-25.11.2 and edge-26.5.1 differ in schemas but not in versions.
 */
const DEFINITIONS: readonly ReleaseDefinitions[] = [
  { since: 'edge-26.5.1', linkerd: EDGE, gatewayApi: EDGE_GATEWAY_API, withGatewayApi: false },
  { since: 'edge-25.11.2', linkerd: EDGE, gatewayApi: EDGE_GATEWAY_API, withGatewayApi: false },
  { since: 'edge-25.9.4', linkerd: EDGE, gatewayApi: EDGE_GATEWAY_API, withGatewayApi: false },
  { since: 'edge-25.2.3', linkerd: EDGE, gatewayApi: EDGE_GATEWAY_API, withGatewayApi: true },
  { since: 'edge-24.11.8', linkerd: EDGE, gatewayApi: EDGE_24_11_8_GATEWAY_API, withGatewayApi: true },
  { since: 'edge-24.8.2', linkerd: EDGE_24_8_2, gatewayApi: EDGE_24_8_2_GATEWAY_API, withGatewayApi: true },
  { since: 'edge-24.2.4', linkerd: EDGE_24_2_4, gatewayApi: GATEWAY_API_0_7, withGatewayApi: true },
  {
    since: 'stable-2.14.10',
    linkerd: [...UNCHANGED, definition('servers.policy.linkerd.io', 'v1alpha1', 'v1beta1*')],
    gatewayApi: GATEWAY_API_0_7,
    withGatewayApi: true,
  },
];

/** The CRD of the Gateway API's HTTPRoute. */
export const HTTP_ROUTES = 'httproutes.gateway.networking.k8s.io';

/**
 * Returns the version of the Gateway API's HTTPRoute that the policy controller of a release watches, which is the one
 * that its chart stores if it installs the CRD; undefined for releases older than all known ones.
 */
export function routeVersionOf(release: string): string | undefined {
  const routes = definitionsOf(release, { enableHttpRoutes: true }).find(({ name }) => name === HTTP_ROUTES);
  return routes?.versions.find(({ storage }) => storage)?.name;
}

/** The API group of the CRDs of the Gateway API. */
export const GATEWAY_API_GROUP = 'gateway.networking.k8s.io';

/**
 * Returns the CRDs that linkerd-crds of a release installs, by name; for an unknown release, those of the nearest older
 * known one.
 */
export function definitionsOf(release: string, values: Values): readonly Definition[] {
  const known = DEFINITIONS.find(({ since }) => compareReleases(since, release) <= 0);
  if (known === undefined) return [];
  const chosen = known.gatewayApi.filter(({ decidedBy }) => {
    const [said] = decidedBy.map((name) => values[name]).filter((value) => value !== undefined && value !== null);
    return said === undefined ? known.withGatewayApi : said === true;
  });
  const all = [...known.linkerd, ...chosen.flatMap(({ definitions }) => definitions)];
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
