import { fits, formFault, NAME_FORMS } from '../../kubernetes/names';
import {
  all,
  type Check,
  each,
  type Fields,
  type Findings,
  fields,
  has,
  listIn,
  needsSpec,
  object,
  objectIn,
  own,
  REFUSES,
  textAt,
} from './check';
import { exactlyOne } from './containers';
import type { RuleTable } from './rule-table';
import {
  between,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  ipAddress,
  isNetwork,
  labelKey,
  labels,
  network,
  notEmpty,
  oneOf,
  orEmpty,
  port,
  portName,
  portNumber,
} from './scalars';

const isHeadless = (spec: Fields) => own(spec, 'clusterIP') === 'None' || listIn(spec, 'clusterIPs')[0] === 'None';

/** Refuses a field that the Service's type does not have. */
function refuseField(findings: Findings, field: string, why: string): void {
  findings.refuse({ code: 'field-not-allowed', says: 'is set', why: `${REFUSES} ${why}`, fix: 'remove it' }, field);
}

/** Addresses of a Service, and where it has none. */
const serviceAddresses: Check = object((spec, findings) => {
  const type = own(spec, 'type') ?? 'ClusterIP';
  if (type === 'ExternalName') checkExternalName(spec, findings);
  else if (listIn(spec, 'ports').length === 0 && !isHeadless(spec)) {
    findings.refuse({
      code: 'field-missing',
      says: 'has no ports',
      why: `${REFUSES}: its address would lead nowhere`,
      fix: 'add a port, or clusterIP: None',
    });
  }
  if (isHeadless(spec) && (type === 'LoadBalancer' || type === 'NodePort')) {
    findings.refuseValue('None', `${REFUSES}: a Service of type ${type} has an address`, 'remove it', 'clusterIP');
  }
  const addresses = listIn(spec, 'clusterIPs');
  if (addresses.length > 0 && own(spec, 'clusterIP') !== undefined && addresses[0] !== own(spec, 'clusterIP')) {
    findings.refuse(
      {
        code: 'addresses-differ',
        says: 'does not begin with clusterIP',
        why: `${REFUSES}: both are the same address`,
        fix: 'remove it',
      },
      'clusterIPs',
    );
  }
  const families = listIn(spec, 'ipFamilies');
  if (new Set(families).size < families.length) {
    findings.refuse(
      {
        code: 'repeated-item',
        says: 'has a family twice',
        why: `${REFUSES}: there is one address of each`,
        fix: 'remove one',
      },
      'ipFamilies',
    );
  }
});

const OF_LOAD_BALANCERS = ['allocateLoadBalancerNodePorts', 'loadBalancerClass'];

/** Fields that only Services of some types have. */
const serviceType: Check = object((spec, findings) => {
  const type = own(spec, 'type') ?? 'ClusterIP';
  const isBalanced = type === 'LoadBalancer';
  checkPorts(spec, type, findings);
  const misplaced = isBalanced ? [] : OF_LOAD_BALANCERS.filter((field) => has(spec, field));
  if (!isBalanced && listIn(spec, 'loadBalancerSourceRanges').length > 0) misplaced.push('loadBalancerSourceRanges');
  for (const field of misplaced) refuseField(findings, field, 'unless type is LoadBalancer');
  const isExternal = isBalanced || type === 'NodePort' || listIn(spec, 'externalIPs').length > 0;
  if (!isExternal && has(spec, 'externalTrafficPolicy')) {
    refuseField(findings, 'externalTrafficPolicy', 'unless the Service can be reached from outside');
  }
  const needsCheck = isBalanced && own(spec, 'externalTrafficPolicy') === 'Local';
  if (!needsCheck && (own(spec, 'healthCheckNodePort') ?? 0) !== 0) {
    refuseField(findings, 'healthCheckNodePort', 'unless type is LoadBalancer and externalTrafficPolicy is Local');
  }
});

