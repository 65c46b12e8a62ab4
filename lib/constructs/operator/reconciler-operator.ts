import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { MONITORING, type Monitoring } from '#kubernetes/monitoring';
import { BOOLEAN, keysOf, LIST, NUMBER, part, required } from '#kubernetes/options/known-keys';
import { POD_SECURITY_ENFORCE } from '#linkerd/annotations';
import { CONTAINER_RESOURCES, type Resources } from '#linkerd/container-resources';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { PodWebhookPlaces } from '#operator/api/webhooks/pod';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { type OperatorImage, operatorImageKeys } from '../../gitops/tree/operator-image';
import { dependsOn } from '../../gitops/tree/order';
import type { IPreparable } from '../../gitops/tree/prepare';
import { propOfList, propOfMap, propOfName, propsOf } from '../../gitops/tree/prop-of-shape';
import type { ILinkerdControlPlane } from '../control-plane/existing-control-plane';
import { ANY_CONTROL_PLANE } from '../control-plane/linkerd-control-plane';
import { requireProxies } from '../control-plane/proxy-admission-policy';
import { certifiedClusters, hasBridgeRequests } from '../pki/trust-anchor';
import { earlierConstruct } from './earlier-construct';
import { OPERATOR_FINDINGS } from './findings';
import { linkerdConfigDefinition } from './linkerd-config-definition';
import { attachedNamespaces, attachesByMultus, isAttachedByAnother, multusAttachments } from './multus-agreement';
import { OperatedAnchor } from './operated-anchor';
import { checkProxyUsers, type OperatorLogLevel, PROXY_USERS, type ProxyUsers } from './operator-arguments';
import { checkBounds, restartedWorkloads } from './operator-bounds';
import { chooseOperatorImage } from './operator-image';
import { OperatorMonitor } from './operator-monitor';
import { OPERATOR_NAMESPACE } from './operator-names';
import { addPermissions } from './operator-permissions';
import { checkOperator, checkUnchanged, type MultusPart, type OperatorFacts, operatorWarnings } from './operator-rules';
import { addConfigurations, addServing, WEBHOOKS } from './operator-webhooks';
import { OperatorWorkload } from './operator-workload';
import { WEBHOOK_CLIENTS, type WebhookClients } from './webhook-clients';

/** Props of ReconcilerOperator: where the operator runs, and what it manages. */
export interface ReconcilerOperatorProps<V extends LinkerdVersion = LinkerdVersion> {
  /**
   * The control plane to manage, also one of `LinkerdControlPlane.fromExisting`. Its PKI issues the certificate of the
   * operator's webhooks.
   */
  readonly controlPlane: ILinkerdControlPlane<V>;

  /**
   * Namespace of the operator. In a separate namespace its pods are meshed, unless the operator rotates the trust
   * anchor, which the mesh needs first. In the control plane's namespace they are not meshed.
   *
   * @default 'linkerd-reconciler'
   */
  readonly namespace?: string;

  /**
   * Namespaces of the workloads to manage, in addition to the control plane's. The operator gets Roles in these
   * namespaces instead of cluster-wide permissions, and ignores other namespaces: it restarts no workloads in them,
   * lists none in a status, and attaches no pods through Multus. Its remaining cluster-wide permissions cover
   * LinkerdConfigs, Events, and reading metadata of Namespaces. It cannot rotate the trust anchor, because it cannot
   * read which pods still need the old anchor. A namespace may be created later, with its Role.
   *
   * @default - all namespaces
   */
  readonly namespaces?: readonly string[];

  /**
   * Attach pods of annotated namespaces to the CNI plugin through Multus. With `false`, the webhook on pods and its
   * permissions are left out. Requires a MultusAttach for the control plane, and a separate namespace.
   *
   * @default - true if the control plane has a MultusAttach that expects no other operator
   */
  readonly multus?: boolean;

  /**
   * The operator's image.
   *
   * @default - the `operatorImage` of the Cluster or the Platform, else OperatorImage.bundled()
   */
  readonly image?: OperatorImage;

