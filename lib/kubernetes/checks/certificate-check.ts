import { DEFAULT_DURATION, MINIMUM_DURATION, MINIMUM_RENEW_BEFORE } from '../certificate-limits';
import type { Problem } from '../findings/problem';
import { parseGoDuration } from '../go-duration';
import { describeObject, type KubernetesObject } from '../kubernetes-object';
import { apiGroup } from '../scope';
import { isObject } from '../select-fields';
import { OBJECT_CHECKS } from './findings';
import type { ObjectRule } from './object-rule';

type Spec = Readonly<Record<string, unknown>>;

/**
 * Reports what only cert-manager's webhook refuses of a Certificate (validateDuration and its like in its
 * internal/apis/certmanager/validation). Where the webhook is away or bypassed, one duration that Go cannot read stops
 * the controller's list of all Certificates.
 */
export function checkCertificate(object: KubernetesObject): readonly Problem[] {
  if (!isCertificate(object) || !isObject(object.spec)) return [];
  const { spec } = object;
  const unreadable = ['duration', 'renewBefore'].flatMap((field) => checkText(field, spec[field]));
  const problems = [...(unreadable.length > 0 ? unreadable : checkWindow(spec)), ...checkRenewal(spec)];
  return problems.map((problem) => ({ ...problem, place: describeObject(object) }));
}

/** The rule for cert-manager's Certificates. */
export const CERTIFICATE: ObjectRule = { kinds: ['cert-manager.io/Certificate'], check: checkCertificate };

/** Tells whether an object is one of cert-manager's Certificates. */
export function isCertificate({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'Certificate' && apiGroup(apiVersion) === 'cert-manager.io';
}

function checkText(field: string, value: unknown): readonly Problem[] {
  if (typeof value !== 'string' || parseGoDuration(value) !== undefined) return [];
  return [OBJECT_CHECKS.certificateDurationUnreadable({ field, value })];
}

function checkWindow(spec: Spec): readonly Problem[] {
  const duration = millisecondsOf(spec.duration) ?? DEFAULT_DURATION;
  const renewBefore = millisecondsOf(spec.renewBefore);
  const refused = (fields: string) => [OBJECT_CHECKS.certificateWindowRefused({ fields })];
  if (duration < MINIMUM_DURATION) return refused(`spec.duration is ${spec.duration}`);
  if (renewBefore === undefined || (renewBefore >= MINIMUM_RENEW_BEFORE && renewBefore < duration)) return [];
  return refused(`spec.renewBefore is ${spec.renewBefore}, and spec.duration ${spec.duration ?? 'by default 2160h'}`);
}

function checkRenewal({ renewal, renewBefore, renewBeforePercentage }: Spec): readonly Problem[] {
  const problems: Problem[] = [];
  if (renewBefore !== undefined && renewBeforePercentage !== undefined) {
    problems.push(
      OBJECT_CHECKS.certificateRenewalRefused({
        fault: 'both spec.renewBefore and spec.renewBeforePercentage',
      }),
    );
  }
  if (isObject(renewal) && Object.keys(renewal).length === 0) {
    problems.push(OBJECT_CHECKS.certificateRenewalRefused({ fault: 'an empty spec.renewal' }));
  }
  return problems;
}

function millisecondsOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseGoDuration(value) : undefined;
}
