import type { ApiObject, JsonPatch } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { suggest } from '#base/suggest';
import { mergeValues, type Values } from '#base/values';
import { BOOLEAN, FREE, keysOf, part } from '#kubernetes/options/known-keys';
import { ADMISSION_WEBHOOKS, CNI_RESOURCE, INJECT, POD_SECURITY_ENFORCE } from '#linkerd/annotations';
import { knownValues } from '#linkerd/charts/known-values';
import { checkPortList } from '#linkerd/proxy-values/port-list';
import type { CniValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { GivenRelease, Release } from '#linkerd/releases/release';
import { cniChart } from '#linkerd/renderers/linkerd2-cni/chart';
import { checkPodSecurityPolicy } from '#linkerd/renderers/pod-security-policy';
import { checkSecretsInValues } from '#linkerd/renderers/private-keys';
import { addChart, type ChartRelease } from '../../gitops/charts/chart-release';
import type { Delivery } from '../../gitops/charts/helm-release';
import type { Patchable } from '../../gitops/charts/object-patches';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { propOfRelease } from './default-release';
import { CONTROL_PLANE_FINDINGS } from './findings';
import { bindSccs, cniGrant } from './openshift';

/** A distribution of Kubernetes, by the directories of its container runtime. */
export type CniDistribution = 'default' | 'k3s' | 'microk8s' | 'openshift' | 'rke2';

/** The values that `openShift` and `distribution` set. */
const OF_DISTRIBUTION: Readonly<Record<CniDistribution, Values>> = {
  default: {},
  // https://docs.k3s.io/networking/multus-ipams: a fixed path since the releases of October 2024, below its data-dir.
  k3s: { destCNIBinDir: '/var/lib/rancher/k3s/data/cni', destCNINetDir: '/var/lib/rancher/k3s/agent/etc/cni/net.d' },
  // `bin_dir` and `conf_dir` below SNAP_DATA (canonical/microk8s, default-args/containerd-template.toml).
  microk8s: {
    destCNIBinDir: '/var/snap/microk8s/current/opt/cni/bin',
    destCNINetDir: '/var/snap/microk8s/current/args/cni-network',
  },
  // Only Multus' own directory accepts new plugins (istio/istio, manifests/helm-profiles/platform-openshift.yaml), and
  // SELinux lets only privileged containers write to it.
  openshift: { destCNIBinDir: '/var/lib/cni/bin', destCNINetDir: '/etc/cni/net.d', privileged: true },
  // RKE2 uses containerd's default directories, which its uninstaller removes (rancher/rke2#932 and #3500).
  rke2: { destCNIBinDir: '/opt/cni/bin', destCNINetDir: '/etc/cni/net.d' },
};

/** Facts about a CNI plugin for other constructs. */
export interface CniFacts<V extends LinkerdVersion = LinkerdVersion> {
  readonly release: Release<V>;
  readonly namespace: string;
  /** Whether the nodes run OpenShift. */
  readonly openShift: boolean;
  /** Path of the plugin's kubeconfig on the hosts, if not derived from the values. */
  readonly kubeconfig?: string | undefined;
  /**
   * All values of the plugin's chart, including its defaults.
   *
   * @internal
   */
  readonly effectiveValues: Values;
}

/** Linkerd's CNI plugin, installed by this library or not. */
export interface ILinkerdCni<V extends LinkerdVersion = LinkerdVersion> extends IConstruct, CniFacts<V> {}

/** Props of LinkerdCni. */
export interface LinkerdCniProps<V extends LinkerdVersion = LinkerdVersion> {
  /**
   * Linkerd release of the plugin: the same as the control plane's.
   *
   * @default - that of the cluster or its ring, else 'edge-26.8.3'
   */
  readonly version?: GivenRelease<V>;

  /**
   * Namespace of the plugin's DaemonSet; use it for nothing else.
   *
   * @default 'linkerd-cni'
   */
  readonly namespace?: string;

  /**
   * Install for OpenShift nodes: to the directories of OpenShift's Multus, from a privileged container, with the
   * SecurityContextConstraints that the plugin, the control plane, extensions and the operator need. `values` may set
   * other directories; they differ between releases of OpenShift.
   *
   * @default false
   */
  readonly openShift?: boolean;

  /**
   * The distribution of the nodes, which determines the directories where the container runtime looks for plugins and
   * their configuration; `values` may set others. With wrong directories, meshed pods fail in
   * linkerd-network-validator. `'k3s'` is for releases since October 2024; earlier ones have their plugins in
   * `/var/lib/rancher/k3s/data/current/bin`. `'openshift'` is the same as `openShift`.
   *
   * @default 'default' - `/opt/cni/bin` and `/etc/cni/net.d`, as in most distributions
   */
  readonly distribution?: CniDistribution;

  /**
   * Path of the plugin's kubeconfig on the hosts, for the NetworkAttachmentDefinitions of MultusAttach and
   * ReconcilerOperator. It does not change where the installer writes the file: `values` do.
   *
   * @default - `ZZZ-linkerd-cni-kubeconfig` in `destCNINetDir`
   */
  readonly kubeconfig?: string | undefined;

  /**
   * How the objects are delivered to the cluster: as manifests, rendered at synth and equal to the official chart's, or
   * as a chart that Argo CD inflates.
   *
   * @default 'manifests'
   */
  readonly delivery?: Delivery;

  /**
   * Additional values of the chart.
   *
   * @default - the chart's own
   */
  readonly values?: CniValues<V>;
}

/** A CNI plugin, installed by this library or not. */
export const CNI = part('a LinkerdCni', 'release', 'namespace', 'effectiveValues');

/** The keys of LinkerdCniProps. */
export const CNI_PROPS = keysOf<LinkerdCniProps<LinkerdVersion>>({
  version: FREE,
  namespace: true,
  openShift: BOOLEAN,
  distribution: true,
  kubeconfig: true,
  delivery: true,
  values: FREE,
});

/**
 * The CNI plugin that redirects the traffic of meshed pods to their proxies, instead of an init container with
 * NET_ADMIN in every pod.
 *
 * @example
 * const cni = new LinkerdCni(home, 'cni', { distribution: 'k3s' });
 */
export class LinkerdCni<V extends LinkerdVersion = LinkerdVersion>
  extends Construct
  implements ILinkerdCni<V>, Patchable
{
  /** Returns a plugin that is already in the cluster, with the values that it was installed with. */
  static fromExisting<V extends LinkerdVersion = LinkerdVersion>(
    scope: Construct,
    id: string,
    props: LinkerdCniProps<V> = {},
  ): ILinkerdCni<V> {
    const existing = new Construct(scope, id);
    const known = propsOf<LinkerdCniProps<V>>(existing, CNI_PROPS, props);
    addRule(existing, () => [...checkKubeconfig(known.kubeconfig), ...checkDistribution(known)]);
    return Object.assign(existing, factsOf(scope, known));
  }

  readonly release: Release<V>;
  readonly namespace: string;
  readonly openShift: boolean;
  readonly kubeconfig?: string | undefined;
  /** @internal */
  readonly effectiveValues: Values;
  private readonly chart: ChartRelease;

  constructor(scope: Construct, id: string, props: LinkerdCniProps<V> = {}) {
    super(scope, id);
    const given = propsOf<LinkerdCniProps<V>>(this, CNI_PROPS, props);
    const values = plainValues(this, given.values);
    const { release, namespace, openShift, effectiveValues } = factsOf(this, {
      ...given,
      values: values as CniValues<V>,
    });
    this.release = release;
    this.namespace = namespace;
    this.openShift = openShift;
    this.kubeconfig = given.kubeconfig;
    this.effectiveValues = knownValues(effectiveValues);
    setHomeNamespace(this, namespace);

    ensureNamespace(this, namespace, {
      labels: { [CNI_RESOURCE]: 'true', [ADMISSION_WEBHOOKS]: 'disabled', [POD_SECURITY_ENFORCE]: 'privileged' },
      annotations: { [INJECT]: 'disabled' },
    });
    this.chart = addChart(this, 'chart', {
      delivery: given.delivery,
      chart: cniChart(release),
      namespace,
      defaults: presetOf(given),
      fromProps: {},
      values,
    });
    // Argo CD must apply the bindings first: without them the pods never become ready, and the next sync wave waits.
    if (openShift) dependsOn(this.chart, ...bindSccs(this, [cniGrant(namespace)]));
    addRule(this, () => [
      ...checkPodSecurityPolicy(effectiveValues),
      ...checkRedirect(effectiveValues),
      ...checkKubeconfig(given.kubeconfig),
      ...checkDistribution(given),
      ...checkIgnoredPorts(effectiveValues),
      ...checkSecretsInValues(effectiveValues),
    ]);
  }

  /**
   * Patches an object of the plugin's chart when it is rendered, at synth. Synth reports an object that the chart does
   * not have. Not available with `delivery: 'helm'`.
   *
   * @param kind of the object, such as `DaemonSet`
   * @param name of the object, such as `linkerd-cni`, in any namespace
   * @param operations by RFC 6902
   */
  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    this.chart.patch(kind, name, ...operations);
  }

  /**
   * Returns the rendered objects of the chart as constructs: to label them, or to add dependencies. Call it last: a
   * value that another construct sets afterwards is an error. The list is empty with `delivery: 'helm'`.
   */
  objects(): readonly ApiObject[] {
    return this.chart.objects();
  }
}

