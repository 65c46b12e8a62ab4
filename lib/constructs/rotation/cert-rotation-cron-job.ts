import { Cron } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { TRUST_ROOTS } from '#anchor/trust-anchor';
import type { Problem } from '#base/findings/problem';
import type { ServiceAccount } from '#imports/kubernetes';
import { checkDnsSubdomain } from '#kubernetes/names';
import type { Reference } from '#kubernetes/objects/references';
import { FREE, keysOf, required } from '#kubernetes/options/known-keys';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { VIZ_NAMESPACE } from '#linkerd/renderers/linkerd-viz/chart';
import { account, role, roleBinding } from '#linkerd/renderers/metadata/rbac';
import { type PermittedUnit, rotationRoles } from '#operator/api/rbac/rotation';
import { policyRule } from '#operator/api/rbac/rule';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { type OperatorImage, operatorImageKeys } from '../../gitops/tree/operator-image';
import { dependsOn } from '../../gitops/tree/order';
import type { IPreparable } from '../../gitops/tree/prepare';
import { propOfClass, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { earlierConstruct } from '../operator/earlier-construct';
import { checkOperatorImage, chooseOperatorImage } from '../operator/operator-image';
import { OPERATOR, type ReconcilerOperator } from '../operator/reconciler-operator';
import type { CertManagerPKI } from '../pki/cert-manager-pki';
import { isOwnAnchor } from '../pki/trust-anchor';
import { validityWindow } from '../pki/validity';
import type { WebhookCertificate } from '../pki/webhook-certificate';
import { ROTATION_FINDINGS } from './findings';
import { activeDeadlineSeconds, rotationJob, START_WITHIN_SECONDS } from './rotation-job';
import { checkSchedule } from './schedule-rules';

/** Props of CertRotationCronJob: which certificates to rotate, and when. */
export interface CertRotationCronJobProps {
  /** The control plane, whose issuer and webhook certificates are rotated, including those of extensions. */
  readonly controlPlane: LinkerdControlPlane<LinkerdVersion>;

  /**
   * The cluster's operator. The CronJob then runs in the operator's namespace, with the program from the same
   * ConfigMap. Its permissions are the same as without an operator.
   *
   * @default - none: the CronJob is in the control plane's namespace, with its own copy of the program
   */
  readonly operator?: ReconcilerOperator<LinkerdVersion> | undefined;

  /**
   * When certificates are rotated, in UTC. The time between runs must be longer than the longest run (five
   * minutes for each Deployment and one for each of its certificates, at least ten in all) and shorter than the
   * `renewBefore` of the certificates.
   *
   * @default - 25 minutes past 0, 6, 12 and 18 o'clock
   */
  readonly schedule?: Cron;

  /**
   * The operator's image, which contains the program.
   *
   * @default - the operator's; without one the `operatorImage` of the Cluster or the Platform, else
   * OperatorImage.bundled()
   */
  readonly image?: OperatorImage;

  /**
   * Name of the CronJob and its objects, at most 52 characters.
   *
   * @default 'linkerd-restarter'
   */
  readonly name?: string;
}

/** The keys of CertRotationCronJobProps. */
export const ROTATION_PROPS = keysOf<CertRotationCronJobProps>({
  controlPlane: required(CONTROL_PLANE),
  operator: OPERATOR,
  schedule: FREE,
  image: operatorImageKeys,
  name: true,
});

/**
 * Renews the mesh's certificates on a schedule and restarts the Deployments that use them, one after the other, so that
 * no certificate is used for longer than the time between two runs. A run that fails leaves the remaining certificates
 * unchanged, and emits an Event.
 *
 * It rotates neither the trust anchor nor the webhooks' CA. It can run together with an operator that rotates the
 * anchor: the operator's signing anchor then signs the renewed issuer. Without such an operator, suspend it (`kubectl
 * patch cronjob linkerd-restarter -p '{"spec":{"suspend":true}}'`) before you renew the trust anchor, until every
 * meshed pod has restarted: a run in between makes identity sign with the new anchor, which older pods do not trust.
 *
 * @example
 * new CertRotationCronJob(home, 'rotation', { controlPlane, schedule: Cron.schedule({ minute: '25', hour: '3,15' }) });
 */
export class CertRotationCronJob extends Construct implements IPreparable {
  /** Namespace of the CronJob: the operator's, or the control plane's. */
  readonly namespace: string;
  readonly name: string;
  private readonly pki: CertManagerPKI;
  /** Absent for a second CertRotationCronJob of a cluster, which emits no objects. */
  private readonly job?: ReturnType<typeof rotationJob>;
  private readonly controlPlane?: IConstruct;
  /** The certificates that existed when the construct was prepared. */
  private read?: readonly WebhookCertificate[];

  constructor(scope: Construct, id: string, props: CertRotationCronJobProps) {
    super(scope, id);
    const given = propsOf<CertRotationCronJobProps>(this, ROTATION_PROPS, props);
    const { controlPlane, operator } = given;
    const { pki } = controlPlane;
    const namespace = operator?.namespace ?? controlPlane.namespace;
    const instead = Cron.schedule({ minute: '25', hour: '*/6' });
    const schedule = propOfClass(this, 'Cron', { field: 'schedule', value: given.schedule, instead }).expressionString;
    const { image, field: imageField } = chooseOperatorImage(this, given.image ?? operator?.image);
    this.pki = pki;
    this.namespace = namespace;
    this.name = given.name ?? 'linkerd-restarter';
    const { name } = this;

    setHomeNamespace(this, namespace);
    const first = earlierConstruct(this, CertRotationCronJob);
    if (first !== undefined) {
      // The objects of a second rotation would only repeat the problem.
      addRule(this, () => [ROTATION_FINDINGS.secondRotation({ first: first.node.path })]);
      return;
    }
    const openShift = controlPlane.cni?.openShift ?? false;
    this.controlPlane = controlPlane;
    this.job = rotationJob(this, { name, namespace, schedule, units: () => this.units, image, openShift });
    declareReferences(this, () => ({ requires: requiredBy(this.units) }));

    addRule(this, () => [
      ...checkDnsSubdomain('name', name),
      ...checkNameLength(name),
      ...checkOperatorImage(imageField, image),
      ...checkSchedule({
        schedule,
        startingDeadline: START_WITHIN_SECONDS * 1000,
        activeDeadline: activeDeadlineSeconds(this.units) * 1000,
        windows: { identityIssuer: validityWindow(pki.identityIssuer), webhooks: validityWindow(pki.webhooks) },
      }),
      ...(this.read === undefined ? [] : checkLateCertificates(pki.webhookCertificates.slice(this.read.length))),
    ]);
    if (isOwnAnchor(pki.trustAnchor) && pki.trustAnchor.rotation === 'automatic-unsafe') {
      addRule(this, () => [ROTATION_FINDINGS.rotationBelowRenewingAnchor({ cronJob: name })]);
    }
  }

  /**
   * The units to rotate, in order. Complete at synth.
   *
   * @internal
   */
  get units(): readonly PermittedUnit[] {
    const { pki } = this;
    return rotationUnits(pki, inOrder(pki.webhookCertificates, pki.controlPlaneNamespace));
  }

  /** Adds the CronJob for the certificates of all extensions, and its permissions. */
  prepare(): void {
    if (this.job === undefined) return;
    this.read = this.pki.webhookCertificates;
    this.addPermissions();
    // A run needs all objects that it rotates. The permissions do not wait: waiting for objects that are never ready,
    // such as an Ingress without an address, would block another construct's folder forever.
    const rotated = this.read.map(({ node }) => node.scope);
    dependsOn(manifest(this, 'cron-job', this.job), ...new Set([this.controlPlane, ...rotated]));
  }

  private addPermissions(): void {
    const { name, namespace } = this;
    manifest(this, 'service-account', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace },
      // The Job's pods request the token themselves.
      automountServiceAccountToken: false,
    } satisfies ServiceAccount);
    for (const { namespace: place, rules } of rotationRoles(this.units)) {
      const metadata = { name, namespace: place };
      manifest(this, `role-${place}`, role(metadata, rules.map(policyRule)));
      manifest(this, `role-binding-${place}`, roleBinding(metadata, ['Role', name], [account(name, namespace)]));
    }
  }
}

