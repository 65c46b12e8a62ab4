import { remembered } from '#base/remembered';
import { textIn } from '#base/select-fields';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { POD_SPEC } from '#kubernetes/objects/pod-places';
import { apiGroup } from '#kubernetes/objects/scope';
import type { LookupNamespaces } from '#lib/checks/cluster/declared';
import { annotationReferences } from './annotation-references';
import {
  applyRules,
  compileRules,
  type FoundReference,
  isOfKind,
  type ReferenceRule,
  referenceTo,
} from './reference-rules';

const IN_CONTAINER: readonly ReferenceRule[] = [
  { at: 'env[].valueFrom.secretKeyRef', kind: 'Secret' },
  { at: 'env[].valueFrom.configMapKeyRef', kind: 'ConfigMap' },
  { at: 'envFrom[].secretRef', kind: 'Secret' },
  { at: 'envFrom[].configMapRef', kind: 'ConfigMap' },
];

const IN_POD: readonly ReferenceRule[] = [
  { at: 'volumes[].secret', name: 'secretName', kind: 'Secret' },
  { at: 'volumes[].configMap', kind: 'ConfigMap' },
  { at: 'volumes[].projected.sources[].secret', kind: 'Secret' },
  { at: 'volumes[].projected.sources[].configMap', kind: 'ConfigMap' },
  { at: 'volumes[].csi.nodePublishSecretRef', kind: 'Secret' },
  { at: 'imagePullSecrets[]', kind: 'Secret' },
  ...below('containers[]', IN_CONTAINER),
  ...below('initContainers[]', IN_CONTAINER),
];

const POD_RULES: Readonly<Record<string, readonly ReferenceRule[]>> = Object.fromEntries(
  Object.entries(POD_SPEC).map(([kind, spec]) => [
    kind,
    [{ at: spec, name: 'serviceAccountName', kind: 'ServiceAccount' }, ...below(spec, IN_POD)],
  ]),
);

function below(path: string, rules: readonly ReferenceRule[]): readonly ReferenceRule[] {
  return rules.map((rule) => ({ ...rule, at: `${path}.${rule.at}` }));
}

const IN_ENDPOINT: readonly ReferenceRule[] = [
  ...['basicAuth.username', 'basicAuth.password', 'authorization.credentials', 'bearerTokenSecret'].map(secretAt),
  ...['oauth2.clientSecret', 'oauth2.clientId.secret'].map(secretAt),
  ...['tlsConfig.ca.secret', 'tlsConfig.cert.secret', 'tlsConfig.keySecret'].map(secretAt),
  ...['oauth2.clientId.configMap', 'tlsConfig.ca.configMap', 'tlsConfig.cert.configMap'].map(configMapAt),
];

const MONITOR_RULES: Readonly<Record<string, readonly ReferenceRule[]>> = {
  'monitoring.coreos.com/PodMonitor': inEach('spec.podMetricsEndpoints[]'),
  'monitoring.coreos.com/ServiceMonitor': inEach('spec.endpoints[]'),
};

function inEach(endpoints: string): readonly ReferenceRule[] {
  return IN_ENDPOINT.map((rule) => ({ ...rule, at: `${endpoints}.${rule.at}` }));
}

function secretAt(at: string): ReferenceRule {
  return { at, kind: 'Secret' };
}

function configMapAt(at: string): ReferenceRule {
  return { at, kind: 'ConfigMap' };
}

const SERVICE_ACCOUNT = isOfKind('ServiceAccount');
const SERVICE = isOfKind('Service', true);

const ISSUER_REF: readonly ReferenceRule[] = [
  { at: 'spec.issuerRef', kind: 'Issuer', where: (ref) => isCertManagers(ref) && isOfKind('Issuer', true)(ref) },
  {
    at: 'spec.issuerRef',
    kind: 'ClusterIssuer',
    where: (ref) => isCertManagers(ref) && isOfKind('ClusterIssuer')(ref),
  },
];
const ISSUER: readonly ReferenceRule[] = [
  { at: 'spec.ca', name: 'secretName', kind: 'Secret' },
  // All kinds of issuers and solvers name their credentials in fields like these.
  { at: 'spec.**.*ecretRef', kind: 'Secret' },
  { at: 'spec.**.credentialsRef', kind: 'Secret' },
  { at: 'spec.**.serviceAccountRef', kind: 'ServiceAccount' },
];
const BUNDLE: readonly ReferenceRule[] = [
  { at: 'spec.sources[].secret', kind: 'Secret' },
  { at: 'spec.sources[].configMap', kind: 'ConfigMap' },
];
const INGRESS: readonly ReferenceRule[] = [
  { at: 'spec.tls[]', name: 'secretName', kind: 'Secret' },
  { at: 'spec.defaultBackend.service', kind: 'Service' },
  { at: 'spec.rules[].http.paths[].backend.service', kind: 'Service' },
];
const INGRESS_ROUTE: readonly ReferenceRule[] = [
  // A name with an "@" belongs to a provider other than Kubernetes.
  { at: 'spec.routes[].middlewares[]', kind: 'Middleware', where: (ref) => !textIn(ref, 'name')?.includes('@') },
  { at: 'spec.routes[].services[]', kind: 'Service', where: SERVICE },
  { at: 'spec.tls', name: 'secretName', kind: 'Secret' },
];
const MIDDLEWARE: readonly ReferenceRule[] = [
  { at: 'spec.basicAuth', name: 'secret', kind: 'Secret' },
  { at: 'spec.digestAuth', name: 'secret', kind: 'Secret' },
  { at: 'spec.forwardAuth.tls', name: 'caSecret', kind: 'Secret' },
  { at: 'spec.forwardAuth.tls', name: 'certSecret', kind: 'Secret' },
  { at: 'spec.chain.middlewares[]', kind: 'Middleware' },
  { at: 'spec.errors.service', kind: 'Service' },
];
const ROUTE: readonly ReferenceRule[] = [
  { at: 'spec.parentRefs[]', kind: 'Service', where: (ref) => isOfKind('Service')(ref) && isCore(ref) },
  { at: 'spec.rules[].backendRefs[]', kind: 'Service', where: (ref) => SERVICE(ref) && isCore(ref) },
];
// A binding or policy applies to accounts whenever they are created, but accounts must exist when their pods start.
const SUBJECTS: readonly ReferenceRule[] = [
  { at: 'subjects[]', kind: 'ServiceAccount', where: SERVICE_ACCOUNT, anyStage: true },
];
const WEBHOOKS: readonly ReferenceRule[] = [{ at: 'webhooks[].clientConfig.service', kind: 'Service' }];

