import {
  all,
  type Check,
  duplicate,
  each,
  type Fields,
  type Findings,
  fields,
  forbidden,
  has,
  invalid,
  listIn,
  needsSpec,
  object,
  own,
  required,
  textAt,
} from './check';
import type { RuleTable } from './rule-table';
import {
  between,
  dnsLabel,
  dnsSubdomain,
  ipAddress,
  labelKey,
  labels,
  network,
  oneOf,
  orEmpty,
  port,
  portNumber,
} from './scalars';

const isHeadless = (spec: Fields) => own(spec, 'clusterIP') === 'None' || listIn(spec, 'clusterIPs')[0] === 'None';

/** Refuses a field that the Service's type does not have. */
function refuseField(findings: Findings, field: string, why: string): void {
  findings.refuse(forbidden(why, 'remove it'), field);
}

/** Addresses of a Service, and where it has none. */
const serviceAddresses: Check = object((spec, findings) => {
  const type = own(spec, 'type') ?? 'ClusterIP';
  if (type === 'ExternalName') checkExternalName(spec, findings);
  else if (listIn(spec, 'ports').length === 0 && !isHeadless(spec)) {
    findings.refuseWhole(
      required('ports', 'the address of the Service leads nowhere', 'add a port, or clusterIP: None'),
    );
  }
  if (isHeadless(spec) && (type === 'LoadBalancer' || type === 'NodePort')) {
    findings.refuse(invalid('None', `a Service of type ${type} has an address`, 'remove it'), 'clusterIP');
  }
  const addresses = listIn(spec, 'clusterIPs');
  if (addresses.length > 0 && own(spec, 'clusterIP') !== undefined && addresses[0] !== own(spec, 'clusterIP')) {
    findings.refuseWhole(invalid(addresses, 'its first address is clusterIP', 'remove it'), 'clusterIPs');
  }
  const families = listIn(spec, 'ipFamilies');
  if (new Set(families).size < families.length) {
    findings.refuseWhole(invalid(families, 'each family is listed once', 'remove one of them'), 'ipFamilies');
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
  for (const field of misplaced) refuseField(findings, field, 'only a Service of type LoadBalancer has it');
  const isExternal = isBalanced || type === 'NodePort' || listIn(spec, 'externalIPs').length > 0;
  if (!isExternal && has(spec, 'externalTrafficPolicy')) {
    refuseField(findings, 'externalTrafficPolicy', 'only a Service that is reachable from outside has it');
  }
  const needsCheck = isBalanced && own(spec, 'externalTrafficPolicy') === 'Local';
  if (!needsCheck && (own(spec, 'healthCheckNodePort') ?? 0) !== 0) {
    refuseField(findings, 'healthCheckNodePort', 'it requires type: LoadBalancer and externalTrafficPolicy: Local');
  }
});

function checkExternalName(spec: Fields, findings: Findings): void {
  const name = own(spec, 'externalName');
  const host = typeof name === 'string' ? name.replace(/\.$/, '') : '';
  if (host === '') {
    findings.refuseWhole(required('externalName', 'type is ExternalName', 'set externalName'));
  } else findings.at('externalName', host, dnsSubdomain);
  for (const field of ['ipFamilies', 'clusterIPs']) {
    if (listIn(spec, field).length > 0) refuseField(findings, field, 'a Service of type ExternalName has none');
  }
  for (const field of ['ipFamilyPolicy', 'clusterIP']) {
    if (has(spec, field) && own(spec, field) !== '')
      refuseField(findings, field, 'a Service of type ExternalName has none');
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
      findings.refuseWhole(required('name', 'a Service with several ports names each', 'add the name'), 'ports', index);
    } else if (name !== undefined && seen.has(name)) {
      findings.refuse(duplicate(name, 'another port has that name', 'write another name'), 'ports', index, 'name');
    }
    seen.add(name);
    const nodePort = own(item, 'nodePort') ?? 0;
    if (nodePort === 0) continue;
    const key = JSON.stringify([own(item, 'protocol') ?? 'TCP', nodePort]);
    if (type === 'ClusterIP') {
      findings.refuse(
        forbidden('a Service of type ClusterIP has none', 'set type: NodePort, or remove it'),
        'ports',
        index,
        'nodePort',
      );
    } else if (nodePorts.has(key)) {
      findings.refuse(
        duplicate(nodePort, 'another port has the same nodePort', 'write another one'),
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
    findings.refuse(
      invalid(value, 'it must not be a special-purpose address', 'write an address at which nodes are reached'),
    );
  }
};

/** Rules of Services. */
export const SERVICE_RULES: RuleTable = {
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
};
