import { keepOnPrune } from '#kubernetes/objects/argocd-annotations';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { plainCopy } from '#kubernetes/objects/plain-data';
import { EXTENSION } from '#linkerd/annotations';
import { plainObject } from '../../gitops/tree/plain-json';

/** Returns the CustomResourceDefinition of Link as Argo CD applies it: the same for all edge releases. */
export function linkDefinition(): KubernetesObject {
  return DEFINITION;
}

type Schema = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string' };
const DURATION = { type: 'string', format: 'duration' };
const DNS_LABEL = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
const DNS_NAME = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

function list(items: Schema): Schema {
  return { type: 'array', items };
}

function map<P extends Schema>(properties: P, required?: readonly string[]) {
  return { type: 'object', properties, ...(required === undefined ? {} : { required }) };
}

function name(maxLength: number, pattern?: string): Schema {
  return { type: 'string', minLength: 1, maxLength, ...(pattern === undefined ? {} : { pattern }) };
}

const SELECTOR = map({
  matchLabels: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  matchExpressions: list(
    map(
      { key: TEXT, operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] }, values: list(TEXT) },
      ['key', 'operator'],
    ),
  ),
});

const COMMON = {
  clusterCredentialsSecret: TEXT,
  gatewayAddress: TEXT,
  gatewayIdentity: TEXT,
  gatewayPort: TEXT,
  probeSpec: map({
    failureThreshold: { type: 'string', default: '3' },
    path: TEXT,
    period: DURATION,
    port: TEXT,
    timeout: { ...DURATION, default: '30s' },
  }),
  selector: SELECTOR,
  remoteDiscoverySelector: SELECTOR,
  targetClusterName: TEXT,
  targetClusterDomain: TEXT,
  targetClusterLinkerdNamespace: TEXT,
};
const { probeSpec, ...OTHERS } = COMMON;
/** The first version of the CRD accepts any text for a period. */
const FIRST = { ...OTHERS, probeSpec: map({ ...probeSpec.properties, period: TEXT }) };
const FEDERATED = { ...COMMON, federatedServiceSelector: SELECTOR };
const EXCLUDING = { ...FEDERATED, excludedAnnotations: list(TEXT), excludedLabels: list(TEXT) };

const SERVICE = map(
  {
    group: { type: 'string', default: 'core', maxLength: 253, pattern: `^$|^${DNS_NAME}$` },
    kind: { ...name(63, '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$'), default: 'Service' },
    name: name(253),
    namespace: name(63, DNS_LABEL),
  },
  ['name', 'namespace'],
);

const CONDITION = map(
  {
    lastTransitionTime: { type: 'string', format: 'date-time' },
    localRef: SERVICE,
    message: TEXT,
    reason: name(1024, '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$'),
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    type: {
      type: 'string',
      maxLength: 316,
      pattern: `^(${DNS_NAME}/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
    },
  },
  ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
);

const MIRRORED = list(
  map(
    {
      conditions: list(CONDITION),
      controllerName: name(253, `^${DNS_NAME}\\/[A-Za-z0-9\\/\\-._~%!$&'()*+,;=:]+$`),
      remoteRef: SERVICE,
    },
    ['controllerName', 'remoteRef'],
  ),
);
const STATUS = map({ mirrorServices: MIRRORED, federatedServices: MIRRORED });

function version(named: string, properties: Schema, isStored = false): Schema {
  return {
    name: named,
    served: true,
    storage: isStored,
    schema: { openAPIV3Schema: map(properties) },
    ...('status' in properties ? { subresources: { status: {} } } : {}),
  };
}

const DEFINITION = definition();

function definition(): KubernetesObject {
  const { data } = plainCopy<KubernetesObject>(
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name: 'links.multicluster.linkerd.io',
        labels: { [EXTENSION]: 'multicluster' },
        // Pruning the definition would delete all Links, and stop the service mirrors.
        annotations: keepOnPrune(),
      },
      spec: {
        group: 'multicluster.linkerd.io',
        names: { kind: 'Link', plural: 'links', singular: 'link' },
        scope: 'Namespaced',
        versions: [
          version('v1alpha1', { spec: map(FIRST) }),
          version('v1alpha2', { spec: map(FEDERATED), status: STATUS }),
          version('v1alpha3', { spec: map(EXCLUDING), status: STATUS }, true),
        ],
      },
    } as unknown as KubernetesObject,
    'definition',
  );
  return plainObject(data) ?? data;
}
