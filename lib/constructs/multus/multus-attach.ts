import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { checkDnsLabel } from '#kubernetes/names';
import { each, keysOf, NUMBER, required } from '#kubernetes/options/known-keys';
import { INJECT, MULTUS, MULTUS_NETWORKS, PROXY_UID } from '#linkerd/annotations';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { LINKERD_NETWORK } from '#operator/api/multus/network-attachment';
import { requestsProxy } from '../../checks/policy/pod-sets';
import { addRule } from '../../gitops/tree/add-rule';
import { objectsAround } from '../../gitops/tree/api-objects';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import type { ILinkerdCni } from '../control-plane/linkerd-cni';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { networkAttachment } from '../control-plane/network-attachment';
import { bindSccs, sccGrants } from '../control-plane/openshift';
import { MULTUS_FINDINGS } from './findings';

/** Props of MultusAttach: the pods that Multus attaches to Linkerd's CNI plugin. */
export interface MultusAttachProps {
  /** A control plane with a CNI plugin. Its own pods are always attached. */
  readonly controlPlane: LinkerdControlPlane<LinkerdVersion>;

  /**
   * Namespaces whose meshed pods attach, including that of the Viz extension. The namespaces get the annotation
   * `linkerd.io/multus: enabled`, and an operator annotates their pods; without an operator, pods must have
   * `MultusAttach.podAnnotations`. kube-system and the plugin's namespace are refused.
   */
  readonly namespaces: readonly (string | MultusNamespace)[];

  /**
   * Namespace of the Viz extension. If it is one of `namespaces`, its service accounts get the OpenShift permissions
   * that they need.
   *
   * @default 'linkerd-viz'
   */
  readonly vizNamespace?: string;

  /**
   * Namespace of the operator that attaches pods: that of the ReconcilerOperator, 'linkerd-reconciler' by default, or
   * of another operator that does so instead. The namespaces of the control plane and of the plugin are refused.
   *
   * @default - none: a ReconcilerOperator of the mesh attaches the pods; without one, you annotate them
   */
  readonly operatorNamespace?: string;
}

/** The keys of MultusAttachProps. */
export const MULTUS_PROPS = keysOf<MultusAttachProps>({
  controlPlane: required(CONTROL_PLANE),
  namespaces: required(each(keysOf<MultusNamespace>({ name: true, proxyUid: NUMBER }))),
  vizNamespace: true,
  operatorNamespace: true,
});

/**
 * Linkerd's CNI plugin for clusters in which Multus runs the plugins, as in OpenShift. Multus does not chain
 * linkerd-cni to the cluster's network. It runs the plugin for pods that attach to a network named `linkerd-cni` in
 * their namespace.
 *
 * @example
 * new MultusAttach(home, 'multus', { controlPlane, namespaces: ['shop'] });
 */
export class MultusAttach extends Construct {
  /** Annotations for pod templates whose pods attach without an operator. */
  static readonly podAnnotations: Readonly<Record<string, string>> = Object.freeze({
    [MULTUS_NETWORKS]: LINKERD_NETWORK,
  });

  /** Namespace of the operator that attaches pods, if given. */
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
    // Pods that start before their network or their permissions exist fail, and are retried with growing delays.
    dependsOn(this, cni);
    dependsOn(controlPlane, this);

    addRule(this, () => [
      ...checkMultus({
        namespaces: this.namespaces,
        controlPlaneNamespace,
        cniNamespace: cni?.namespace,
        operatorNamespace,
      }),
      ...unattachedNamespaces(this).map((namespace) => MULTUS_FINDINGS.namespaceNotAttached({ namespace })),
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
      // Kubernetes creates this account in every namespace.
      declareReferences(this, { external: [{ kind: 'ServiceAccount', namespace: viz, name: 'default' }] });
    }
    if (props.operatorNamespace === undefined) this.warnOfProxyUsers(viz);
  }

  private warnOfProxyUsers(viz: string | undefined): void {
    const names = this.namespaces
      .filter(({ name, proxyUid }) => proxyUid === undefined && name !== viz)
      .map(({ name }) => name);
    if (names.length === 0) return;
    addRule(this, () => [MULTUS_FINDINGS.proxyUserUnset({ namespaces: names.join(', ') })]);
  }
}

/** A namespace whose pods attach to the CNI plugin through Multus. */
export interface MultusNamespace {
  readonly name: string;

  /**
   * User of the namespace's proxies, as an annotation of the namespace. OpenShift starts a proxy only as a user in the
   * namespace's range (its annotation `openshift.io/sa.scc.uid-range`, `<first>/<number>`): use `<first>` + 2102, or
   * less where the range is smaller, and not a user of the application. It overrides the operator's choice
   * (`proxyUsers` of ReconcilerOperator).
   *
   * @default - the control plane's `proxy.uid`; with an operator, a user from the range
   */
  readonly proxyUid?: number;
}

/** The facts about a MultusAttach to check. */
export interface MultusFacts {
  readonly namespaces: readonly MultusNamespace[];
  readonly controlPlaneNamespace: string;
  /** Namespace of the control plane's CNI plugin; absent where it has none. */
  readonly cniNamespace?: string;
  readonly operatorNamespace?: string;
}

/** Checks a MultusAttach. */
export function checkMultus(facts: MultusFacts): readonly Problem[] {
  return [
    ...(facts.cniNamespace === undefined ? [MULTUS_FINDINGS.multusWithoutCni({ needing: 'MultusAttach' })] : []),
    ...facts.namespaces.flatMap((namespace) => checkNamespace(namespace, facts)),
    ...checkOperator(facts),
  ];
}

/** The largest user id in Kubernetes. */
const LARGEST_USER = 2 ** 31 - 1;

function checkNamespace({ name, proxyUid }: MultusNamespace, { cniNamespace }: MultusFacts): readonly Problem[] {
  const problems = checkDnsLabel('namespaces', name);
  if (name === 'kube-system') problems.push(MULTUS_FINDINGS.namespaceNotAttachableSystem({ namespace: name }));
  else if (name === cniNamespace) problems.push(MULTUS_FINDINGS.namespaceNotAttachablePlugin({ namespace: name }));
  if (proxyUid !== undefined && !(Number.isInteger(proxyUid) && proxyUid > 0 && proxyUid <= LARGEST_USER)) {
    const path = `proxyUid of namespace ${name}`;
    problems.push(LINKERD_FINDINGS.controlPlaneValueRefusedProxyUser({ path, value: proxyUid, most: LARGEST_USER }));
  }
  return problems;
}

function checkOperator({ operatorNamespace, controlPlaneNamespace, cniNamespace }: MultusFacts): readonly Problem[] {
  const taken = [
    { namespace: controlPlaneNamespace, owner: 'control plane' },
    { namespace: cniNamespace, owner: 'CNI plugin' },
  ].find(({ namespace }) => namespace === operatorNamespace);
  if (operatorNamespace === undefined || taken === undefined) return [];
  return [
    MULTUS_FINDINGS.operatorNamespaceTaken({
      field: 'operatorNamespace',
      namespace: operatorNamespace,
      owner: taken.owner,
    }),
  ];
}

function unattachedNamespaces(scope: IConstruct): readonly string[] {
  return objectsAround(scope)
    .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace')
    .flatMap(({ json }) => json())
    .filter(
      ({ metadata: { annotations = {} } }) => requestsProxy(annotations[INJECT]) && annotations[MULTUS] !== 'enabled',
    )
    .map(({ metadata }) => metadata.name);
}