function checkExternalName(spec: Fields, findings: Findings): void {
  const name = own(spec, 'externalName');
  const host = typeof name === 'string' ? name.replace(/\.$/, '') : '';
  if (host === '') {
    findings.refuse({
      code: 'field-missing',
      says: 'has no externalName',
      why: `${REFUSES}: it stands for another name`,
      fix: 'set externalName',
    });
  } else findings.at('externalName', host, dnsSubdomain);
  for (const field of ['ipFamilies', 'clusterIPs']) {
    if (listIn(spec, field).length > 0) refuseField(findings, field, 'when type is ExternalName');
  }
  for (const field of ['ipFamilyPolicy', 'clusterIP']) {
    if (has(spec, field) && own(spec, field) !== '') refuseField(findings, field, 'when type is ExternalName');
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
      findings.refuse(
        {
          code: 'field-missing',
          says: 'has no name',
          why: `${REFUSES}: of several ports each has one`,
          fix: 'add the name',
        },
        'ports',
        index,
      );
    } else if (name !== undefined && seen.has(name)) {
      findings.refuseRepetition(
        name,
        `${REFUSES}: another port has that name`,
        'write another name',
        'ports',
        index,
        'name',
      );
    }
    seen.add(name);
    const nodePort = own(item, 'nodePort') ?? 0;
    if (nodePort === 0) continue;
    const key = JSON.stringify([own(item, 'protocol') ?? 'TCP', nodePort]);
    if (type === 'ClusterIP') {
      findings.refuse(
        {
          code: 'field-not-allowed',
          says: 'is set',
          why: `${REFUSES} when type is ClusterIP`,
          fix: 'set type: NodePort, or remove it',
        },
        'ports',
        index,
        'nodePort',
      );
    } else if (nodePorts.has(key)) {
      findings.refuseRepetition(
        nodePort,
        `${REFUSES}: another port has it`,
        'write another',
        'ports',
        index,
        'nodePort',
      );
    }
    nodePorts.add(key);
  }
}

const clusterIp: Check = (value, findings) => {
  if (value !== 'None' && value !== '') ipAddress(value, findings);
};

/** Addresses that mean something else everywhere (ValidateEndpointIP). */
const SPECIAL = /^(?:0\.0\.0\.0|127\.|169\.254\.|224\.0\.0\.|::$|::1$|fe[89ab][0-9a-f]:|ff02:)/i;

const externalIp: Check = (value, findings) => {
  ipAddress(value, findings);
  if (typeof value === 'string' && SPECIAL.test(value)) {
    findings.refuseValue(value, `${REFUSES}: the address is special`, 'write an address at which nodes are reached');
  }
};

/** A host of an Ingress: a DNS name or `*.example.com`. */
const tlsHost: Check = (value, findings) => {
  if (typeof value !== 'string') return;
  const form = value.includes('*') ? NAME_FORMS.wildcardHost : NAME_FORMS.dnsSubdomain;
  if (fits(value, form)) return;
  const { said, ...fault } = formFault(value, form);
  findings.refuse({ says: `is ${said}`, ...fault });
};

const host: Check = (value, findings) => {
  tlsHost(value, findings);
  if (typeof value === 'string' && /^(?:0*\d{1,3}\.){3}0*\d{1,3}$/.test(value)) {
    findings.refuseValue(value, `${REFUSES}: it is an address, not a name`, 'write a DNS name that resolves to it');
  }
};

const BAD_PATH = /\/\/|\/\.\/|\/\.\.\/|%2f|%2F|\/\.\.$|\/\.$/;

const ingressPath: Check = object((path, findings) => {
  const text = own(path, 'path') ?? '';
  const type = own(path, 'pathType');
  if (typeof text !== 'string' || typeof type !== 'string') return;
  const isFree = type === 'ImplementationSpecific';
  if (!text.startsWith('/') && !(isFree && text === '')) {
    findings.refuseValue(text, `${REFUSES}: a path is from the root`, 'write it with a leading "/"', 'path');
  } else if (!isFree && BAD_PATH.test(text)) {
    findings.refuseValue(
      text,
      `${REFUSES}: the path says more than one thing`,
      'write it without "//", "/.", "/.." and "%2f"',
      'path',
    );
  }
});

/** The name of a Service's port in a container, an Ingress or a policy. */
const servicePort: Check = exactlyOneOfNumberAndName();

function exactlyOneOfNumberAndName(): Check {
  return object((value, findings) => {
    const name = textAt(value, 'name');
    const number = own(value, 'number') ?? 0;
    if ((name === undefined) === (number === 0)) {
      findings.refuse({
        code: 'not-exactly-one',
        says: name === undefined ? 'has neither name nor number' : 'has name and number',
        why: `${REFUSES}: a port of a Service has one or the other`,
        fix: 'keep one of them',
      });
      return;
    }
    findings.at('name', name, portName);
    if (number !== 0) findings.at('number', number, portNumber);
  });
}

