import { containsNetwork } from '#base/networks';
import { fits, NAME_FORMS } from '../names';
import {
  all,
  type Check,
  duplicate,
  each,
  exactlyOne,
  type Fields,
  type Findings,
  fields,
  forbidden,
  has,
  invalid,
  invalidName,
  listIn,
  needsSpec,
  object,
  objectIn,
  own,
  type RuleTable,
  required,
  textAt,
  tooLong,
} from './check';
import {
  between,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  ipAddress,
  labelKey,
  labels,
  NETWORK_FORM,
  network,
  notEmpty,
  oneOf,
  orEmpty,
  port,
  portName,
  portNumber,
} from './scalars';

const isHeadless = (spec: Fields) => own(spec, 'clusterIP') === 'None' || listIn(spec, 'clusterIPs')[0] === 'None';

const serviceAddresses: Check = object((spec, findings) => {
  const type = own(spec, 'type') ?? 'ClusterIP';
  if (type === 'ExternalName') checkExternalName(spec, findings);
  else if (listIn(spec, 'ports').length === 0 && !isHeadless(spec)) {
    findings.refuseWhole(required('ports', 'service-ports'));
  }
  if (isHeadless(spec) && (type === 'LoadBalancer' || type === 'NodePort')) {
    findings.refuse(invalid('None', 'service-address', { type }), 'clusterIP');
  }
  const addresses = listIn(spec, 'clusterIPs');
  if (addresses.length > 0 && own(spec, 'clusterIP') !== undefined && addresses[0] !== own(spec, 'clusterIP')) {
    findings.refuseWhole(invalid(addresses, 'first-address'), 'clusterIPs');
  }
  const families = listIn(spec, 'ipFamilies');
  if (new Set(families).size < families.length) {
    findings.refuseWhole(invalid(families, 'listed-once'), 'ipFamilies');
  }
});

const OF_LOAD_BALANCERS = ['allocateLoadBalancerNodePorts', 'loadBalancerClass'];

const serviceType: Check = object((spec, findings) => {
  const type = own(spec, 'type') ?? 'ClusterIP';
  const isBalanced = type === 'LoadBalancer';
  checkPorts(spec, type, findings);
  const misplaced = isBalanced ? [] : OF_LOAD_BALANCERS.filter((field) => has(spec, field));
  if (!isBalanced && listIn(spec, 'loadBalancerSourceRanges').length > 0) misplaced.push('loadBalancerSourceRanges');
  for (const field of misplaced) findings.refuse(forbidden('only-of-type', { type: 'LoadBalancer' }), field);
  const isExternal = isBalanced || type === 'NodePort' || listIn(spec, 'externalIPs').length > 0;
  if (!isExternal && has(spec, 'externalTrafficPolicy')) {
    findings.refuse(forbidden('external-traffic'), 'externalTrafficPolicy');
  }
  const needsCheck = isBalanced && own(spec, 'externalTrafficPolicy') === 'Local';
  if (!needsCheck && (own(spec, 'healthCheckNodePort') ?? 0) !== 0) {
    findings.refuse(forbidden('health-check'), 'healthCheckNodePort');
  }
});

function checkExternalName(spec: Fields, findings: Findings): void {
  const name = own(spec, 'externalName');
  const host = typeof name === 'string' ? name.replace(/\.$/, '') : '';
  if (host === '') {
    findings.refuseWhole(required('externalName', 'external-name'));
  } else findings.at('externalName', host, dnsSubdomain);
  for (const field of ['ipFamilies', 'clusterIPs']) {
    if (listIn(spec, field).length > 0) findings.refuse(forbidden('not-of-type', { type: 'ExternalName' }), field);
  }
  for (const field of ['ipFamilyPolicy', 'clusterIP']) {
    if (has(spec, field) && own(spec, field) !== '')
      findings.refuse(forbidden('not-of-type', { type: 'ExternalName' }), field);
  }
}