function factsOf<V extends LinkerdVersion>(scope: IConstruct, props: LinkerdCniProps<V>): CniFacts<V> {
  const release = propOfRelease(scope, props.version);
  const openShift = distributionOf(props) === 'openshift';
  const chart = cniChart(release);
  const preset = mergeValues(chart.defaults, presetOf(props));
  return {
    release,
    openShift,
    namespace: props.namespace ?? chart.namespace,
    kubeconfig: props.kubeconfig,
    effectiveValues: mergeValues(preset, (props.values ?? {}) as Values),
  };
}

type Nodes = Pick<LinkerdCniProps<LinkerdVersion>, 'distribution' | 'openShift'>;

function distributionOf({ openShift, distribution = openShift === true ? 'openshift' : 'default' }: Nodes) {
  return distribution;
}

function presetOf(nodes: Nodes): Values {
  const distribution: string = distributionOf(nodes);
  return Object.hasOwn(OF_DISTRIBUTION, distribution) ? OF_DISTRIBUTION[distribution as CniDistribution] : {};
}

/** `openShift: true` means the same as `distribution: 'openshift'`. */
function checkDistribution({ openShift, distribution }: Nodes): readonly Problem[] {
  if (distribution === undefined) return [];
  const known = Object.keys(OF_DISTRIBUTION);
  if (!known.includes(distribution)) {
    const proposed = suggest(`${distribution}`, known)[0] ?? `one of ${known.join(', ')}`;
    return [CONTROL_PLANE_FINDINGS.controlPlaneValueRefusedDistribution({ value: shownValue(distribution), proposed })];
  }
  if (openShift === undefined || openShift === (distribution === 'openshift')) return [];
  return [CONTROL_PLANE_FINDINGS.cniMismatchDistribution({ openShift: String(openShift), distribution })];
}

