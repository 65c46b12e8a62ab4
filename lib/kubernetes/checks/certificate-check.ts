import { violationOf } from '../../../operator/api/kubernetes/violation';
import { DEFAULT_DURATION, MINIMUM_DURATION, MINIMUM_RENEW_BEFORE } from '../certificate-limits';
import type { Problem } from '../findings/problem';
import { parseGoDuration } from '../go-duration';
import { describeObject, type KubernetesObject } from '../kubernetes-object';
import { apiGroup } from '../scope';
import { isObject } from '../select-fields';
import type { ObjectRule } from './object-rule';

const REFUSES = "cert-manager's webhook refuses it";

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
    {
      code: 'duration-unreadable',
      violates: violationOf('window', value),
      what: `${name}: spec.${field} is "${value}", which is no duration`,
      why: `${REFUSES}; past the webhook it stops cert-manager for all Certificates of the cluster`,
      fix: 'write hours, minutes or seconds with their unit: "24h", "1h30m"',
    },
  ];
}

function checkWindow(name: string, spec: Spec): readonly Problem[] {
  const duration = millisecondsOf(spec.duration) ?? DEFAULT_DURATION;
  const renewBefore = millisecondsOf(spec.renewBefore);
  const violates = violationOf('window', [duration, renewBefore]);
  if (duration < MINIMUM_DURATION) {
    const what = `${name}: spec.duration is ${spec.duration}`;
    const why = `${REFUSES}: a certificate is valid for at least 1h`;
    return [{ code: 'certificate-too-short', violates, what, why, fix: 'set it to 1h or more' }];
  }
  const what = `${name}: spec.renewBefore is ${spec.renewBefore}`;
  if (renewBefore === undefined) return [];
  if (renewBefore < MINIMUM_RENEW_BEFORE) {
    const why = `${REFUSES}: a renewal comes at least 5m before the end`;
    return [{ code: 'renewal-too-late', violates, what, why, fix: 'set it to 5m or more' }];
  }
  if (renewBefore < duration) return [];
  return [
    {
      code: 'window-inverted',
      violates,
      what: `${what}, and spec.duration ${spec.duration ?? 'by default 2160h'}`,
      why: `${REFUSES}: it would be due for renewal before it is issued`,
      fix: 'make renewBefore, which counts back from the end, shorter than duration',
    },
  ];
}

function checkRenewal(name: string, { renewal, renewBefore, renewBeforePercentage }: Spec): readonly Problem[] {
  const problems: Problem[] = [];
  if (renewBefore !== undefined && renewBeforePercentage !== undefined) {
    problems.push({
      code: 'renewal-said-twice',
      what: `${name} has both spec.renewBefore and spec.renewBeforePercentage`,
      why: `${REFUSES}: they exclude each other`,
      fix: 'keep one of them',
    });
  }
  if (isObject(renewal) && Object.keys(renewal).length === 0) {
    problems.push({
      code: 'renewal-empty',
      what: `${name}: spec.renewal is empty`,
      why: `${REFUSES}; past the webhook it crashes the controller again and again`,
      fix: 'remove it, or set renewal.policy',
    });
  }
  return problems;
}

function millisecondsOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseGoDuration(value) : undefined;
}