/**
 * Sorts certificates independently of the order of constructs: the control plane's, those of Viz, then others by their
 * namespaces.
 */
function inOrder(
  certificates: readonly WebhookCertificate[],
  controlPlaneNamespace: string,
): readonly WebhookCertificate[] {
  const first = [controlPlaneNamespace, VIZ_NAMESPACE];
  const rank = ({ namespace }: WebhookCertificate) =>
    first.includes(namespace) ? `${first.indexOf(namespace)}` : `:${namespace}`;
  return [...certificates].sort((a, b) => (rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b))));
}

/** Deployments are not declared: charts create them. */
function requiredBy(units: readonly PermittedUnit[]): readonly Reference[] {
  return units.flatMap(({ namespace, certificates, secrets, trustRoots }): readonly Reference[] => [
    ...certificates.map((name) => ({ kind: 'Certificate' as const, namespace, name })),
    ...secrets.map((name) => ({ kind: 'Secret' as const, namespace, name })),
    ...(trustRoots === undefined ? [] : [{ kind: 'ConfigMap' as const, namespace, name: trustRoots }]),
  ]);
}

/** The Jobs of a CronJob add eleven characters to its name (Kubernetes, pkg/apis/batch/validation). */
const MAX_NAME_LENGTH = 52;

function checkNameLength(name: string): readonly Problem[] {
  if (name.length <= MAX_NAME_LENGTH) return [];
  const parameters = { name, length: name.length, most: MAX_NAME_LENGTH };
  return [ROTATION_FINDINGS.nameTooLongCronJob(parameters)];
}