  /**
   * Number of pods that answer webhooks. One of them at a time runs the controllers.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Validate LinkerdConfigs and TrustAnchors, and mutate pods, by admission webhooks. With `false`, errors that only
   * the cluster can find appear later, in the status of these objects, and pods must have
   * `MultusAttach.podAnnotations`.
   *
   * @default true
   */
  readonly webhooks?: boolean;

  /**
   * The clients that may call the webhooks, if known. The webhooks reveal no secrets, but every client that reaches
   * them uses CPU time.
   *
   * @default - any client that reaches the pods
   */
  readonly webhookClients?: WebhookClients;

  /**
   * The field managers that install the control plane. Their writes are the installation, which a LinkerdConfig
   * overrides. Writes of any other manager are drift, and are reverted. Flux uses `kustomize-controller` or
   * `helm-controller`.
   *
   * @default ['argocd-controller', 'helm', 'linkerd']
   */
  readonly installerFieldManagers?: readonly string[];

  /**
   * The user of proxies in namespaces that allow only a range of users.
   *
   * @default - the 2102nd user after the first of the range in `openshift.io/sa.scc.uid-range`
   */
  readonly proxyUsers?: ProxyUsers | undefined;

  /**
   * CPU and memory of its container.
   *
   * @default - 50m CPU and 128Mi memory requested, 384Mi memory at most: with 500 namespaces it uses 70 to 80 MiB. The
   * leader uses more while it reads thousands of workloads, and each pod while clients flood the webhooks
   */
  readonly resources?: Resources;

  /**
   * Minimum level of log lines.
   *
   * @default 'info'
   */
  readonly logLevel?: OperatorLogLevel;

  /**
   * Create a PodMonitor for the operator. Its proxies then accept clients outside the mesh, whatever the mesh's default
   * inbound policy is; the NetworkPolicy limits the ports.
   *
   * @default - none
   */
  readonly monitoring?: Monitoring;
}

const RESOURCES: Resources = {
  cpu: { request: '50m' },
  memory: { request: '128Mi', limit: '384Mi' },
};

const MONITOR = 'monitor';

/** An operator that other constructs refer to. */
export const OPERATOR = part('a ReconcilerOperator', 'controlPlane', 'namespace', 'image');

/** The keys of ReconcilerOperatorProps. */
export const OPERATOR_PROPS = keysOf<ReconcilerOperatorProps<LinkerdVersion>>({
  controlPlane: required(ANY_CONTROL_PLANE),
  namespace: true,
  namespaces: LIST,
  multus: BOOLEAN,
  image: operatorImageKeys,
  replicas: NUMBER,
  webhooks: BOOLEAN,
  webhookClients: WEBHOOK_CLIENTS,
  installerFieldManagers: LIST,
  proxyUsers: PROXY_USERS,
  resources: CONTAINER_RESOURCES,
  logLevel: true,
  monitoring: MONITORING,
});

/**
 * The operator: applies LinkerdConfigs to the mesh, restarts workloads that need a changed configuration, rotates the
 * trust anchor, and attaches pods to the CNI plugin through Multus.
 *
 * @example
 * const operator = new ReconcilerOperator(home, 'operator', { controlPlane, namespaces: ['shop', 'orders'] });
 */
export class ReconcilerOperator<V extends LinkerdVersion = LinkerdVersion> extends Construct implements IPreparable {
  readonly namespace: string;
  readonly controlPlane: ILinkerdControlPlane<V>;
  /** The operator's image. */
  readonly image: OperatorImage;
  /** @internal */
  readonly seesAllPods: boolean;
  /** Whether it rotates the trust anchor: `rotation` of the PKI's anchor is `operator`, explicitly or by default. */
  readonly rotatesAnchor: boolean;
  /**
   * The objects of the TrustAnchor, if the operator rotates the anchor.
   *
   * @internal
   */
  readonly anchor?: OperatedAnchor;
  private config?: IConstruct;
  private readonly givenMultus: boolean | undefined;
  /** How the operator used Multus when its objects were built. */
  private builtFor?: MultusPart;

