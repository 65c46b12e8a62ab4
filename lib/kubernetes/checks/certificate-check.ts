import { violationOf } from '../../../operator/api/kubernetes/violation';
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
  const name = describeObject(object);
  const { spec } = object;
  const unreadable = ['duration', 'renewBefore'].flatMap((field) => checkText(name, field, spec[field]));
  return [...(unreadable.length > 0 ? unreadable : checkWindow(name, spec)), ...checkRenewal(name, spec)];
}

/** The rule for cert-manager's Certificates. */
export const CERTIFICATE: ObjectRule = { kinds: ['cert-manager.io/Certificate'], check: checkCertificate };

/** Tells whether an object is one of cert-manager's Certificates. */
export function isCertificate({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'Certificate' && apiGroup(apiVersion) === 'cert-manager.io';
}

function checkText(name: string, field: string, value: unknown): readonly Problem[] {
  if (typeof value !== 'string' || parseGoDuration(value) !== undefined) return [];
  return [
    OBJECT_CHECKS.certificateDurationUnreadable(
      { certificate: name, field, value },
      { violates: violationOf('window', value) },
    ),
  ];
}

function checkWindow(name: string, spec: Spec): readonly Problem[] {
  const duration = millisecondsOf(spec.duration) ?? DEFAULT_DURATION;
  const renewBefore = millisecondsOf(spec.renewBefore);
  const violates = violationOf('window', [duration, renewBefore]);
  const refused = (fields: string) => [
    OBJECT_CHECKS.certificateWindowRefused({ certificate: name, fields }, { violates }),
  ];
  if (duration < MINIMUM_DURATION) return refused(`spec.duration is ${spec.duration}`);
  if (renewBefore === undefined || (renewBefore >= MINIMUM_RENEW_BEFORE && renewBefore < duration)) return [];
  return refused(`spec.renewBefore is ${spec.renewBefore}, and spec.duration ${spec.duration ?? 'by default 2160h'}`);
}

function checkRenewal(name: string, { renewal, renewBefore, renewBeforePercentage }: Spec): readonly Problem[] {
  const problems: Problem[] = [];
  if (renewBefore !== undefined && renewBeforePercentage !== undefined) {
    problems.push(
      OBJECT_CHECKS.certificateRenewalRefused({
        certificate: name,
        fault: 'both spec.renewBefore and spec.renewBeforePercentage',
      }),
    );
  }
  if (isObject(renewal) && Object.keys(renewal).length === 0) {
    problems.push(OBJECT_CHECKS.certificateRenewalRefused({ certificate: name, fault: 'an empty spec.renewal' }));
  }
  return problems;
}

function millisecondsOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseGoDuration(value) : undefined;
}