/** Rules of objects that are reached over the network. */
export const NETWORK_RULES: RuleTable = {
  Ingress: needsSpec,
  Service: needsSpec,
  ServiceSpec: all(
    serviceAddresses,
    serviceType,
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
  ClientIPConfig: fields({ timeoutSeconds: between(1, 86_400) }),
  IngressSpec: all(
    object((spec, findings) => {
      if (listIn(spec, 'rules').length > 0 || has(spec, 'defaultBackend')) return;
      findings.refuse({
        code: 'field-missing',
        says: 'has neither rules nor a defaultBackend',
        why: `${REFUSES}: it would do nothing`,
        fix: 'add a rule',
      });
    }),
    object((spec, findings) => {
      const annotation = own(
        objectIn(objectIn(findings.root, 'metadata'), 'annotations'),
        'kubernetes.io/ingress.class',
      );
      const name = own(spec, 'ingressClassName');
      if (typeof annotation !== 'string' || typeof name !== 'string' || annotation === name) return;
      findings.refuseValue(
        name,
        `${REFUSES}: the annotation kubernetes.io/ingress.class says "${annotation}"`,
        'remove the annotation',
        'ingressClassName',
      );
    }),
    fields({
      ingressClassName: dnsSubdomain,
      tls: each(fields({ hosts: each(tlsHost), secretName: orEmpty(dnsSubdomain) })),
    }),
  ),
  IngressRule: fields({ host: orEmpty(host), http: fields({ paths: notEmpty }) }),
  HTTPIngressPath: ingressPath,
  IngressBackend: exactlyOne(['resource', 'service'], 'a backend is one thing'),
  IngressServiceBackend: all(
    fields({ name: dns1035Label }),
    object((backend, findings) => servicePortOf(backend, findings)),
  ),
  TypedLocalObjectReference: fields({ kind: notEmpty, name: notEmpty }),
  NetworkPolicyPort: all(
    fields({ port, endPort: portNumber }),
    object((value, findings) => {
      const first = own(value, 'port');
      const last = own(value, 'endPort');
      if (last === undefined || last === null || (typeof first === 'number' && Number(last) >= first)) return;
      findings.refuseValue(
        last,
        `${REFUSES}: it ends a range that begins with the number of port`,
        'write a number from port on',
        'endPort',
      );
    }),
  ),
  NetworkPolicyPeer: object((peer, findings) => {
    const set = ['ipBlock', 'namespaceSelector', 'podSelector'].filter((field) => has(peer, field));
    if (set.length === 1 || (set.length === 2 && !has(peer, 'ipBlock'))) return;
    findings.refuse({
      code: 'not-exactly-one',
      says: set.length === 0 ? 'is empty' : `has ${set.join(' and ')}`,
      why: `${REFUSES}: a peer is a network, or pods by their labels`,
      fix: set.length === 0 ? 'add a selector or an ipBlock' : 'make two peers of it',
    });
  }),
  NetworkPolicySpec: fields({
    policyTypes: (value, findings) => {
      if (!Array.isArray(value) || value.length <= 2) return;
      findings.refuse({
        code: 'too-many-items',
        says: `has ${value.length} items`,
        why: `${REFUSES}: there are two types`,
        fix: 'keep one of each',
      });
    },
  }),
  IPBlock: all(
    fields({ cidr: network, except: each(network) }),
    object((block, findings) => {
      const cidr = own(block, 'cidr');
      for (const [index, except] of listIn(block, 'except').entries()) {
        if (typeof cidr !== 'string' || typeof except !== 'string' || !isNetwork(cidr) || !isNetwork(except)) continue;
        if (isWithin(except, cidr)) continue;
        findings.refuseValue(
          except,
          `${REFUSES}: it is no part of ${cidr}`,
          `write a network within ${cidr}`,
          'except',
          index,
        );
      }
    }),
  ),
};

function servicePortOf(backend: Fields, findings: Findings): void {
  findings.at('port', own(backend, 'port') ?? {}, servicePort);
}

/** Tells whether a network is a part of another one, and smaller. */
function isWithin(inner: string, outer: string): boolean {
  const [innerAddress = '', innerBits = ''] = inner.split('/');
  const [outerAddress = '', outerBits = ''] = outer.split('/');
  if (innerAddress.includes(':') !== outerAddress.includes(':')) return false;
  if (Number(innerBits) <= Number(outerBits)) return false;
  return prefix(innerAddress, Number(outerBits)) === prefix(outerAddress, Number(outerBits));
}

function prefix(address: string, bits: number): string {
  return bitsOf(address).slice(0, bits);
}

function bitsOf(address: string): string {
  if (!address.includes(':'))
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const after = tail === undefined ? [] : groups(tail);
  const zeros = new Array<string>(Math.max(0, 8 - groups(head).length - after.length)).fill('0');
  return [...groups(head), ...(tail === undefined ? [] : zeros), ...after]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('');
}
