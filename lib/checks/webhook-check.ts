import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { type FieldPath, fieldPath, type SelectedField, selectFields, textIn } from '#base/select-fields';
import { suggest } from '#base/suggest';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { OBJECT_CHECKS } from './findings';
import type { CertificateNames, ObjectFacts, ObjectRule } from './object-rule';

const INJECT_CA_FROM = 'cert-manager.io/inject-ca-from';
const INJECTORS = [INJECT_CA_FROM, 'cert-manager.io/inject-ca-from-secret', 'cert-manager.io/inject-apiserver-ca'];
const CA_BUNDLES = fieldPath('**.caBundle');

/** Where objects name the Services that API servers call. */
const SERVICES: Readonly<Record<string, FieldPath>> = {
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': fieldPath('webhooks[].clientConfig.service'),
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': fieldPath('webhooks[].clientConfig.service'),
  'apiextensions.k8s.io/CustomResourceDefinition': fieldPath('spec.conversion.webhook.clientConfig.service'),
  'apiregistration.k8s.io/APIService': fieldPath('spec.service'),
};

/** Returns the DNS names of the Certificates among the objects. */
export function certificateNames(objects: readonly KubernetesObject[]): CertificateNames {
  return new Map(
    objects
      .filter(({ apiVersion, kind }) => kind === 'Certificate' && apiGroup(apiVersion) === 'cert-manager.io')
      .map(({ metadata, spec }) => [`${metadata.namespace}/${metadata.name}`, dnsNames(spec)]),
  );
}

/**
 * Checks that the API server will trust a webhook: the Certificate whose CA cert-manager injects must exist, and be
 * valid for the called Services.
 */
export function checkWebhook(object: KubernetesObject, certificates: CertificateNames): readonly Problem[] {
  const certificate = object.metadata.annotations?.[INJECT_CA_FROM];
  if (certificate === undefined) return [];
  if (!certificates.has(certificate)) return [unknownCertificate(object, certificate, certificates)];
  const names = certificates.get(certificate);
  const namespace = certificate.slice(0, certificate.indexOf('/'));
  return servicesOf(object).flatMap((service) => {
    if (names?.every((name) => !covers(name, hostOf(service)))) {
      return [uncoveredService(object, hostOf(service), { certificate, names })];
    }
    return service.namespace === namespace ? [] : [foreignCertificate(object, service, certificate)];
  });
}

/**
 * Reports a caBundle next to the annotation with which cert-manager's CA injector writes it
 * (https://cert-manager.io/docs/concepts/ca-injector/).
 */
export function checkCaBundle(object: KubernetesObject): readonly Problem[] {
  const annotations = object.metadata.annotations ?? {};
  const injector = INJECTORS.find((key) => annotations[key] !== undefined);
  if (injector === undefined) return [];
  return selectFields(object, CA_BUNDLES).map(({ field }) =>
    OBJECT_CHECKS.caBundleContested({ object: describeObject(object), field, annotation: injector }),
  );
}

/** The rule for webhooks and other Services that the API server calls. */
export const WEBHOOK: ObjectRule<ObjectFacts> = {
  kinds: 'any',
  check: (object, { certificates }) => checkWebhook(object, certificates),
};

/** The rule for a CA that Argo CD and cert-manager would both write. */
export const CA_BUNDLE: ObjectRule = { kinds: 'any', check: checkCaBundle };

function uncoveredService(
  object: KubernetesObject,
  host: string,
  { certificate, names }: { readonly certificate: string; readonly names: readonly string[] },
): Problem {
  return OBJECT_CHECKS.webhookCertificateRefusedNames({
    object: describeObject(object),
    certificate,
    names: names.join(', ') || 'none',
    host,
    annotation: INJECT_CA_FROM,
  });
}

function foreignCertificate(object: KubernetesObject, service: Service, certificate: string): Problem {
  return OBJECT_CHECKS.webhookCertificateRefusedNamespace({
    object: describeObject(object),
    certificate,
    service: `${service.name}`,
    namespace: `${service.namespace}`,
    annotation: INJECT_CA_FROM,
  });
}

function unknownCertificate(object: KubernetesObject, certificate: string, certificates: CertificateNames): Problem {
  const [similar] = suggest(certificate, certificates.keys());
  return OBJECT_CHECKS.webhookCertificateRefusedMissing({
    object: describeObject(object),
    annotation: INJECT_CA_FROM,
    certificate,
    similar,
  });
}

interface Service {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

/** Returns the references of an object to Services that API servers call. */
export function calledServices(object: KubernetesObject): readonly SelectedField[] {
  const at = SERVICES[`${apiGroup(object.apiVersion)}/${object.kind}`];
  return at === undefined ? [] : selectFields(object, at);
}

function servicesOf(object: KubernetesObject): readonly Service[] {
  const services = calledServices(object).map(({ value }) => ({
    name: textIn(value, 'name'),
    namespace: textIn(value, 'namespace'),
  }));
  return [...new Map(services.map((service) => [hostOf(service), service])).values()];
}

function hostOf({ name, namespace }: Service): string {
  return `${name}.${namespace}.svc`;
}

/** A wildcard matches one label (RFC 6125, as Go verifies it). */
function covers(name: string, host: string): boolean {
  return name === host || (name.startsWith('*.') && name.slice(1) === host.slice(host.indexOf('.')));
}

function dnsNames(spec: unknown): readonly string[] {
  const names = isObject(spec) ? spec.dnsNames : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
