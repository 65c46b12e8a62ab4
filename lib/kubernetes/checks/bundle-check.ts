import type { Problem } from '../findings/problem';
import { describeObject, type KubernetesObject } from '../kubernetes-object';
import { apiGroup } from '../scope';
import { fieldPath, isObject, selectFields, textIn } from '../select-fields';
import { isCertificate } from './certificate-check';
import { OBJECT_CHECKS } from './findings';
import type { IssuedSecrets, ObjectFacts, ObjectRule } from './object-rule';

/** The places in which bundles name Secrets. */
const SOURCES = new Map([
  ['trust.cert-manager.io/Bundle', fieldPath('spec.sources[].secret')],
  ['trust-manager.io/ClusterBundle', fieldPath('spec.sourceRefs[]')],
]);

/** The Secrets of those Certificates among the objects that are known not to sign themselves. */
export function issuedSecrets(objects: readonly KubernetesObject[]): IssuedSecrets {
  const signing = new Set(objects.filter(isSigningIssuer).map(describeObject));
  return new Map(
    objects
      .filter((object) => isCertificate(object) && signing.has(issuerOf(object)))
      .map((object) => [`${object.metadata.namespace}/${textIn(object.spec, 'secretName')}`, object]),
  );
}

/**
 * Checks that a bundle does not take its anchors from certificates that are renewed under it. The mesh's own bundle
 * selects anchors by label.
 *
 * @param trustNamespace where trust-manager looks for Secrets
 */
export function checkBundle(
  object: KubernetesObject,
  issued: IssuedSecrets,
  trustNamespace: string,
): readonly Problem[] {
  const sources = SOURCES.get(`${apiGroup(object.apiVersion)}/${object.kind}`);
  if (sources === undefined) return [];
  return selectFields(object, sources).flatMap(({ field, value }) => {
    const isSecret = (textIn(value, 'kind') ?? 'Secret') === 'Secret';
    const secret = `${trustNamespace}/${textIn(value, 'name')}`;
    const certificate = isSecret ? issued.get(secret) : undefined;
    if (certificate === undefined) return [];
    const key = `key ${textIn(value, 'key') ?? '*'}`;
    return [
      OBJECT_CHECKS.bundleOfIssuedCertificate({
        bundle: describeObject(object),
        field,
        secret: `${secret}, ${key}`,
        certificate: describeObject(certificate),
      }),
    ];
  });
}

/** The rule for the sources of trust-manager's bundles. */
export const BUNDLE: ObjectRule<ObjectFacts> = {
  kinds: [...SOURCES.keys()],
  check: (object, { issued, trustNamespace }) => checkBundle(object, issued, trustNamespace),
};

function isSigningIssuer({ apiVersion, kind, spec }: KubernetesObject): boolean {
  const isIssuer = apiGroup(apiVersion) === 'cert-manager.io' && (kind === 'Issuer' || kind === 'ClusterIssuer');
  return isIssuer && isObject(spec) && spec.selfSigned === undefined;
}

function issuerOf({ spec, metadata }: KubernetesObject): string {
  const ref = isObject(spec) ? spec.issuerRef : undefined;
  const kind = textIn(ref, 'kind') ?? 'Issuer';
  const namespace = kind === 'Issuer' ? metadata.namespace : undefined;
  return describeObject({ kind, metadata: { name: textIn(ref, 'name') ?? '', namespace } });
}