  constructor(scope: Construct, id: string, props: ReconcilerOperatorProps<V>) {
    super(scope, id);
    const given = propsOf<ReconcilerOperatorProps<V>>(this, OPERATOR_PROPS, props);
    const checked = {
      ...given,
      namespaces: propOfList(this, 'namespaces', given.namespaces),
      installerFieldManagers: propOfList(this, 'installerFieldManagers', given.installerFieldManagers),
      monitoring: propOfMap(this, 'monitoring', given.monitoring),
    };
    const { controlPlane, webhooks = true, replicas = 2, resources = RESOURCES, installerFieldManagers } = checked;
    const { webhookClients, namespaces } = checked;
    const { image, field: imageField } = chooseOperatorImage(this, checked.image);
    this.controlPlane = controlPlane;
    this.image = image;
    this.namespace = propOfName(this, 'namespace', checked.namespace) ?? OPERATOR_NAMESPACE;
    this.givenMultus = checked.multus;
    this.seesAllPods = namespaces === undefined;
    setHomeNamespace(this, this.namespace);
    const first = earlierConstruct(this, ReconcilerOperator);
    if (first !== undefined) {
      this.rotatesAnchor = false;
      // The objects of a second operator would only repeat the problem.
      addRule(this, () => [OPERATOR_FINDINGS.secondOperator({ first: first.node.path })]);
      return;
    }

    const { pki } = controlPlane;
    this.rotatesAnchor = pki.offerOperator(this);
    const { rotatesAnchor } = this;
    // The issuer of the mesh's root of trust cannot depend on the mesh.
    const meshed = this.namespace !== controlPlane.namespace && !rotatesAnchor;
    this.addNamespace(meshed);
    manifest(this, 'definition', linkerdConfigDefinition(controlPlane.release));
    const permissions = this.addPermissions(namespaces);
    const certificate = webhooks ? addServing(this, this.namespace, pki) : undefined;
    const workload = new OperatorWorkload(this, 'workload', {
      controlPlane,
      namespace: this.namespace,
      namespaces,
      multus: () => this.involved().multus,
      rotatesAnchor,
      meshed,
      attaches: () => meshed && this.involved().attaches,
      certificate,
      webhookClients,
      image,
      replicas,
      resources,
      installerFieldManagers,
      logLevel: checked.logLevel,
      proxyUsers: checked.proxyUsers,
      scraped: checked.monitoring !== undefined,
    });
    if (certificate !== undefined) {
      const { injectCaFrom } = certificate;
      const multus = () => this.placesOfMultus(namespaces);
      addConfigurations(this, { namespace: this.namespace, injectCaFrom, workload, multus, rotatesAnchor });
    }
    if (checked.monitoring !== undefined) {
      new OperatorMonitor(this, MONITOR, { ...checked.monitoring, operatorNamespace: this.namespace });
    }
    if (rotatesAnchor) this.anchor = this.addAnchor(workload, permissions);
    // The injector must run before the operator's pods, which it meshes.
    else dependsOn(this, controlPlane);

    this.addRules(checked, { webhooks, image, imageField, replicas, resources });
  }

  /**
   * Whether it attaches pods through Multus. Without the prop `multus`, read it at synth: by then every MultusAttach
   * exists, and changes after the read are errors.
   */
  get multus(): boolean {
    const { controlPlane, namespace } = this;
    return (
      this.givenMultus ?? (attachesByMultus(controlPlane) && !isAttachedByAnother(namespace, multusAttachments(this)))
    );
  }

  /** @internal */
  get hasWebhooks(): boolean {
    return this.node.tryFindChild(WEBHOOKS) !== undefined;
  }

  /**
   * Whether there is a PodMonitor for it.
   *
   * @internal
   */
  get isMonitored(): boolean {
    return this.node.tryFindChild(MONITOR) !== undefined;
  }

  prepare(): void {
    this.builtFor = this.involved();
  }

  /** Complete when the tree is prepared. */
  private involved(): MultusPart {
    const { multus } = this;
    return { multus, attaches: multus || attachesByMultus(this.controlPlane) };
  }