/** Reports certificates that are missing from the rotation's objects, because these were read before. */
function checkLateCertificates(certificates: readonly WebhookCertificate[]): readonly Problem[] {
  return certificates.flatMap(({ injectCaFrom, deployment }) =>
    deployment === undefined
      ? []
      : [ROTATION_FINDINGS.certificateNotRotated({ certificate: injectCaFrom, deployment })],
  );
}

/** The Deployment that signs proxies' certificates, in every release. */
const IDENTITY = 'linkerd-identity';

/**
 * Returns the units of a PKI to rotate, in order: the identity issuer, then webhooks in the order in which their
 * certificates were requested. Leaves out the trust anchor and the webhooks' CA, because all clients that trust them
 * would have to restart as well.
 */
export function rotationUnits(
  pki: Pick<CertManagerPKI, 'controlPlaneNamespace' | 'identityIssuerSecretName'>,
  webhooks: readonly WebhookCertificate[],
): readonly PermittedUnit[] {
  return [
    {
      namespace: pki.controlPlaneNamespace,
      deployment: IDENTITY,
      certificates: [pki.identityIssuerSecretName],
      secrets: [pki.identityIssuerSecretName],
      trustRoots: TRUST_ROOTS,
    },
    ...webhookUnits(webhooks),
  ];
}

/** Returns one unit for each Deployment, however many webhooks it serves. */
function webhookUnits(webhooks: readonly WebhookCertificate[]): readonly PermittedUnit[] {
  const units = new Map<string, PermittedUnit>();
  for (const { namespace, deployment, certificateName, secretName } of webhooks) {
    if (deployment === undefined) continue;
    const key = `${namespace}/${deployment}`;
    const { certificates = [], secrets = [] } = units.get(key) ?? {};
    units.set(key, {
      namespace,
      deployment,
      certificates: [...certificates, certificateName],
      secrets: [...secrets, secretName],
    });
  }
  return [...units.values()];
}
