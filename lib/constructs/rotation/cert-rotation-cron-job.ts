import { Cron } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Role, RoleBinding, ServiceAccount } from '../../../imports/kubernetes';
import { type PermittedUnit, rotationRoles } from '../../../operator/api/rbac/rotation';
import { TRUST_ROOTS } from '../../../operator/api/trust-anchor';
import { addRule, addWarning } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { type OperatorImage, operatorImageKeys } from '../../gitops/tree/operator-image';
import { dependsOn } from '../../gitops/tree/order';
import type { IPreparable } from '../../gitops/tree/prepare';
import { propOfClass, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import type { Problem } from '../../kubernetes/findings/problem';
import { FREE, keysOf, required } from '../../kubernetes/known-keys';
import { checkDnsSubdomain } from '../../kubernetes/names';
import type { Reference } from '../../kubernetes/references';
import { VIZ_NAMESPACE } from '../../linkerd/charts/linkerd-viz/chart';
import type { LinkerdVersion } from '../../linkerd/releases/release';
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
import { checkSchedule } from './schedule-gaps';

/** Props of CertRotationCronJob: whose certificates are rotated, and when. */
export interface CertRotationCronJobProps {
  /** The control plane; all certificates that its PKI has by now are rotated, those of extensions included. */
  readonly controlPlane: LinkerdControlPlane<LinkerdVersion>;

  /**
   * The cluster's operator: the CronJob is in its namespace then, and runs the same program out of the same ConfigMap,
   * which no two namespaces can share. What it may do stays the same.
   *
   * @default - none: the CronJob is in the control plane's namespace, and the program is once more there
   */
  readonly operator?: ReconcilerOperator<LinkerdVersion> | undefined;

  /**
   * The times at which certificates are rotated, in UTC. Between runs there must be more time than a run may take,
   * which is five minutes for each Deployment and one for each of its certificates, and at least ten; and less than the
   * `renewBefore` of the certificates.
   *
   * @default - 25 minutes past 0, 6, 12 and 18 o'clock
   */
  readonly schedule?: Cron;

  /**
   * The image that has the program: `OperatorImage.bundled()` or `OperatorImage.fromRegistry(reference)`.
   *
   * @default - the operator's; without one the `operatorImage` of the Cluster or the Platform, else
   * OperatorImage.bundled()
   */
  readonly image?: OperatorImage;

  /**
   * Name of the CronJob and of what it needs, of at most 52 characters.
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
 * Renews the mesh's certificates again and again and restarts what uses them, one Deployment after the other, so that
 * none is used for longer than the time between two runs. A run that fails leaves the rest as it was, and an Event.
 *
 * It rotates neither the trust anchor nor the webhooks' CA. Beside an operator that rotates the anchor it goes on: whatever
 * it renews is signed by the anchor that the operator names. Otherwise suspend it (`kubectl patch cronjob linkerd-restarter -p
 * '{"spec":{"suspend":true}}'`) before you renew the trust anchor, until every meshed pod was restarted: a run in
 * between has identity sign with the new anchor, which pods from before do not know.
 */
export class CertRotationCronJob extends Construct implements IPreparable {
  /** Namespace of the CronJob: the operator's, else the control plane's. */
  readonly namespace: string;
  readonly name: string;
  private readonly pki: CertManagerPKI;
  /** Absent of a second one in its cluster, which has no objects. */
  private readonly job?: ReturnType<typeof rotationJob>;
  private readonly controlPlane?: IConstruct;
  /** The certificates that were there when it was prepared. */
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
      // Its objects would only repeat the problem, once for each of them.
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
      addWarning(this, ROTATION_FINDINGS.rotationBelowRenewingAnchor({ cronJob: name }));
    }
  }

  /**
   * The units that are rotated, in order. Complete at synth.
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
    // A run finds everything that it is to rotate. Not the permissions: beside what they wait for, such as an Ingress to
    // which nobody gives an address, they would hold up a folder of somebody else's for ever.
    const rotated = this.read.map(({ node }) => node.scope);
    dependsOn(manifest(this, 'cron-job', this.job), ...new Set([this.controlPlane, ...rotated]));
  }

  private addPermissions(): void {
    const { name, namespace } = this;
    manifest(this, 'service-account', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace },
      // The Job's pods ask for it.
      automountServiceAccountToken: false,
    } satisfies ServiceAccount);
    for (const role of rotationRoles(this.units)) {
      manifest(this, `role-${role.namespace}`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name, namespace: role.namespace },
        rules: role.rules.map(({ apiGroups, resources, resourceNames, verbs }) => ({
          apiGroups: [...apiGroups],
          resources: [...resources],
          ...(resourceNames !== undefined && { resourceNames: [...resourceNames] }),
          verbs: [...verbs],
        })),
      } satisfies Role);
      manifest(this, `role-binding-${role.namespace}`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name, namespace: role.namespace },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        subjects: [{ kind: 'ServiceAccount', name, namespace }],
      } satisfies RoleBinding);
    }
  }
}

/**
 * Certificates in an order that does not hang on which construct was made first: the control plane's, those of Viz, and
 * others by their namespaces.
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

/** Returns what the program looks for by name. Nobody declares Deployments: charts bring them along. */
function requiredBy(units: readonly PermittedUnit[]): readonly Reference[] {
  return units.flatMap(({ namespace, certificates, secrets, trustRoots }): readonly Reference[] => [
    ...certificates.map((name) => ({ kind: 'Certificate' as const, namespace, name })),
    ...secrets.map((name) => ({ kind: 'Secret' as const, namespace, name })),
    ...(trustRoots === undefined ? [] : [{ kind: 'ConfigMap' as const, namespace, name: trustRoots }]),
  ]);
}

/** The Jobs of a CronJob have its name and eleven characters more (Kubernetes, pkg/apis/batch/validation). */
const LONGEST_NAME = 52;

/** Checks the length of a CronJob's name. */
function checkNameLength(name: string): readonly Problem[] {
  if (name.length <= LONGEST_NAME) return [];
  const parameters = { name, length: name.length, most: LONGEST_NAME };
  return [ROTATION_FINDINGS.cronJobNameTooLong(parameters)];
}

/** Reports certificates that objects of the rotation do not know, because these were read before. */
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
 * Returns what is rotated of a PKI, in order: the identity issuer, then webhooks in the order in which their
 * certificates were asked for. Neither the trust anchor nor the webhooks' CA: all that trusts these would have to be
 * restarted as well.
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

/** One unit for each Deployment, however many webhooks it serves. */
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
