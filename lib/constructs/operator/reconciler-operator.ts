import { Construct, type IConstruct } from 'constructs';
import type { PodWebhookPlaces } from '../../../operator/api/webhooks/pod';
import { addRule, addWarnings } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { type OperatorImage, operatorImageKeys } from '../../gitops/tree/operator-image';
import { dependsOn } from '../../gitops/tree/order';
import { propOfList, propOfMap, propOfName, propsOf } from '../../gitops/tree/prop-of-shape';
import type { Problem } from '../../kubernetes/findings/problem';
import { keysOf, part, required } from '../../kubernetes/known-keys';
import { MONITORING, type Monitoring } from '../../kubernetes/monitoring';
import { POD_SECURITY_ENFORCE } from '../../linkerd/annotations';
import { CONTAINER_RESOURCES, type Resources } from '../../linkerd/container-resources';
import type { LinkerdVersion } from '../../linkerd/releases/release';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { requireProxies } from '../control-plane/proxy-admission-policy';
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
import { addConfigurations, addServing } from './operator-webhooks';
import { OperatorWorkload } from './operator-workload';
import { WEBHOOK_CLIENTS, type WebhookClients } from './webhook-clients';

/** Props of ReconcilerOperator: where the operator runs, and what it takes care of. */
export interface ReconcilerOperatorProps<V extends LinkerdVersion = LinkerdVersion> {
  /** The control plane that it takes care of; its PKI issues the certificate of the operator's webhooks. */
  readonly controlPlane: LinkerdControlPlane<V>;

  /**
   * Namespace of the operator. In one of its own its pods are meshed, unless it rotates the trust anchor, without which
   * there is no mesh; in the control plane's they are not, like all of Linkerd's.
   *
   * @default 'linkerd-reconciler'
   */
  readonly namespace?: string;

  /**
   * Namespaces of the workloads that it looks after, besides the control plane's. It gets Roles there instead of
   * permissions for the whole cluster, and looks nowhere else: workloads in other namespaces are neither restarted when
   * the configuration changes nor listed in a status, and pods there do not attach by Multus. What it may still do in
   * the whole cluster concerns LinkerdConfigs, Events, and reading the metadata of Namespaces. Nor can it rotate the trust
   * anchor, as it does not see who still needs the old one. One that does not exist
   * yet is taken up when it and the Role in it are there.
   *
   * @default - all namespaces
   */
  readonly namespaces?: readonly string[];

  /**
   * Tells whether it attaches pods of annotated namespaces to the CNI plugin by Multus: without, the webhook on pods
   * and the permissions that this needs are left out. Needs a MultusAttach for the control plane, and a namespace of
   * its own.
   *
   * @default - whether the control plane has a MultusAttach, which counts on no other operator
   */
  readonly multus?: boolean;

  /**
   * The image that runs it.
   *
   * @default - the `operatorImage` of the Cluster or the Platform, else OperatorImage.bundled()
   */
  readonly image?: OperatorImage;

  /**
   * Number of pods that answer webhooks. One of them at a time does the rest.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Tells whether the API server asks it about LinkerdConfigs and pods as they are written. Without, what only the
   * cluster knows is found wrong later, in the status of a LinkerdConfig; and pods must carry
   * `MultusAttach.podAnnotations`.
   *
   * @default true
   */
  readonly webhooks?: boolean;

  /**
   * The clients that may ask the webhooks, where they are known: webhooks are not secret, but whoever reaches them
   * takes processor time.
   *
   * @default - anybody who reaches the pods
   */
  readonly webhookClients?: WebhookClients;

  /**
   * The field managers that install the control plane: what they write is the installation, which a LinkerdConfig is
   * laid over; what anyone else writes is drift, and undone. Flux is `kustomize-controller` or `helm-controller`.
   *
   * @default ['argocd-controller', 'helm', 'linkerd']
   */
  readonly installerFieldManagers?: readonly string[];

  /**
   * The user that it gives to proxies in namespaces that allow a range of users only.
   *
   * @default - the 2102nd after the first of the range in `openshift.io/sa.scc.uid-range`
   */
  readonly proxyUsers?: ProxyUsers | undefined;

  /**
   * CPU and memory of its container.
   *
   * @default - 50m CPU and 128Mi memory requested, 384Mi memory at most: with 500 namespaces it takes 70 to 80 MiB, the
   * pod that leads more while it reads thousands of workloads, and each while somebody floods the webhooks
   */
  readonly resources?: Resources;

  /**
   * Lines of that level and above are logged.
   *
   * @default 'info'
   */
  readonly logLevel?: OperatorLogLevel;

  /**
   * Has the Prometheus operator scrape it, by a PodMonitor. With it, the operator's proxies let in who is not of the
   * mesh, whatever the mesh's default inbound policy is; the NetworkPolicy says which ports there are.
   *
   * @default - none
   */
  readonly monitoring?: Monitoring;
}

