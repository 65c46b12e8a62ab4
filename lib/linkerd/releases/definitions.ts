import type { Values } from '../../kubernetes/values';
import { compareReleases } from './lines';

/** A CustomResourceDefinition, by what of it the API server holds on to. */
export interface Definition {
  /** Name of the object: plural and group. */
  readonly name: string;
  /** Its versions, all of which it can have stored. */
  readonly versions: readonly DefinitionVersion[];
}

/** One version of a CustomResourceDefinition. */
interface DefinitionVersion {
  readonly name: string;
  /** Tells whether clients can ask for it. */
  readonly served: boolean;
  /** Tells whether objects are stored in it. Exactly one version is. */
  readonly storage: boolean;
}

/** CRDs of the Gateway API, and the values of linkerd-crds that decide whether it installs them. */
interface OptionalDefinitions {
  /** Names of the values; the first that is set decides. */
  readonly decidedBy: readonly string[];
  readonly definitions: readonly Definition[];
}

/** The CRDs that linkerd-crds of a release brings along. */
interface ReleaseDefinitions {
  /** The first release for which this holds. */
  readonly since: string;
  readonly linkerd: readonly Definition[];
  readonly gatewayApi: readonly OptionalDefinitions[];
  /** Tells whether it installs those of the Gateway API unless its values say otherwise. */
  readonly withGatewayApi: boolean;
}

/**
 * A definition by its name and versions, in words without white space: `*` marks the version that is stored, `-` one
 * that is not served.
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

/** The words from which `definition` makes the same. */
export function definitionWords({ name, versions }: Definition): readonly string[] {
  return [name, ...versions.map(({ name, served, storage }) => `${name}${storage ? '*' : ''}${served ? '' : '-'}`)];
}

const UNCHANGED = [
  definition('authorizationpolicies.policy.linkerd.io', 'v1alpha1*'),
  definition('httproutes.policy.linkerd.io', 'v1alpha1', 'v1beta1', 'v1beta2', 'v1beta3*'),
  definition('meshtlsauthentications.policy.linkerd.io', 'v1alpha1*'),
  definition('networkauthentications.policy.linkerd.io', 'v1alpha1*'),
  definition('serverauthorizations.policy.linkerd.io', 'v1alpha1', 'v1beta1*'),
  definition('serviceprofiles.linkerd.io', 'v1alpha1', 'v1alpha2*'),
];

const EDGE = [
  ...UNCHANGED,
  definition('egressnetworks.policy.linkerd.io', 'v1alpha1*'),
  definition('externalworkloads.workload.linkerd.io', 'v1alpha1', 'v1beta1*'),
  definition('httplocalratelimitpolicies.policy.linkerd.io', 'v1alpha1*'),
  definition('servers.policy.linkerd.io', 'v1alpha1', 'v1beta1', 'v1beta2', 'v1beta3*'),
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
 * The CRDs by release, the newest first. Read off `helm template` of charts/linkerd-crds at the tags of linkerd2, with
 * and without the value that installs the Gateway API: `spec.versions` of each object. The charts of edge-25.10.7,
 * edge-25.11.2 and edge-26.5.1, which are all that differ since 2.19, differ in schemas and in no version.
 */
const DEFINITIONS: readonly ReleaseDefinitions[] = [
  { since: 'edge-26.5.1', linkerd: EDGE, gatewayApi: EDGE_GATEWAY_API, withGatewayApi: false },
  { since: 'edge-25.11.2', linkerd: EDGE, gatewayApi: EDGE_GATEWAY_API, withGatewayApi: false },
  { since: 'edge-25.10.7', linkerd: EDGE, gatewayApi: EDGE_GATEWAY_API, withGatewayApi: false },
  {
    since: 'stable-2.14.10',
    linkerd: [...UNCHANGED, definition('servers.policy.linkerd.io', 'v1alpha1', 'v1beta1*')],
    // Gateway API 0.7.1.
    gatewayApi: [
      {
        decidedBy: ['enableHttpRoutes'],
        definitions: [definition('httproutes.gateway.networking.k8s.io', 'v1alpha2-', 'v1beta1*')],
      },
    ],
    withGatewayApi: true,
  },
];

/** The API group of the CRDs that belong to the Gateway API, whoever brings them. */
export const GATEWAY_API_GROUP = 'gateway.networking.k8s.io';

/**
 * The CRDs that linkerd-crds of a release brings along, by name; those of the nearest older release that is known for
 * one that is not.
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
