import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { isObject, objectOf } from '#base/is-object';
import { containsNetwork, isNetwork, type NetworkForm } from '#base/networks';
import { itemsOf, textIn } from '#base/select-fields';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { INBOUND_POLICIES } from '#linkerd/injection/injected-values';
import type { ObjectRule } from '../object-rule';
import { POLICY_ADMISSION_FINDINGS as REFUSALS } from './admission-findings';

type Fields = Readonly<Record<string, unknown>>;
type FaultsOf = (spec: Fields, object: KubernetesObject) => readonly Problem[];

/**
 * Refusals of Linkerd's policy-validator webhook that the schemas of the CRDs do not cover (linkerd2,
 * policy-controller/runtime/src/admission.rs): one of them would fail the sync of the whole folder.
 */
const FAULTS: Readonly<Record<string, FaultsOf>> = {
  AuthorizationPolicy: (spec, object) => [...targetFaults(spec, object), ...authenticationFaults(spec)],
  MeshTLSAuthentication: identityFaults,
  NetworkAuthentication: ({ networks }) => [...emptyFaults('spec.networks', networks), ...networkFaults(networks)],
  Server: serverFaults,
  EgressNetwork: ({ networks }) =>
    networks === undefined || networks === null
      ? []
      : [...emptyFaults('spec.networks', networks), ...networkFaults(networks)],
  HTTPRoute: routeFaults,
  HTTPLocalRateLimitPolicy: rateFaults,
};

/** The rule for policies of Linkerd. */
export const POLICY_ADMISSION: ObjectRule = {
  kinds: Object.keys(FAULTS).map((kind) => `policy.linkerd.io/${kind}`),
  check: checkPolicyAdmission,
};

/** Reports what Linkerd's webhook refuses, or its policy controller ignores. */
export function checkPolicyAdmission(object: KubernetesObject): readonly Problem[] {
  const faults = FAULTS[object.kind];
  if (faults === undefined || !isObject(object.spec)) return [];
  const place = describeObject(object);
  return faults(object.spec, object).map((problem) => ({ ...problem, place }));
}

const TARGETS = [
  '/Namespace',
  'core/Namespace',
  'policy.linkerd.io/Server',
  'policy.linkerd.io/HTTPRoute',
  'gateway.networking.k8s.io/HTTPRoute',
  'gateway.networking.k8s.io/GRPCRoute',
];

function targetFaults({ targetRef }: Fields, { metadata }: KubernetesObject): readonly Problem[] {
  const type = typeOf(targetRef);
  if (!TARGETS.includes(type)) {
    const targets = TARGETS.filter((one) => one !== 'core/Namespace').join(', ');
    return [REFUSALS.policyRefusedTarget({ ...at('spec.targetRef', type), targets })];
  }
  const name = textIn(targetRef, 'name');
  return type.endsWith('/Namespace') && name !== (metadata.namespace ?? 'default')
    ? [REFUSALS.policyRefusedTargetNamespace(at('spec.targetRef.name', name))]
    : [];
}

const IDENTITY_KINDS = ['policy.linkerd.io/MeshTLSAuthentication', '/ServiceAccount', 'core/ServiceAccount'];
const NETWORK_KIND = 'policy.linkerd.io/NetworkAuthentication';

function authenticationFaults({ requiredAuthenticationRefs }: Fields): readonly Problem[] {
  const types = itemsOf(requiredAuthenticationRefs).map(typeOf);
  const field = 'spec.requiredAuthenticationRefs';
  const isIdentity = (type: string) => IDENTITY_KINDS.includes(type);
  const unknown = types.filter((type) => !isIdentity(type) && type !== NETWORK_KIND);
  return [
    ...unknown.map((type) => REFUSALS.policyRefusedAuthentication(at(field, type))),
    ...(types.filter(isIdentity).length > 1 ? [REFUSALS.policyRefusedIdentities(at(field, types))] : []),
    ...(types.filter((type) => type === NETWORK_KIND).length > 1
      ? [REFUSALS.policyRefusedNetworks(at(field, types))]
      : []),
  ];
}

