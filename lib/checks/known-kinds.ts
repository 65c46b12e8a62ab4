import { distance } from 'fastest-levenshtein';
import type { Problem } from '#base/findings/problem';
import index from '#imports/index.json';
import { isBuiltIn } from '#kubernetes/objects/api-groups';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { hasSchema } from '#kubernetes/schemas/schema';
import { OBJECT_CHECKS } from './findings';
import type { ObjectRule } from './object-rule';

/** Versions that API servers serve, or may serve, without a schema in `imports/` (kubernetes/api, v1.34). */
const ALSO_SERVED = new Set([
  'admissionregistration.k8s.io/v1alpha1/MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1alpha1/MutatingAdmissionPolicyBinding',
  'autoscaling/v1/HorizontalPodAutoscaler',
  'gateway.networking.k8s.io/v1alpha2/GRPCRoute',
  'storage.k8s.io/v1alpha1/VolumeAttributesClass',
  'storage.k8s.io/v1beta1/VolumeAttributesClass',
]);

interface ObjectType {
  readonly apiVersion: string;
  readonly group: string;
  readonly kind: string;
}

const KNOWN: readonly ObjectType[] = Object.keys(index)
  .filter((key) => !key.startsWith('charts/'))
  .map((key) => typeOf({ apiVersion: key.slice(0, key.lastIndexOf('/')), kind: key.slice(key.lastIndexOf('/') + 1) }));

/**
 * Reports a kind that no API server has, if it resembles a known one: with a different case, a typo, another group, or
 * a removed version. Other kinds are assumed to be the user's own.
 */
export function checkKnownKind(object: KubernetesObject): readonly Problem[] {
  const meant = hasSchema(object) ? undefined : meantType(typeOf(object));
  if (meant === undefined) return [];
  return [
    OBJECT_CHECKS.kindUnknownUnserved({
      object: describeObject(object),
      apiVersion: object.apiVersion,
      kind: object.kind,
      meantVersion: meant.apiVersion,
      meantKind: meant.kind,
    }),
  ];
}

/** The rule for unknown kinds. */
export const KNOWN_KIND: ObjectRule = { kinds: 'any', check: checkKnownKind };

function typeOf({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): ObjectType {
  return { apiVersion, group: apiGroup(apiVersion), kind };
}

function meantType(type: ObjectType): ObjectType | undefined {
  const sameKind = KNOWN.filter(({ kind }) => kind === type.kind);
  const sameGroup = KNOWN.filter(({ group }) => group === type.group);
  const same = sameKind.filter(({ group }) => group === type.group);
  if (same.length > 0) return same.every((known) => isOutdated(type, known)) ? newest(same) : undefined;
  if (sameGroup.length === 0) return newest(sameKind.filter(({ group }) => isSlip(type.group, group)));
  // Only built-in groups are known completely.
  const elsewhere = isBuiltIn(type) ? sameKind : [];
  return newest(elsewhere.length > 0 ? elsewhere : sameGroup.filter(({ kind }) => isSlip(type.kind, kind)));
}

/** A newer version is not outdated: a newer cluster may serve it. */
function isOutdated(type: ObjectType, known: ObjectType): boolean {
  return !ALSO_SERVED.has(`${type.apiVersion}/${type.kind}`) && rank(type) < rank(known);
}

function newest(types: readonly ObjectType[]): ObjectType | undefined {
  return [...types].sort((a, b) => rank(b) - rank(a))[0];
}

/** Orders versions as Kubernetes does: stable before beta before alpha, then by number. */
function rank({ apiVersion }: ObjectType): number {
  const [, major = '0', stage = '', minor = '0'] = /v(\d+)(?:(alpha|beta)(\d+))?$/.exec(apiVersion) ?? [];
  return ['alpha', 'beta', ''].indexOf(stage) * 1e6 + Number(major) * 1e3 + Number(minor);
}

/**
 * Stricter than `suggest`, which assumes that a word is wrong: Prometheus is not PrometheusRule, and TCPRoute is not
 * HTTPRoute.
 */
function isSlip(word: string, known: string): boolean {
  return known !== '' && distance(word.toLowerCase(), known.toLowerCase()) <= (known.length < 10 ? 1 : 2);
}