const RESOURCES: Resources = {
  cpu: { request: '50m' },
  memory: { request: '128Mi', limit: '384Mi' },
};

/** An operator that is part of a mesh. */
export const OPERATOR = part('a ReconcilerOperator', 'controlPlane', 'namespace', 'image');

/** The keys of ReconcilerOperatorProps. */
export const OPERATOR_PROPS = keysOf<ReconcilerOperatorProps<LinkerdVersion>>({
  controlPlane: required(CONTROL_PLANE),
  namespace: true,
  namespaces: true,
  multus: true,
  image: operatorImageKeys,
  replicas: true,
  webhooks: true,
  webhookClients: WEBHOOK_CLIENTS,
  installerFieldManagers: true,
  proxyUsers: PROXY_USERS,
  resources: CONTAINER_RESOURCES,
  logLevel: true,
  monitoring: MONITORING,
});

/**
 * The operator: keeps the mesh as LinkerdConfigs describe it, restarts what has to run with a changed configuration,
 * rotates the trust anchor, and attaches pods to the CNI plugin by Multus.
 */
export class ReconcilerOperator<V extends LinkerdVersion = LinkerdVersion> extends Construct {
  readonly namespace: string;
  readonly controlPlane: LinkerdControlPlane<V>;
  /** The image that runs it. */
  readonly image: OperatorImage;
  /** @internal */
  readonly seesAllPods: boolean;
  /** Tells whether it rotates the trust anchor: the PKI's, if that is made here and nobody else is named for it. */
  readonly rotatesAnchor: boolean;
  /**
   * The TrustAnchor by which it rotates the anchor, where it does.
   *
   * @internal
   */
  readonly anchor?: OperatedAnchor;
  private config?: IConstruct;
  private readonly givenMultus: boolean | undefined;
  /** Its part in Multus when somebody read objects first that follow from it. */
  private readAs?: MultusPart;

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
      // Its objects would only repeat the problem, once for each of them.
      addRule(this, () => [OPERATOR_FINDINGS.secondOperator({ first: first.node.path })]);
      return;
    }

    const { pki } = controlPlane;
    this.rotatesAnchor = pki.offerOperator(this);
    const { rotatesAnchor } = this;
    // What makes the mesh's root of trust cannot need the mesh.
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
      new OperatorMonitor(this, 'monitor', { ...checked.monitoring, operatorNamespace: this.namespace });
    }
    if (rotatesAnchor) this.anchor = this.addAnchor(workload, permissions);
    // The injector must run before the pods that it is to mesh.
    else dependsOn(this, controlPlane);

    this.addRules(checked, { webhooks, image, imageField, replicas, resources });
  }

  /**
   * Tells whether it attaches pods by Multus. To be read at synth where no prop says so: by then each MultusAttach is
   * there, whose values come too late afterwards.
   */
  get multus(): boolean {
    const { controlPlane, namespace } = this;
    return (
      this.givenMultus ?? (attachesByMultus(controlPlane) && !isAttachedByAnother(namespace, multusAttachments(this)))
    );
  }

  /** The operator's part in Multus, for objects that follow from it and exist as long as somebody has read them. */
  private involved(): MultusPart {
    const { multus } = this;
    const part = { multus, attaches: multus || attachesByMultus(this.controlPlane) };
    this.readAs ??= part;
    return part;
  }

  /**
   * Takes note of a LinkerdConfig for its control plane, and returns the one that it has already, if any.
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
    addWarnings(this, () => operatorWarnings({ webhooks, multus: this.multus, delivery }));
    if (namespaces !== undefined) addRule(this, () => this.checkBounds(namespaces));
    addRule(this, () => checkProxyUsers(proxyUsers, this.multus));
    addRule(this, () => (this.readAs === undefined ? [] : checkUnchanged(this.readAs, this.involved())));
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
    return addPermissions(this, places, () => this.involved().multus && cni !== undefined);
  }

  /** The control plane waits for certificates, and these for the operator, which must wait for neither. */
  private addAnchor(workload: IConstruct, permissions: IConstruct): OperatedAnchor {
    const { pki } = this.controlPlane;
    const anchor = new OperatedAnchor(this, 'anchor', { pki, operatorNamespace: this.namespace });
    dependsOn(workload, permissions, anchor.definition, pki.certManager);
    dependsOn(anchor.resource, workload);
    return anchor;
  }

  /** As the control plane's: an init container in every meshed pod needs what "restricted" forbids. */
  private addNamespace(meshed: boolean): void {
    const { namespace, controlPlane } = this;
    const enforced = meshed && controlPlane.cni === undefined ? 'privileged' : 'restricted';
    const isOwn = namespace !== controlPlane.namespace;
    ensureNamespace(this, namespace, isOwn ? { labels: { [POD_SECURITY_ENFORCE]: enforced } } : {});
    if (!meshed) return;
    requireProxies(this, { namespace, action: controlPlane.requireProxy, mesh: controlPlane, preset: true });
  }

  /** The places of the webhook on pods, where it attaches them by Multus. */
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
