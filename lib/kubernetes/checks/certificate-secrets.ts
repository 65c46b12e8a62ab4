import { errorsAt, type Finding } from '../findings/finding';
import { describeObject, type KubernetesObject } from '../kubernetes-object';
import { textIn } from '../select-fields';
import { isCertificate } from './certificate-check';
import { OBJECT_CHECKS } from './findings';
import type { PlacedObject as Emitted } from './object-rule';

/** An object, and the path of its construct. */
type PlacedObject = Pick<Emitted, 'path' | 'object'>;

/** A certificate that cert-manager issues: a Certificate, or one that it makes for an Ingress. */
interface IssuedCertificate extends PlacedObject {
  readonly secretName: string;
}

/** Annotations by which cert-manager makes Certificates for an Ingress (https://cert-manager.io/docs/usage/ingress/). */
const ISSUING_ANNOTATIONS: readonly string[] = [
  'cert-manager.io/cluster-issuer',
  'cert-manager.io/issuer',
  'kubernetes.io/tls-acme',
];

/** Finds certificates that would be written to a Secret which another one has already. */
export function checkCertificateSecrets(objects: readonly PlacedObject[]): readonly Finding[] {
  const owners = new Map<string, IssuedCertificate>();
  return objects.flatMap(issuedCertificates).flatMap((issued) => {
    const secret = `${issued.object.metadata.namespace}/${issued.secretName}`;
    const owner = owners.get(secret);
    if (owner === undefined) owners.set(secret, issued);
    // The same object twice is a problem of its own.
    const isOther = owner !== undefined && describeObject(owner.object) !== describeObject(issued.object);
    return isOther ? errorsAt(issued.path, [sharedSecret(issued.object, secret, owner)]) : [];
  });
}

function issuedCertificates({ path, object }: PlacedObject): readonly IssuedCertificate[] {
  return secretNames(object).map((secretName) => ({ path, object, secretName }));
}

function secretNames(object: KubernetesObject): readonly string[] {
  if (isCertificate(object)) {
    const secretName = textIn(object.spec, 'secretName');
    return secretName === undefined ? [] : [secretName];
  }
  return isIssuedIngress(object) ? tlsSecrets(object.spec) : [];
}

function isIssuedIngress({ apiVersion, kind, metadata }: KubernetesObject): boolean {
  const annotations: object = metadata.annotations ?? {};
  return (
    apiVersion.startsWith('networking.k8s.io/') &&
    kind === 'Ingress' &&
    ISSUING_ANNOTATIONS.some((annotation) => Object.hasOwn(annotations, annotation))
  );
}

/** The Secrets of an Ingress, each once: one certificate may serve several hosts. */
function tlsSecrets(spec: unknown): readonly string[] {
  const { tls } = (spec ?? {}) as { readonly tls?: unknown };
  const names = (Array.isArray(tls) ? tls : []).map((item: unknown) => textIn(item, 'secretName'));
  return [...new Set(names.filter((name) => name !== undefined))];
}

function sharedSecret(object: KubernetesObject, secret: string, owner: PlacedObject) {
  return OBJECT_CHECKS.certificateSecretShared({
    certificate: describeObject(object),
    secret,
    other: describeObject(owner.object),
    path: owner.path,
  });
}