/** Identities in the form that the webhook accepts (policy-controller/runtime/src/validation.rs). */
const DNS_IDENTITY = /^(?:\*|[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const SPIFFE_IDENTITY = /^spiffe:\/\/[a-z0-9._-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)*$/;

function identityFaults({ identities, identityRefs }: Fields): readonly Problem[] {
  const texts = itemsOf(identities);
  const refs = itemsOf(identityRefs);
  return [
    ...texts.flatMap((text, index) =>
      typeof text !== 'string' || DNS_IDENTITY.test(text) || SPIFFE_IDENTITY.test(text)
        ? []
        : [REFUSALS.policyRefusedIdentity(at(`spec.identities[${index}]`, text))],
    ),
    ...refs.flatMap((ref, index) => refFaults(`spec.identityRefs[${index}]`, ref)),
  ];
}

function refFaults(field: string, ref: unknown): readonly Problem[] {
  const type = typeOf(ref).replace(/^core\//, '/');
  if (type === '/Namespace') {
    return textIn(ref, 'namespace') === undefined ? [] : [REFUSALS.policyRefusedIdentityNamespace(at(field, ref))];
  }
  return type === '/ServiceAccount' ? [] : [REFUSALS.policyRefusedIdentityKind(at(field, type))];
}

const ACCESS_POLICIES = [...INBOUND_POLICIES, 'audit'].sort();
const PROTOCOLS = ['unknown', 'HTTP/1', 'HTTP/2', 'gRPC', 'opaque', 'TLS'];

function serverFaults({ accessPolicy, proxyProtocol, port }: Fields): readonly Problem[] {
  const oneOf = (field: string, value: unknown, known: readonly string[]) =>
    typeof value !== 'string' || known.includes(value)
      ? []
      : [REFUSALS.policyRefusedUnsupported({ ...at(field, value), supported: known.join(', ') })];
  return [
    ...oneOf('spec.accessPolicy', accessPolicy, ACCESS_POLICIES),
    ...oneOf('spec.proxyProtocol', proxyProtocol, PROTOCOLS),
    ...(typeof port === 'number' && (!Number.isInteger(port) || port < 1 || port > 65535)
      ? [REFUSALS.policyRefusedPort(at('spec.port', port))]
      : []),
  ];
}

function emptyFaults(field: string, list: unknown): readonly Problem[] {
  return Array.isArray(list) && list.length === 0 ? [REFUSALS.policyRefusedNetworkMissing(at(field, list))] : [];
}

/** Linkerd also accepts single addresses. */
const BARE: NetworkForm = { bare: true };

function networkFaults(networks: unknown): readonly Problem[] {
  return itemsOf(networks).flatMap((network, index) => {
    const cidr = textIn(network, 'cidr') ?? '';
    const field = `spec.networks[${index}]`;
    if (!isNetwork(cidr, BARE)) return [REFUSALS.policyRefusedNetwork(at(`${field}.cidr`, cidr))];
    const except = isObject(network) ? itemsOf(network.except) : [];
    return except.flatMap((one) => exceptionFaults(`${field}.except`, cidr, one));
  });
}

function exceptionFaults(field: string, cidr: string, except: unknown): readonly Problem[] {
  if (typeof except !== 'string' || !isNetwork(except, BARE)) {
    return [REFUSALS.policyRefusedNetwork(at(field, except))];
  }
  if (containsNetwork(except, cidr, BARE)) {
    return [REFUSALS.policyRefusedExceptionOfAll({ ...at(field, except), network: cidr })];
  }
  return containsNetwork(cidr, except, BARE)
    ? []
    : [REFUSALS.policyRefusedExceptionOutside({ ...at(field, except), network: cidr })];
}

function routeFaults({ parentRefs, rules }: Fields, { metadata }: KubernetesObject): readonly Problem[] {
  return [
    ...itemsOf(parentRefs).flatMap((ref, index) => parentFaults(`spec.parentRefs[${index}]`, ref, metadata.namespace)),
    ...itemsOf(rules).flatMap((rule, index) =>
      (isObject(rule) ? itemsOf(rule.matches) : []).flatMap((match, position) => {
        const { path } = objectOf(match);
        const value = textIn(path, 'value');
        const isAbsolute = value === undefined || value.startsWith('/') || textIn(path, 'type') === 'RegularExpression';
        const field = `spec.rules[${index}].matches[${position}].path.value`;
        return isAbsolute ? [] : [REFUSALS.policyRefusedPath({ ...at(field, value), proposed: `/${value}` })];
      }),
    ),
  ];
}

function parentFaults(field: string, ref: unknown, own: string | undefined): readonly Problem[] {
  if (!isObject(ref)) return [];
  if (ref.kind === 'EgressNetwork') {
    return ref.port === undefined ? [REFUSALS.policyRefusedEgressPort({ field: `${field}.port` })] : [];
  }
  if (ref.kind !== 'Server') return [];
  return [
    ...(ref.namespace !== undefined && ref.namespace !== own
      ? [REFUSALS.policyRefusedRouteNamespace(at(`${field}.namespace`, ref.namespace))]
      : []),
    ...(ref.port === undefined ? [] : [REFUSALS.policyRefusedRoutePort(at(`${field}.port`, ref.port))]),
    ...(ref.sectionName === undefined
      ? []
      : [REFUSALS.policyRefusedRouteSection(at(`${field}.sectionName`, ref.sectionName))]),
  ];
}

function rateFaults({ targetRef, total, identity, overrides }: Fields): readonly Problem[] {
  const type = typeOf(targetRef);
  const most = rateOf(total);
  const limits = [
    { field: 'spec.total', rate: most, ofTotal: false },
    { field: 'spec.identity', rate: rateOf(identity), ofTotal: true },
    ...itemsOf(overrides).map((one, index) => ({
      field: `spec.overrides[${index}]`,
      rate: rateOf(one),
      ofTotal: true,
    })),
  ];
  return [
    ...(type === 'policy.linkerd.io/Server' ? [] : [REFUSALS.policyRefusedRateTarget(at('spec.targetRef', type))]),
    ...limits.flatMap(({ field, rate, ofTotal }) => {
      if (rate === undefined) return [];
      const parameters = at(`${field}.requestsPerSecond`, rate);
      if (rate <= 0) return [REFUSALS.policyRefusedRate(parameters)];
      return ofTotal && most !== undefined && rate > most
        ? [REFUSALS.policyRefusedRateAboveTotal({ ...parameters, total: most })]
        : [];
    }),
    ...itemsOf(overrides)
      .flatMap((one) => (isObject(one) ? itemsOf(one.clientRefs) : []))
      .filter((ref) => !['/ServiceAccount', 'core/ServiceAccount'].includes(typeOf(ref)))
      .map((ref) => REFUSALS.policyRefusedClient(at('spec.overrides[].clientRefs', typeOf(ref)))),
  ];
}

function rateOf(limit: unknown): number | undefined {
  const { requestsPerSecond } = objectOf(limit);
  return typeof requestsPerSecond === 'number' ? requestsPerSecond : undefined;
}

function typeOf(ref: unknown): string {
  return `${textIn(ref, 'group') ?? ''}/${textIn(ref, 'kind') ?? ''}`;
}

function at(field: string, value: unknown): { readonly field: string; readonly value: string } {
  return { field, value: shownValue(value) };
}
