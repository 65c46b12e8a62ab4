import { shownValue } from '../../../operator/api/kubernetes/shown-value';
import type { ObjectRule } from '../../kubernetes/checks/object-rule';
import type { Problem } from '../../kubernetes/findings/problem';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { containsNetwork, isNetwork } from '../../kubernetes/networks';
import { isObject, itemsOf, textIn } from '../../kubernetes/select-fields';
import { LINKERD_POLICY_FINDINGS } from './findings';

/** An invalid field, and its fix. */
interface Fault {
  readonly field: string;
  readonly value: unknown;
  readonly why: string;
  readonly fix: string;
}

type Fields = Readonly<Record<string, unknown>>;
type FaultsOf = (spec: Fields, object: KubernetesObject) => readonly Fault[];

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
  return faults(object.spec, object).map(({ field, value, why, fix }) =>
    LINKERD_POLICY_FINDINGS.policyRefused(
      { field, value: shownValue(value), reason: why, remedy: fix },
      { place: describeObject(object) },
    ),
  );
}

const REFUSED = "Linkerd's policy webhook refuses the object";
const IGNORED = "Linkerd's policy controller ignores the object, and lets no client in";

const TARGETS = [
  '/Namespace',
  'core/Namespace',
  'policy.linkerd.io/Server',
  'policy.linkerd.io/HTTPRoute',
  'gateway.networking.k8s.io/HTTPRoute',
  'gateway.networking.k8s.io/GRPCRoute',
];

function targetFaults({ targetRef }: Fields, { metadata }: KubernetesObject): readonly Fault[] {
  const type = typeOf(targetRef);
  if (!TARGETS.includes(type)) {
    return [
      fault(
        'spec.targetRef',
        type,
        REFUSED,
        `target one of ${TARGETS.filter((one) => one !== 'core/Namespace').join(', ')}`,
      ),
    ];
  }
  const name = textIn(targetRef, 'name');
  return type.endsWith('/Namespace') && name !== (metadata.namespace ?? 'default')
    ? [fault('spec.targetRef.name', name, `${REFUSED}: it cannot target another namespace`, 'name its own namespace')]
    : [];
}

const IDENTITY_KINDS = ['policy.linkerd.io/MeshTLSAuthentication', '/ServiceAccount', 'core/ServiceAccount'];
const NETWORK_KIND = 'policy.linkerd.io/NetworkAuthentication';

function authenticationFaults({ requiredAuthenticationRefs }: Fields): readonly Fault[] {
  const types = itemsOf(requiredAuthenticationRefs).map(typeOf);
  const field = 'spec.requiredAuthenticationRefs';
  const isIdentity = (type: string) => IDENTITY_KINDS.includes(type);
  const unknown = types.filter((type) => !isIdentity(type) && type !== NETWORK_KIND);
  const split =
    'create one policy for each: a policy requires everything that it lists, and several policies are alternatives';
  return [
    ...unknown.map((type) =>
      fault(field, type, REFUSED, 'refer to MeshTLSAuthentication, NetworkAuthentication or ServiceAccount'),
    ),
    ...(types.filter(isIdentity).length > 1
      ? [fault(field, types, `${REFUSED}: a client has only one identity`, split)]
      : []),
    ...(types.filter((type) => type === NETWORK_KIND).length > 1 ? [fault(field, types, REFUSED, split)] : []),
  ];
}

