import type { ApiObject, JsonPatch } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { checkPortList } from '../../../operator/api/proxy-values/port-list';
import { addChart, type ChartRelease, type Delivery } from '../../gitops/charts/chart-release';
import type { Patchable } from '../../gitops/charts/object-patches';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import type { Problem } from '../../kubernetes/findings/problem';
import { FREE, keysOf } from '../../kubernetes/known-keys';
import { mergeValues, type Values } from '../../kubernetes/values';
import { ADMISSION_WEBHOOKS, CNI_RESOURCE, INJECT, POD_SECURITY_ENFORCE } from '../../linkerd/annotations';
import { knownValues } from '../../linkerd/charts/known-values';
import { cniChart } from '../../linkerd/charts/linkerd2-cni/chart';
import { checkPodSecurityPolicy } from '../../linkerd/charts/pod-security-policy';
import { checkSecretsInValues } from '../../linkerd/charts/private-keys';
import type { CniValues } from '../../linkerd/releases/chart-values';
import { type GivenRelease, type LinkerdVersion, type Release, releaseOf } from '../../linkerd/releases/release';
import { defaultRelease } from './default-release';
import { CONTROL_PLANE_FINDINGS } from './findings';
import { bindSccs, cniGrant } from './openshift';

/**
 * OpenShift's nodes let only Multus' own directory take new plugins, and SELinux lets only privileged containers write
 * there.
 */
const OPENSHIFT: Values = {
  destCNIBinDir: '/var/lib/cni/bin',
  destCNINetDir: '/etc/cni/net.d',
  privileged: true,
};

/** Facts about a CNI plugin that others need. */
export interface CniFacts<V extends LinkerdVersion = LinkerdVersion> {
  readonly release: Release<V>;
  readonly namespace: string;
  /** Tells whether the nodes run OpenShift. */
  readonly openShift: boolean;
  /** Path of the plugin's kubeconfig on the hosts, where it does not follow from the values. */
  readonly kubeconfig?: string | undefined;
  /**
   * All values of the plugin's chart, its own defaults included.
   *
   * @internal
   */
  readonly effectiveValues: Values;
}

/** Linkerd's CNI plugin, installed by us or by someone else. */
export interface ILinkerdCni<V extends LinkerdVersion = LinkerdVersion> extends IConstruct, CniFacts<V> {}

/** Props of LinkerdCni. */
export interface LinkerdCniProps<V extends LinkerdVersion = LinkerdVersion> {
  /**
   * Linkerd release of the plugin; that of the control plane.
   *
   * @default - that of the cluster or its ring, else 'edge-26.8.3'
   */
  readonly version?: GivenRelease<V>;

  /**
   * Namespace of the plugin's DaemonSet; nothing else may be in it.
   *
   * @default 'linkerd-cni'
   */
  readonly namespace?: string;

  /**
   * Tells whether the nodes run OpenShift: installs to the directories of OpenShift's Multus, from a privileged
   * container, and binds the plugin, the control plane and Viz to the SecurityContextConstraints that they need.
   * `values` may name other directories; they differ between releases of OpenShift.
   *
   * @default false
   */
  readonly openShift?: boolean;

  /**
   * Path of the plugin's kubeconfig on the hosts, as Multus is told it: networks from Git (MultusAttach) and those of
   * the operator (ReconcilerOperator) name the same. Where the installer writes it, `values` say.
   *
   * @default - `ZZZ-linkerd-cni-kubeconfig` in `destCNINetDir`
   */
  readonly kubeconfig?: string | undefined;

  /**
   * The way in which the objects reach the cluster: as manifests, rendered at synth and equal to the official chart's,
   * or as a chart that Argo CD inflates.
   *
   * @default 'manifests'
   */
  readonly delivery?: Delivery;

  /**
   * Further values of the chart.
   *
   * @default - the chart's own
   */
  readonly values?: CniValues<V>;
}

/** The keys of LinkerdCniProps. */
export const CNI_PROPS = keysOf<LinkerdCniProps<LinkerdVersion>>({
  version: FREE,
  namespace: true,
  openShift: true,
  kubeconfig: true,
  delivery: true,
  values: FREE,
});

/**
 * The CNI plugin that redirects the traffic of meshed pods to their proxies, in the place of an init container with
 * NET_ADMIN in every pod.
 */
export class LinkerdCni<V extends LinkerdVersion = LinkerdVersion>
  extends Construct
  implements ILinkerdCni<V>, Patchable
{
  /** A plugin that is in the cluster already, with the values that it was installed with. */
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
    // Before the pods that it is about, which would else never come up for the next sync wave.
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
   * Changes an object of the plugin's chart, whenever that is rendered: at synth. One that the chart turns out not to
   * have is reported. Not with `delivery: 'helm'`.
   *
   * @param kind of the object, such as `DaemonSet`
   * @param name of the object, such as `linkerd-cni`; those of that name in all namespaces are meant
   * @param operations by RFC 6902
   */
  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    this.chart.patch(kind, name, ...operations);
  }

  /**
   * Returns the objects that are rendered from the chart, as constructs: to label them, or to add dependencies. A value
   * that another construct decides afterwards is an error, so call it last. None with `delivery: 'helm'`.
   */
  objects(): readonly ApiObject[] {
    return this.chart.objects();
  }
}

function factsOf<V extends LinkerdVersion>(scope: IConstruct, props: LinkerdCniProps<V>): CniFacts<V> {
  const release = releaseOf(props.version ?? defaultRelease<V>(scope));
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

/** Kubelets would replace `$(…)` in an argument of the operator, which networks from Git would then differ from. */
const HOST_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.@:+=~-]+)+$/;

function checkKubeconfig(kubeconfig: string | undefined): readonly Problem[] {
  if (kubeconfig === undefined || HOST_PATH.test(kubeconfig)) return [];
  return [CONTROL_PLANE_FINDINGS.controlPlaneValueRefusedKubeconfig({ path: kubeconfig })];
}

/** The plugin hands them to the redirection of each pod, which stops at what is no port. */
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