/** Rules about references, by `group/Kind`. */
const RULES: Readonly<Record<string, readonly ReferenceRule[]>> = {
  ...POD_RULES,
  ...MONITOR_RULES,
  '/ServiceAccount': [{ at: 'imagePullSecrets[]', kind: 'Secret' }],
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': WEBHOOKS,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': WEBHOOKS,
  'apiextensions.k8s.io/CustomResourceDefinition': [
    { at: 'spec.conversion.webhook.clientConfig.service', kind: 'Service' },
  ],
  'apiregistration.k8s.io/APIService': [{ at: 'spec.service', kind: 'Service' }],
  'cert-manager.io/Certificate': [...ISSUER_REF, { at: 'spec.keystores.**.passwordSecretRef', kind: 'Secret' }],
  'cert-manager.io/CertificateRequest': ISSUER_REF,
  'cert-manager.io/ClusterIssuer': ISSUER,
  'cert-manager.io/Issuer': ISSUER,
  'gateway.networking.k8s.io/GRPCRoute': ROUTE,
  'gateway.networking.k8s.io/HTTPRoute': ROUTE,
  'networking.k8s.io/Ingress': INGRESS,
  'policy.linkerd.io/AuthorizationPolicy': [
    { at: 'spec.requiredAuthenticationRefs[]', kind: 'ServiceAccount', where: SERVICE_ACCOUNT, anyStage: true },
    { at: 'spec.targetRef', kind: 'Namespace', where: isOfKind('Namespace') },
  ],
  'policy.linkerd.io/HTTPRoute': ROUTE,
  'policy.linkerd.io/MeshTLSAuthentication': [
    { at: 'spec.identityRefs[]', kind: 'ServiceAccount', where: SERVICE_ACCOUNT, anyStage: true },
    { at: 'spec.identityRefs[]', kind: 'Namespace', where: isOfKind('Namespace') },
  ],
  'policy.linkerd.io/ServerAuthorization': [
    { at: 'spec.client.meshTLS.serviceAccounts[]', kind: 'ServiceAccount', anyStage: true },
  ],
  'rbac.authorization.k8s.io/ClusterRoleBinding': SUBJECTS,
  'rbac.authorization.k8s.io/RoleBinding': SUBJECTS,
  'traefik.io/IngressRoute': INGRESS_ROUTE,
  'traefik.io/Middleware': MIDDLEWARE,
  'trust.cert-manager.io/Bundle': BUNDLE,
  'trust-manager.io/ClusterBundle': [
    { at: 'spec.sourceRefs[]', kind: 'Secret', where: isOfKind('Secret') },
    { at: 'spec.sourceRefs[]', kind: 'ConfigMap', where: isOfKind('ConfigMap') },
  ],
};

const COMPILED = new Map(Object.entries(RULES).map(([kind, rules]) => [kind, compileRules(rules)]));

/** Returns everything that an object refers to by name and requires, its namespace first. */
export function referencesOf(object: KubernetesObject, lookup: LookupNamespaces = {}): readonly FoundReference[] {
  const known = knownReferences(object);
  const key = `${lookup.clusterIssuers}/${lookup.bundles}`;
  const found = known.get(key) ?? findReferences(object, lookup);
  known.set(key, found);
  return found;
}

/** References by the namespaces for lookups, which are the same in most clusters. */
const knownReferences = remembered((_: KubernetesObject) => new Map<string, readonly FoundReference[]>());

function findReferences(object: KubernetesObject, lookup: LookupNamespaces): readonly FoundReference[] {
  const group = apiGroup(object.apiVersion);
  const { namespace } = object.metadata;
  const own = namespace ?? lookupNamespace(group, lookup);
  const found = applyRules(object, COMPILED.get(`${group}/${object.kind}`) ?? [], own);
  return [
    ...(namespace === undefined
      ? []
      : [{ field: 'metadata.namespace', accepts: [referenceTo('Namespace', undefined, namespace)] }]),
    ...found,
    ...annotationReferences(object),
  ];
}

function lookupNamespace(group: string, { clusterIssuers, bundles }: LookupNamespaces): string | undefined {
  if (group === 'cert-manager.io') return clusterIssuers;
  return group === 'trust.cert-manager.io' || group === 'trust-manager.io' ? bundles : undefined;
}

function isCertManagers(ref: unknown): boolean {
  return (textIn(ref, 'group') ?? 'cert-manager.io') === 'cert-manager.io';
}

function isCore(ref: unknown): boolean {
  return (textIn(ref, 'group') ?? 'core') === 'core';
}
