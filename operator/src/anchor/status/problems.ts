import type { ObservedTrust } from '#anchor/observed';
import type { AnchorPlan } from '#anchor/plan';
import { UNSEEN_PROXIES } from '#anchor/rotation/adopted';
import { OLD_CHAINS } from '#anchor/rotation/retired';
import { anchorName, IDENTITY_ISSUER, TRUST_ANCHOR_LABEL, TRUST_ROOTS } from '#anchor/trust-anchor';
import { isAlive, strangeRoots } from '#anchor/unseen-issuer';
import { conditionOf } from '#base/conditions';
import { listed } from '#base/findings/listed';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import { FIELD_MANAGER } from '#operator/api/names';
import type { KnownCertificate } from '../../pki/known-certificate';
import type { MissingKind } from '../caches/cache-age';
import type { Observation, TrustView } from '../observe/observe';
import { humanTime } from './human-time';

/** A problem, as in a condition. */
export interface AnchorProblem {
  /** CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** Describes what must exist for the operator to read its objects. */
export function unreadable(missing: readonly MissingKind[]): AnchorProblem {
  const places = [...Map.groupBy(missing, ({ namespace }) => namespace)].map(([namespace, kinds]) => {
    const plurals = [...new Set(kinds.map(({ plural }) => plural))].join(', ');
    return namespace === undefined
      ? `${plurals} (needs the ClusterRole ${FIELD_MANAGER})`
      : `${plurals} of namespace ${namespace} (needs the Role ${FIELD_MANAGER}, which is deployed with that namespace)`;
  });
  return {
    reason: 'Unreadable',
    message: `the operator cannot yet read: ${places.join('; ')}. Kinds of cert-manager exist once cert-manager is installed`,
  };
}

/** Returns the problems, the worst first. */
export function problemsOf(view: TrustView, trust: ObservedTrust, plan: AnchorPlan): readonly AnchorProblem[] {
  const failed = trust.anchors
    .filter(({ state }) => state === 'failed')
    .map(({ generation }) => anchorName(generation));
  return [
    ...(plan.outage === undefined ? [] : [plan.outage]),
    ...plan.milestones.filter(({ reason, isWrong }) => isWrong || reason === 'KeyElsewhere'),
    ...unseenProxies(plan),
    ...plan.milestones.filter(({ reason }) => reason === OLD_CHAINS),
    ...(trust.issuer.state === 'failed' ? [notIssued(IDENTITY_ISSUER, view)] : []),
    ...failed.map((name) => notIssued(name, view)),
    ...lateCaches(view),
    ...missingBundle(view, trust),
    ...helmsBundle(view),
    ...missingIssuer(view, trust),
    ...(plan.slack !== undefined && plan.slack < 0 ? [noSlack(plan.slack)] : []),
  ].filter(({ reason }, index, all) => all.findIndex((other) => other.reason === reason) === index);
}

function unseenProxies({ milestones, phase }: AnchorPlan): readonly AnchorProblem[] {
  const held = milestones.filter(({ reason }) => reason === UNSEEN_PROXIES);
  return held.filter(({ type }) => type === 'Signing' || phase === 'Adopted');
}

function notIssued(name: string, { certificates, issuerCertificate }: TrustView): AnchorProblem {
  const certificate = [...certificates, ...(issuerCertificate ? [issuerCertificate] : [])].find(
    ({ metadata }) => metadata.name === name,
  );
  const said =
    certificate &&
    (conditionOf(certificate.status, 'Issuing')?.message ?? conditionOf(certificate.status, 'Ready')?.message);
  return {
    reason: 'NotIssued',
    message: `cert-manager could not issue Certificate ${name}: ${said ?? 'it reports no reason'}`,
  };
}

/** Reports kinds with outdated caches: a new pod may trust only the old anchor. */
function lateCaches({ late = [], anchor }: TrustView): readonly AnchorProblem[] {
  if (late.length === 0) return [];
  const kinds = late.map(
    ({ plural, since }) => `${plural} (${since === undefined ? 'never read' : `since ${kubeTime(since)}`})`,
  );
  return [
    {
      reason: 'NotUpToDate',
      message: [
        `the operator has received no updates of ${[...new Set(kinds)].join(', ')} for longer than propagationDelay (${anchor.spec.propagationDelay}):`,
        'no anchor is retired until the API server answers. Check the log of the operator, and its permission to list and watch them',
      ].join(' '),
    },
  ];
}

/** Reports a missing bundle, without which no pod gets roots. */
function missingBundle({ bundle }: TrustView, { issuer }: ObservedTrust): readonly AnchorProblem[] {
  if (bundle !== undefined || issuer.chain === undefined) return [];
  return [
    {
      reason: 'BundleMissing',
      message:
        'there is no ConfigMap linkerd-identity-trust-roots: trust-manager has not written it from the Bundle of the same name',
    },
  ];
}

/** Helm's annotation of objects that belong to a release. */
const HELM_RELEASE = 'meta.helm.sh/release-name';

/** Reports a bundle that Helm also writes. */
function helmsBundle({ bundle, anchor }: TrustView): readonly AnchorProblem[] {
  const release = bundle?.metadata.annotations?.[HELM_RELEASE];
  if (release === undefined) return [];
  const { controlPlaneNamespace: namespace } = anchor.spec;
  return [
    {
      reason: 'BundleOfHelm',
      message: [
        `ConfigMap ${TRUST_ROOTS} belongs to the Helm release ${release.slice(0, 53)}, whose next upgrade restores the roots of its values:`,
        `run kubectl annotate configmap ${TRUST_ROOTS} -n ${namespace} helm.sh/resource-policy=keep, so that Helm does not delete it,`,
        'and set identity.externalCA: true in these values. If the release is gone, or no longer contains the ConfigMap, run',
        `kubectl annotate configmap ${TRUST_ROOTS} -n ${namespace} ${HELM_RELEASE}-`,
      ].join(' '),
    },
  ];
}

/** Reports a running mesh whose identity issuer nothing renews. */
function missingIssuer({ issuerCertificate, anchor }: TrustView, trust: ObservedTrust): readonly AnchorProblem[] {
  if (issuerCertificate !== undefined || !isAlive(trust)) return [];
  return [
    {
      reason: 'IssuerMissing',
      message: `there is no Certificate ${IDENTITY_ISSUER} in namespace ${anchor.spec.controlPlaneNamespace}: cert-manager renews no identity issuer, and no new anchor can sign one. Create the Certificate, issued by the ClusterIssuer ${IDENTITY_ISSUER}`,
    },
  ];
}

function noSlack(slack: number): AnchorProblem {
  return {
    reason: 'NoSlack',
    message: `in the worst case the rotation ends ${humanTime(-slack)} after the signing anchor expires: from its expiry on, identity may issue no certificates, and pods that trust only this anchor may reject other pods`,
  };
}

const MAX_NAMED = 3;

/** Reports unknown roots in the bundle; undefined if there are none. */
export function strangeRootsProblem(
  { trust, known }: Observation,
  { memory }: AnchorPlan,
  certManagerNamespace: string,
): AnchorProblem | undefined {
  const keys = strangeRoots(trust, memory);
  if (keys.length === 0) return undefined;
  const names = keys.map((key) => nameOf(key, known));
  return {
    reason: 'ForeignRoot',
    message: [
      `every proxy trusts ${listed(names, MAX_NAMED)}, unknown to this mesh and its members: the owner of such a key can issue any identity.`,
      `Remove it from its source: kubectl get secrets,configmaps -n ${certManagerNamespace} -l ${TRUST_ANCHOR_LABEL};`,
      `or the prop previous of the trust anchor in Git. If no source contains it, trust-manager has not written the bundle: kubectl describe bundle ${TRUST_ROOTS}`,
    ].join(' '),
  };
}

function nameOf(key: string, known: readonly KnownCertificate[]): string {
  const subject = known.find((one) => one.key === key)?.subject.slice(0, 256) ?? '';
  return `the root "${subject}" (${key.slice(0, 8)})`;
}