/** Identities in the form that the webhook accepts (policy-controller/runtime/src/validation.rs). */
const DNS_IDENTITY = /^(?:\*|[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const SPIFFE_IDENTITY = /^spiffe:\/\/[a-z0-9._-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)*$/;

function identityFaults({ identities, identityRefs }: Fields): readonly Fault[] {
  const texts = itemsOf(identities);
  const refs = itemsOf(identityRefs);
  const isEmpty = texts.length === 0 && refs.length === 0;
  return [
    ...(isEmpty ? [fault('spec', { identities, identityRefs }, IGNORED, 'name an identity')] : []),
    ...texts.flatMap((text, index) =>
      typeof text !== 'string' || DNS_IDENTITY.test(text) || SPIFFE_IDENTITY.test(text)
        ? []
        : [fault(`spec.identities[${index}]`, text, REFUSED, 'write a DNS name, "*" with a suffix, or spiffe://…')],
    ),
    ...refs.flatMap((ref, index) => refFaults(`spec.identityRefs[${index}]`, ref)),
  ];
}

function refFaults(field: string, ref: unknown): readonly Fault[] {
  const type = typeOf(ref).replace(/^core\//, '/');
  if (type === '/Namespace') {
    return textIn(ref, 'namespace') === undefined
      ? []
      : [fault(field, ref, `${REFUSED}: a namespace is not namespaced`, 'remove namespace')];
  }
  return type === '/ServiceAccount' ? [] : [fault(field, type, REFUSED, 'refer to a ServiceAccount or a Namespace')];
}

const ACCESS_POLICIES = [
  'all-authenticated',
  'all-unauthenticated',
  'audit',
  'cluster-authenticated',
  'cluster-unauthenticated',
  'deny',
];
const PROTOCOLS = ['unknown', 'HTTP/1', 'HTTP/2', 'gRPC', 'opaque', 'TLS'];

function serverFaults({
  accessPolicy,
  proxyProtocol,
  port,
  podSelector,
  externalWorkloadSelector,
}: Fields): readonly Fault[] {
  const oneOf = (field: string, value: unknown, known: readonly string[]) =>
    value === undefined || value === null || known.some((one) => one === value)
      ? []
      : [fault(field, value, REFUSED, `write one of ${known.join(', ')}`)];
  const selectors = [podSelector, externalWorkloadSelector].filter((one) => one !== undefined && one !== null);
  return [
    ...oneOf('spec.accessPolicy', accessPolicy, ACCESS_POLICIES),
    ...oneOf('spec.proxyProtocol', proxyProtocol, PROTOCOLS),
    ...(typeof port === 'number' && (!Number.isInteger(port) || port < 1 || port > 65535)
      ? [fault('spec.port', port, REFUSED, 'write a number from 1 to 65535')]
      : []),
    ...(selectors.length === 2
      ? [fault('spec', 'podSelector and externalWorkloadSelector', REFUSED, 'create a Server for each')]
      : []),
  ];
}

function emptyFaults(field: string, list: unknown): readonly Fault[] {
  return Array.isArray(list) && list.length === 0 ? [fault(field, list, REFUSED, 'name a network')] : [];
}

function networkFaults(networks: unknown): readonly Fault[] {
  return itemsOf(networks).flatMap((network, index) => {
    const cidr = textIn(network, 'cidr') ?? '';
    const field = `spec.networks[${index}]`;
    if (!isNetwork(cidr)) return [fault(`${field}.cidr`, cidr, REFUSED, 'write an address block such as 10.0.0.0/8')];
    const except = isObject(network) ? itemsOf(network.except) : [];
    return except.flatMap((one) => exceptionFaults(`${field}.except`, cidr, one));
  });
}

function exceptionFaults(field: string, cidr: string, except: unknown): readonly Fault[] {
  if (typeof except !== 'string' || !isNetwork(except)) {
    return [fault(field, except, REFUSED, 'write an address block such as 10.0.0.0/8')];
  }
  if (containsNetwork(except, cidr)) {
    return [fault(field, except, `${REFUSED}: it excludes all of ${cidr}`, 'exclude less, or remove the network')];
  }
  return containsNetwork(cidr, except)
    ? []
    : [fault(field, except, `${REFUSED}: it is not within ${cidr}`, `exclude a part of ${cidr}`)];
}

function routeFaults({ parentRefs, rules }: Fields, { metadata }: KubernetesObject): readonly Fault[] {
  return [
    ...itemsOf(parentRefs).flatMap((ref, index) => parentFaults(`spec.parentRefs[${index}]`, ref, metadata.namespace)),
    ...itemsOf(rules).flatMap((rule, index) =>
      (isObject(rule) ? itemsOf(rule.matches) : []).flatMap((match, position) => {
        const { path } = isObject(match) ? match : {};
        const value = textIn(path, 'value');
        const isAbsolute = value === undefined || value.startsWith('/') || textIn(path, 'type') === 'RegularExpression';
        const field = `spec.rules[${index}].matches[${position}].path.value`;
        return isAbsolute ? [] : [fault(field, value, REFUSED, `write "/${value}"`)];
      }),
    ),
  ];
}

function parentFaults(field: string, ref: unknown, own: string | undefined): readonly Fault[] {
  if (!isObject(ref)) return [];
  if (ref.kind === 'EgressNetwork') {
    return ref.port === undefined ? [fault(`${field}.port`, undefined, REFUSED, 'name the port of the hosts')] : [];
  }
  if (ref.kind !== 'Server') return [];
  const why = "Linkerd's policy controller ignores the whole route";
  return [
    ...(ref.namespace !== undefined && ref.namespace !== own
      ? [fault(`${field}.namespace`, ref.namespace, why, 'attach it to a Server in its own namespace')]
      : []),
    ...(ref.port === undefined ? [] : [fault(`${field}.port`, ref.port, why, 'remove it: a Server has one port')]),
    ...(ref.sectionName === undefined ? [] : [fault(`${field}.sectionName`, ref.sectionName, why, 'remove it')]),
  ];
}

function rateFaults({ targetRef, total, identity, overrides }: Fields): readonly Fault[] {
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
    ...(type === 'policy.linkerd.io/Server' ? [] : [fault('spec.targetRef', type, REFUSED, 'target a Server')]),
    ...limits.flatMap(({ field, rate, ofTotal }) => {
      const at = `${field}.requestsPerSecond`;
      if (rate === undefined) return [];
      if (rate <= 0) return [fault(at, rate, REFUSED, 'write a number of 1 or more')];
      return ofTotal && most !== undefined && rate > most
        ? [fault(at, rate, `${REFUSED}: it is more than the total, ${most}`, `write ${most} or less`)]
        : [];
    }),
    ...itemsOf(overrides)
      .flatMap((one) => (isObject(one) ? itemsOf(one.clientRefs) : []))
      .filter((ref) => !['/ServiceAccount', 'core/ServiceAccount'].includes(typeOf(ref)))
      .map((ref) => fault('spec.overrides[].clientRefs', typeOf(ref), REFUSED, 'refer to a ServiceAccount')),
  ];
}

function rateOf(limit: unknown): number | undefined {
  const { requestsPerSecond } = isObject(limit) ? limit : {};
  return typeof requestsPerSecond === 'number' ? requestsPerSecond : undefined;
}

function typeOf(ref: unknown): string {
  return `${textIn(ref, 'group') ?? ''}/${textIn(ref, 'kind') ?? ''}`;
}

function fault(field: string, value: unknown, why: string, fix: string): Fault {
  return { field, value, why, fix };
}
