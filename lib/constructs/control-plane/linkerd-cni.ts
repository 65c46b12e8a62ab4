import type { ApiObject, JsonPatch } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { mergeValues, type Values } from '#base/values';
import { checkPortList } from '#operator/api/proxy-values/port-list';
import { knownValues } from '../../charts/known-values';
import { addChart, type ChartRelease } from '../../gitops/charts/chart-release';
import type { Delivery } from '../../gitops/charts/helm-release';
import type { Patchable } from '../../gitops/charts/object-patches';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { BOOLEAN, FREE, keysOf } from '../../kubernetes/known-keys';
import { ADMISSION_WEBHOOKS, CNI_RESOURCE, INJECT, POD_SECURITY_ENFORCE } from '../../linkerd/annotations';
import { cniChart } from '../../linkerd/charts/linkerd2-cni/chart';
import { checkPodSecurityPolicy } from '../../linkerd/charts/pod-security-policy';
import { checkSecretsInValues } from '../../linkerd/charts/private-keys';
import type { CniValues } from '../../linkerd/releases/chart-values';
import type { LinkerdVersion } from '../../linkerd/releases/known-releases';
import type { GivenRelease, Release } from '../../linkerd/releases/release';
import { propOfRelease } from './default-release';
import { CONTROL_PLANE_FINDINGS } from './findings';
import { bindSccs, cniGrant } from './openshift';

/**
 * On OpenShift's nodes, only Multus' own directory accepts new plugins, and SELinux lets only privileged containers
 * write there.
 */
const OPENSHIFT: Values = {
  destCNIBinDir: '/var/lib/cni/bin',
  destCNINetDir: '/etc/cni/net.d',
  privileged: true,
};

/** Facts about a CNI plugin for other constructs. */
export interface CniFacts<V extends LinkerdVersion = LinkerdVersion> {
  readonly release: Release<V>;
  readonly namespace: string;
  /** The nodes run OpenShift. */
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
   * SecurityContextConstraints that the plugin, the control plane and Viz need. `values` may set other directories;
   * they differ between releases of OpenShift.
   *
   * @default false
   */
  readonly openShift?: boolean;

  /**
   * Path of the plugin's kubeconfig on the hosts, in the networks from Git (MultusAttach) and in those of the operator
   * (ReconcilerOperator). `values` set where the installer writes it.
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

/** The keys of LinkerdCniProps. */
export const CNI_PROPS = keysOf<LinkerdCniProps<LinkerdVersion>>({
  version: FREE,
  namespace: true,
  openShift: BOOLEAN,
  kubeconfig: true,
  delivery: true,
  values: FREE,
});

/**
 * The CNI plugin that redirects the traffic of meshed pods to their proxies, instead of an init container with
 * NET_ADMIN in every pod.
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
    addRule(existing, () => checkKubeconfig(known.kubeconfig));
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
      defaults: openShift ? OPENSHIFT : {},
      fromProps: {},
      values,
    });
    // Before the pods that need them, which would otherwise never be ready for the next sync wave.
    if (openShift) dependsOn(this.chart, ...bindSccs(this, [cniGrant(namespace)]));
    addRule(this, () => [
      ...checkPodSecurityPolicy(effectiveValues),
      ...checkRedirect(effectiveValues),
      ...checkKubeconfig(given.kubeconfig),
      ...checkIgnoredPorts(effectiveValues),
      ...checkSecretsInValues(effectiveValues),
    ]);
  }

  /**
   * Patches an object of the plugin's chart when it is rendered, at synth. An object that the chart does not have is
   * reported. Not with `delivery: 'helm'`.
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
   * value that another construct sets afterwards is an error. Empty with `delivery: 'helm'`.
   */
  objects(): readonly ApiObject[] {
    return this.chart.objects();
  }
}

function factsOf<V extends LinkerdVersion>(scope: IConstruct, props: LinkerdCniProps<V>): CniFacts<V> {
  const release = propOfRelease(scope, props.version);
  const openShift = props.openShift ?? false;
  const chart = cniChart(release);
  const preset = mergeValues(chart.defaults, openShift ? OPENSHIFT : {});
  return {
    release,
    openShift,
    namespace: props.namespace ?? chart.namespace,
    kubeconfig: props.kubeconfig,
    effectiveValues: mergeValues(preset, (props.values ?? {}) as Values),
  };
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

/** The plugin passes ports to the redirection of each pod, which fails on an invalid one. */
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
