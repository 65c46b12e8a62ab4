import { isObject } from '#base/is-object';
import { remembered } from '#base/remembered';
import { textIn } from '#base/select-fields';
import { isMap, mergeValues, type Values, valueAt } from '#base/values';
import { parseValues } from '#base/values-document';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { DEFAULT_PORTS } from '#linkerd/ports';

/** The default settings of all proxies of a mesh, which pods and namespaces may override. */
export interface ProxySettings {
  /** Ports that are proxied without protocol detection: comma-separated numbers and ranges. */
  readonly opaquePorts: string;
  /** Inbound ports that bypass the proxy. */
  readonly skippedInbound: string;
  /** Outbound ports that bypass the proxy. */
  readonly skippedOutbound: string;
  /** Networks whose connections bypass the proxies of pods: comma-separated CIDRs. */
  readonly skippedSubnets: string;
  /** Port at which proxies accept the redirected connections. */
  readonly inboundPort: number;
  /** Port at which proxies accept tap. */
  readonly controlPort: number;
  /** Networks from which kubelets may request the paths of probes. */
  readonly probeNetworks: readonly string[];
}

/** Networks that contain all addresses. */
export const EVERYWHERE: readonly string[] = ['0.0.0.0/0', '::/0'];

/** The defaults of the control plane's chart, in all releases. */
const DEFAULTS: ProxySettings = {
  opaquePorts: '25,587,3306,4444,5432,6379,9300,11211',
  skippedInbound: '4567,4568',
  skippedOutbound: '4567,4568',
  skippedSubnets: '',
  inboundPort: DEFAULT_PORTS.inbound,
  controlPort: DEFAULT_PORTS.control,
  probeNetworks: EVERYWHERE,
};

/** Returns the settings in a control plane's values, with those of the chart as defaults. */
export function proxySettings(values: Values): ProxySettings {
  const { proxy, proxyInit, policyController } = values;
  const { opaquePorts, ports } = isMap(proxy) ? proxy : {};
  const { ignoreInboundPorts, ignoreOutboundPorts, skipSubnets } = isMap(proxyInit) ? proxyInit : {};
  const { inbound, control } = isMap(ports) ? ports : {};
  return {
    opaquePorts: listOf(opaquePorts, DEFAULTS.opaquePorts),
    skippedInbound: listOf(ignoreInboundPorts, DEFAULTS.skippedInbound),
    skippedOutbound: listOf(ignoreOutboundPorts, DEFAULTS.skippedOutbound),
    skippedSubnets: listOf(skipSubnets, DEFAULTS.skippedSubnets),
    inboundPort: typeof inbound === 'number' ? inbound : DEFAULTS.inboundPort,
    controlPort: typeof control === 'number' ? control : DEFAULTS.controlPort,
    probeNetworks: networksOf(isMap(policyController) ? policyController.probeNetworks : undefined),
  };
}

/** Returns the default policy of proxies in a control plane's values; undefined if not set. */
export function defaultPolicyIn(values: Values): string | undefined {
  const policy = valueAt(values, 'proxy.defaultInboundPolicy');
  return typeof policy === 'string' && policy !== '' ? policy : undefined;
}

/**
 * Returns the settings of the mesh in a cluster: those that its injector reads, with the operator's overrides; the
 * chart's defaults, if the control plane is installed elsewhere.
 *
 * @param inflated - values of the control plane's chart, if its objects are not among these
 */
export function proxySettingsIn(objects: readonly KubernetesObject[], inflated: Values): ProxySettings {
  return proxySettings(injectorValuesIn(objects, inflated));
}

/** Returns the values that the injector reads: see `proxySettingsIn`. */
export function injectorValuesIn(objects: readonly KubernetesObject[], inflated: Values): Values {
  const installed = objects.filter(isInjectorConfig).map(installedValues);
  const laidOver = objects
    .filter(({ apiVersion, kind }) => kind === 'LinkerdConfig' && apiGroup(apiVersion) === 'config.linkerd.io')
    .map(({ spec }) => (isObject(spec) ? spec.values : undefined));
  return [...installed, ...laidOver].reduce<Values>(
    (base, over) => (isMap(over) ? mergeValues(base, over) : base),
    inflated,
  );
}

function isInjectorConfig({ apiVersion, kind, metadata }: KubernetesObject): boolean {
  return kind === 'ConfigMap' && metadata.name === 'linkerd-config' && apiGroup(apiVersion) === '';
}

const installedValues = remembered(({ data }: KubernetesObject): unknown => {
  try {
    return parseValues(textIn(data, 'values') ?? '');
  } catch {
    return undefined;
  }
});

/** An empty list is kept: Linkerd then admits no probe by default. */
function networksOf(value: unknown): readonly string[] {
  if (value === undefined) return DEFAULTS.probeNetworks;
  return Array.isArray(value) ? value.map(String) : [];
}

/** Returns a list of ports as text. A single port may be a number, and null is empty. */
function listOf(value: unknown, byDefault: string): string {
  if (value === undefined) return byDefault;
  return value === null ? '' : `${value}`;
}