  /**
   * Registers a LinkerdConfig for its control plane, and returns the first one, if another was registered before.
   *
   * @internal
   */
  addConfig(config: IConstruct): IConstruct | undefined {
    const first = this.config;
    this.config ??= config;
    return first;
  }

  private addRules(
    { namespaces, proxyUsers, installerFieldManagers, webhookClients, logLevel }: ReconcilerOperatorProps<V>,
    {
      webhooks,
      ...facts
    }: Required<Pick<OperatorFacts, 'webhooks' | 'image' | 'imageField' | 'replicas' | 'resources'>>,
  ): void {
    const { controlPlane } = this;
    const { delivery } = controlPlane;
    addRule(this, () => operatorWarnings({ webhooks, multus: this.multus, delivery }));
    if (namespaces !== undefined) addRule(this, () => this.checkBounds(namespaces));
    addRule(this, () => checkProxyUsers(proxyUsers, this.multus));
    addRule(this, () => (this.builtFor === undefined ? [] : checkUnchanged(this.builtFor, this.involved())));
    addRule(this, () =>
      checkOperator({
        ...facts,
        namespace: this.namespace,
        controlPlaneNamespace: controlPlane.namespace,
        installerFieldManagers,
        logLevel,
        webhooks,
        webhookClients,
        multus: this.multus,
        attached: attachesByMultus(controlPlane),
        attachments: multusAttachments(this),
        cniNamespace: controlPlane.cni?.namespace,
      }),
    );
  }

  private checkBounds(namespaces: readonly string[]): readonly Problem[] {
    return checkBounds({
      namespaces,
      controlPlaneNamespace: this.controlPlane.namespace,
      attached: this.multus ? attachedNamespaces(this) : [],
      restarted: restartedWorkloads(this),
    });
  }

  private addPermissions(workloads: readonly string[] | undefined): IConstruct {
    const { namespace, controlPlane } = this;
    const { cni, pki } = controlPlane;
    const places = {
      operator: namespace,
      controlPlane: controlPlane.namespace,
      cni: cni?.namespace,
      certManager: this.rotatesAnchor ? pki.certManager.namespace : undefined,
      workloads,
    };
    return addPermissions(this, places, {
      attaches: () => this.involved().multus && cni !== undefined,
      answersRequests: () => hasBridgeRequests(pki.trustAnchor),
      certifies: () => certifiedClusters(pki.trustAnchor),
    });
  }

  /** The control plane waits for certificates, and these wait for the operator, which must wait for neither. */
  private addAnchor(workload: IConstruct, permissions: IConstruct): OperatedAnchor {
    const { pki } = this.controlPlane;
    const anchor = new OperatedAnchor(this, 'anchor', { pki, operatorNamespace: this.namespace });
    dependsOn(workload, permissions, anchor.definition, pki.certManager);
    dependsOn(anchor.resource, workload);
    return anchor;
  }

  /** Enforces "restricted", except for meshed pods without the CNI plugin: their init container violates it. */
  private addNamespace(meshed: boolean): void {
    const { namespace, controlPlane } = this;
    const enforced = meshed && controlPlane.cni === undefined ? 'privileged' : 'restricted';
    // The PKI creates the namespace of the control plane.
    if (namespace !== controlPlane.namespace) {
      ensureNamespace(this, namespace, { labels: { [POD_SECURITY_ENFORCE]: enforced } });
    }
    if (!meshed) return;
    requireProxies(this, { namespace, action: controlPlane.requireProxy, mesh: controlPlane, preset: true });
  }

  private placesOfMultus(workloadNamespaces: readonly string[] | undefined): PodWebhookPlaces | undefined {
    const { namespace, controlPlane } = this;
    const { cni } = controlPlane;
    if (!this.involved().multus || cni === undefined) return undefined;
    return {
      operatorNamespace: namespace,
      linkerdNamespace: controlPlane.namespace,
      cniNamespace: cni.namespace,
      workloadNamespaces,
    };
  }
}