/**
 * An absolute path on a host. Excludes `$(…)`: kubelets would expand it in the operator's arguments, but not in the
 * NetworkAttachmentDefinitions in Git.
 */
const HOST_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.@:+=~-]+)+$/;

function checkKubeconfig(kubeconfig: string | undefined): readonly Problem[] {
  if (kubeconfig === undefined || HOST_PATH.test(kubeconfig)) return [];
  return [CONTROL_PLANE_FINDINGS.controlPlaneValueRefusedKubeconfig({ path: kubeconfig })];
}

/** The plugin sets up the redirection of each pod with these ports, and fails if one is invalid. */
function checkIgnoredPorts(values: Values): readonly Problem[] {
  return ['ignoreInboundPorts', 'ignoreOutboundPorts'].flatMap((key) => {
    const ports = values[key];
    return typeof ports === 'string' && ports !== '' ? checkPortList(`values.${key}`, ports) : [];
  });
}

function checkRedirect({ portsToRedirect }: Values): readonly Problem[] {
  const ports = typeof portsToRedirect === 'string' ? portsToRedirect : '';
  return ports === '' || /^\d+(,\d+)*$/.test(ports)
    ? []
    : [CONTROL_PLANE_FINDINGS.controlPlaneValueRefusedRedirectedPorts({ ports })];
}