function checkPorts(spec: Fields, type: unknown, findings: Findings): void {
  const ports = listIn(spec, 'ports').map((value) =>
    typeof value === 'object' && value !== null ? (value as Fields) : {},
  );
  const seen = new Set<unknown>();
  const nodePorts = new Set<string>();
  for (const [index, item] of ports.entries()) {
    const name = textAt(item, 'name');
    if (name === undefined && ports.length > 1) {
      findings.refuseWhole(required('name', 'port-names'), 'ports', index);
    } else if (name !== undefined && seen.has(name)) {
      findings.refuse(duplicate(name, 'name-taken'), 'ports', index, 'name');
    }
    seen.add(name);
    const nodePort = own(item, 'nodePort') ?? 0;
    if (nodePort === 0) continue;
    const key = JSON.stringify([own(item, 'protocol') ?? 'TCP', nodePort]);
    if (type === 'ClusterIP') {
      findings.refuse(forbidden('node-port'), 'ports', index, 'nodePort');
    } else if (nodePorts.has(key)) {
      findings.refuse(duplicate(nodePort, 'port-taken'), 'ports', index, 'nodePort');
    }
    nodePorts.add(key);
  }
}

const clusterIp: Check = (value, findings) => {
  if (value !== 'None' && value !== '') ipAddress(value, findings);
};

/** Addresses with a special meaning (ValidateEndpointIP). */
const SPECIAL = /^(?:0\.0\.0\.0|127\.|169\.254\.|224\.0\.0\.|::$|::1$|fe[89ab][0-9a-f]:|ff02:)/i;

const externalIp: Check = (value, findings) => {
  ipAddress(value, findings);
  if (typeof value === 'string' && SPECIAL.test(value)) {
    findings.refuse(invalid(value, 'special-address'));
  }
};

const affinityTimeout = fields({ clientIP: fields({ timeoutSeconds: between(1, 86_400) }) });

/** Checks sessionAffinityConfig only with ClientIP: otherwise API servers remove it (SetDefaults_Service). */
const sessionAffinity: Check = object((spec, findings) => {
  if (own(spec, 'sessionAffinity') !== 'ClientIP') return;
  findings.at('sessionAffinityConfig', own(spec, 'sessionAffinityConfig'), affinityTimeout);
});

/** Rules of Services. */
export const SERVICE_RULES: RuleTable = {
  Service: needsSpec,
  ServiceSpec: all(
    serviceAddresses,
    serviceType,
    sessionAffinity,
    fields({
      clusterIP: clusterIp,
      clusterIPs: each(clusterIp),
      externalIPs: each(externalIp),
      loadBalancerSourceRanges: each((value, findings) => {
        network(typeof value === 'string' ? value.trim() : value, findings);
      }),
      loadBalancerClass: labelKey,
      selector: labels,
      trafficDistribution: oneOf('PreferClose', 'PreferSameNode', 'PreferSameZone'),
      healthCheckNodePort: between(0, 65_535),
    }),
  ),
  ServicePort: fields({
    name: orEmpty(dnsLabel),
    port: portNumber,
    targetPort: (value, findings) => (value === 0 || value === '' ? undefined : port(value, findings)),
    appProtocol: labelKey,
  }),
};

const tlsHost: Check = (value, findings) => {
  if (typeof value !== 'string') return;
  const form = value.includes('*') ? NAME_FORMS.wildcardHost : NAME_FORMS.dnsSubdomain;
  if (fits(value, form)) return;
  findings.refuse(invalidName(value, form));
};

const host: Check = (value, findings) => {
  tlsHost(value, findings);
  if (typeof value === 'string' && /^(?:0*\d{1,3}\.){3}0*\d{1,3}$/.test(value)) {
    findings.refuse(invalid(value, 'host-address'));
  }
};

const BAD_PATH = /\/\/|\/\.\/|\/\.\.\/|%2f|%2F|\/\.\.$|\/\.$/;

const ingressPath: Check = object((path, findings) => {
  const text = own(path, 'path') ?? '';
  const type = own(path, 'pathType');
  if (typeof text !== 'string' || typeof type !== 'string') return;
  const isFree = type === 'ImplementationSpecific';
  if (!text.startsWith('/') && !(isFree && text === '')) {
    findings.refuse(invalid(text, 'path-absolute'), 'path');
  } else if (!isFree && BAD_PATH.test(text)) {
    findings.refuse(invalid(text, 'ingress-path'), 'path');
  }
});

