import { Construct } from 'constructs';
import { LINKERD_NETWORK } from '../../../operator/api/multus/network-attachment';
import { addRule, addWarning } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { each, keysOf, required } from '../../kubernetes/known-keys';
import { MULTUS, MULTUS_NETWORKS, PROXY_UID } from '../../linkerd/annotations';
import type { LinkerdVersion } from '../../linkerd/releases/release';
import type { ILinkerdCni } from '../control-plane/linkerd-cni';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { networkAttachment } from '../control-plane/network-attachment';
import { sccGrants } from '../control-plane/openshift-sccs';
import { bindSccs } from '../control-plane/scc-bindings';
import { MULTUS_FINDINGS } from './findings';
import { checkMultus, type MultusNamespace, unattachedProblem } from './multus-rules';
import { unattachedNamespaces } from './unattached-namespaces';

/** Props of MultusAttach: the pods that Multus attaches to Linkerd's CNI plugin. */
export interface MultusAttachProps {
  /** A control plane with a CNI plugin; its own pods are always attached. */
  readonly controlPlane: LinkerdControlPlane<LinkerdVersion>;

  /**
   * Namespaces whose meshed pods attach, that of the Viz extension included. The namespaces get the annotation
   * `linkerd.io/multus: enabled`, by which an operator annotates pods; without one, pods must carry
   * `MultusAttach.podAnnotations`. Neither kube-system nor the plugin's namespace.
   */
  readonly namespaces: readonly (string | MultusNamespace)[];

  /**
   * Namespace of the Viz extension, whose service accounts OpenShift must let run as they do if it is one of
   * `namespaces`.
   *
   * @default 'linkerd-viz'
   */
  readonly vizNamespace?: string;

  /**
   * Namespace of the operator that attaches pods: that of the ReconcilerOperator, 'linkerd-reconciler' by default, or of
   * somebody else's, beside which a ReconcilerOperator leaves pods alone. Neither the control plane's nor the plugin's.
   *
   * @default - pods are annotated by hand
   */
  readonly operatorNamespace?: string;
}

/** The keys of MultusAttachProps. */
export const MULTUS_PROPS = keysOf<MultusAttachProps>({
  controlPlane: required(CONTROL_PLANE),
  namespaces: required(each(keysOf<MultusNamespace>({ name: true, proxyUid: true }))),
  vizNamespace: true,
  operatorNamespace: true,
});

/**
 * Linkerd's CNI plugin where Multus runs the plugins, as in OpenShift: Multus does not chain linkerd-cni to the cluster's
 * network by itself, but runs it for pods that attach to a network named `linkerd-cni` of their namespace.
 */
export class MultusAttach extends Construct {
  /** Annotations of pod templates by which pods attach themselves. */
  static readonly podAnnotations: Readonly<Record<string, string>> = Object.freeze({
    [MULTUS_NETWORKS]: LINKERD_NETWORK,
  });

  /** Namespace of the operator that attaches pods, if one was named. */
  readonly operatorNamespace?: string;
  /** The namespaces whose pods attach. */
  readonly namespaces: readonly MultusNamespace[];

  constructor(scope: Construct, id: string, props: MultusAttachProps) {
    super(scope, id);
    const given = propsOf<MultusAttachProps>(this, MULTUS_PROPS, props);
    const { controlPlane, operatorNamespace } = given;
    const { cni, namespace: controlPlaneNamespace } = controlPlane;
    this.operatorNamespace = operatorNamespace;
    this.namespaces = given.namespaces.map((namespace) =>
      typeof namespace === 'string' ? { name: namespace } : namespace,
    );
    setHomeNamespace(this, controlPlaneNamespace);

    this.annotateNamespaces();
    controlPlane.addValues({ podAnnotations: MultusAttach.podAnnotations }, this);
    if (cni !== undefined) {
      this.addNetworks(cni, controlPlaneNamespace);
      if (cni.openShift) this.allowOnOpenShift(cni, given);
    }
    // Pods that come before their network, or their leave to run, fail and are retried ever more slowly.
    dependsOn(this, cni);
    dependsOn(controlPlane, this);

    addRule(this, () => [
      ...checkMultus({
        namespaces: this.namespaces,
        controlPlaneNamespace,
        cniNamespace: cni?.namespace,
        operatorNamespace,
      }),
      ...unattachedNamespaces(this).map(unattachedProblem),
    ]);
  }

  private annotateNamespaces(): void {
    for (const { name, proxyUid } of this.namespaces) {
      ensureNamespace(this, name, {
        annotations: { [MULTUS]: 'enabled', ...(proxyUid === undefined ? {} : { [PROXY_UID]: `${proxyUid}` }) },
      });
    }
  }

  private addNetworks(cni: ILinkerdCni, controlPlaneNamespace: string): void {
    const namespaces = new Set([controlPlaneNamespace, ...this.namespaces.map(({ name }) => name)]);
    for (const namespace of namespaces) {
      manifest(this, `network-${namespace}`, networkAttachment(namespace, cni));
    }
  }

  private allowOnOpenShift(cni: ILinkerdCni, props: MultusAttachProps): void {
    const { controlPlane } = props;
    const vizNamespace = props.vizNamespace ?? 'linkerd-viz';
    const viz = this.namespaces.some(({ name }) => name === vizNamespace) ? vizNamespace : undefined;
    const { namespace, reportsVersion: heartbeat } = controlPlane;
    const bindings = bindSccs(this, sccGrants({ controlPlane: namespace, heartbeat, cni: cni.namespace, viz }));
    dependsOn(controlPlane, ...bindings);
    if (viz !== undefined) {
      // Kubernetes makes it in every namespace.
      declareReferences(this, { external: [{ kind: 'ServiceAccount', namespace: viz, name: 'default' }] });
    }
    if (props.operatorNamespace === undefined) this.warnOfProxyUsers(viz);
  }

  private warnOfProxyUsers(viz: string | undefined): void {
    const names = this.namespaces
      .filter(({ name, proxyUid }) => proxyUid === undefined && name !== viz)
      .map(({ name }) => name);
    if (names.length === 0) return;
    addWarning(this, MULTUS_FINDINGS.proxyUserUnset({ namespaces: names.join(', ') }));
  }
}