const servicePort: Check = exactlyOneOfNumberAndName();

function exactlyOneOfNumberAndName(): Check {
  return object((value, findings) => {
    const name = textAt(value, 'name');
    const number = own(value, 'number') ?? 0;
    if ((name === undefined) === (number === 0)) {
      findings.refuseWhole(
        name === undefined
          ? required('name or number', 'one-of-several')
          : forbidden('one-of-several', { other: 'number' }),
        ...(name === undefined ? [] : ['name']),
      );
      return;
    }
    findings.at('name', name, portName);
    if (number !== 0) findings.at('number', number, portNumber);
  });
}

/** Rules of Ingresses. */
export const INGRESS_RULES: RuleTable = {
  Ingress: needsSpec,
  IngressSpec: all(
    object((spec, findings) => {
      if (listIn(spec, 'rules').length > 0 || has(spec, 'defaultBackend')) return;
      findings.refuseWhole(required('rules or defaultBackend', 'ingress-effect'));
    }),
    object((spec, findings) => {
      const annotation = own(
        objectIn(objectIn(findings.root, 'metadata'), 'annotations'),
        'kubernetes.io/ingress.class',
      );
      const name = own(spec, 'ingressClassName');
      if (typeof annotation !== 'string' || typeof name !== 'string' || annotation === name) return;
      findings.refuse(invalid(name, 'ingress-class', { annotation }), 'ingressClassName');
    }),
    fields({
      ingressClassName: dnsSubdomain,
      tls: each(fields({ hosts: each(tlsHost), secretName: orEmpty(dnsSubdomain) })),
    }),
  ),
  IngressRule: fields({ host: orEmpty(host), http: fields({ paths: notEmpty }) }),
  HTTPIngressPath: ingressPath,
  IngressBackend: exactlyOne('resource', 'service'),
  IngressServiceBackend: all(
    fields({ name: dns1035Label }),
    object((backend, findings) => servicePortOf(backend, findings)),
  ),
  TypedLocalObjectReference: fields({ kind: notEmpty, name: notEmpty }),
};

function servicePortOf(backend: Fields, findings: Findings): void {
  findings.at('port', own(backend, 'port') ?? {}, servicePort);
}

/** Rules of NetworkPolicies. */
export const NETWORK_POLICY_RULES: RuleTable = {
  NetworkPolicyPort: all(
    fields({ port, endPort: portNumber }),
    object((value, findings) => {
      const first = own(value, 'port');
      const last = own(value, 'endPort');
      if (last === undefined || last === null || (typeof first === 'number' && Number(last) >= first)) return;
      findings.refuse(invalid(last, 'end-port'), 'endPort');
    }),
  ),
  NetworkPolicyPeer: object((peer, findings) => {
    const set = ['ipBlock', 'namespaceSelector', 'podSelector'].filter((field) => has(peer, field));
    if (set.length === 1 || (set.length === 2 && !has(peer, 'ipBlock'))) return;
    findings.refuseWhole(
      set.length === 0
        ? required('ipBlock, namespaceSelector or podSelector', 'one-of-several')
        : forbidden('peer-labels'),
      ...(set.length === 0 ? [] : ['ipBlock']),
    );
  }),
  NetworkPolicySpec: fields({
    policyTypes: (value, findings) => {
      if (!Array.isArray(value) || value.length <= 2) return;
      findings.refuseWhole(tooLong(value.length, 2, 'items', 'policy-types'));
    },
  }),
  IPBlock: all(
    fields({ cidr: network, except: each(network) }),
    object((block, findings) => {
      const cidr = own(block, 'cidr');
      for (const [index, except] of listIn(block, 'except').entries()) {
        if (typeof cidr !== 'string' || typeof except !== 'string') continue;
        const isInside = containsNetwork(cidr, except, NETWORK_FORM);
        if (isInside === undefined || (isInside && !containsNetwork(except, cidr, NETWORK_FORM))) continue;
        findings.refuse(invalid(except, 'network-outside', { network: cidr }), 'except', index);
      }
    }),
  ),
};
