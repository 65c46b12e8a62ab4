import type { Problem } from '../findings/problem';
import { describeObject, type KubernetesObject } from '../kubernetes-object';
import { apiGroup } from '../scope';
import { type FieldPath, fieldPath, isObject, selectFields, textIn } from '../select-fields';
import { suggest } from '../suggest';
import type { CertificateNames, ObjectFacts, ObjectRule } from './object-rule';

const INJECT_CA_FROM = 'cert-manager.io/inject-ca-from';
const INJECTORS = [INJECT_CA_FROM, 'cert-manager.io/inject-ca-from-secret', 'cert-manager.io/inject-apiserver-ca'];
const CA_BUNDLES = fieldPath('**.caBundle');

/** The places in which kinds that cert-manager's CA injector fills name the Service that the API server calls. */
const SERVICES: Readonly<Record<string, FieldPath>> = {
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': fieldPath('webhooks[].clientConfig.service'),
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': fieldPath('webhooks[].clientConfig.service'),
  'apiextensions.k8s.io/CustomResourceDefinition': fieldPath('spec.conversion.webhook.clientConfig.service'),
  'apiregistration.k8s.io/APIService': fieldPath('spec.service'),
};

/** The DNS names of the Certificates among the objects. */
export function certificateNames(objects: readonly KubernetesObject[]): CertificateNames {
  return new Map(
    objects
      .filter(({ apiVersion, kind }) => kind === 'Certificate' && apiGroup(apiVersion) === 'cert-manager.io')
      .map(({ metadata, spec }) => [`${metadata.namespace}/${metadata.name}`, dnsNames(spec)]),
  );
}

/**
 * Checks that the API server will trust what answers a webhook: the Certificate whose CA cert-manager injects must
 * exist, and be valid for the Services that are called.
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
 * A caBundle beside the annotation by which cert-manager's CA injector writes it
 * (https://cert-manager.io/docs/concepts/ca-injector/).
 */
export function checkCaBundle(object: KubernetesObject): readonly Problem[] {
  const annotations = object.metadata.annotations ?? {};
  const injector = INJECTORS.find((key) => annotations[key] !== undefined);
  if (injector === undefined) return [];
  return selectFields(object, CA_BUNDLES).map(({ field }) => ({
    code: 'ca-bundle-contested',
    what: `${describeObject(object)} has ${field}, and ${injector}`,
    why: 'Argo CD and cert-manager would overwrite it in turns, and the API server refuses to call whenever the wrong one is there',
    fix: `remove ${field}`,
  }));
}

/** The rule for webhooks and all else that the API server calls. */
export const WEBHOOK: ObjectRule<ObjectFacts> = {
  kinds: 'any',
  check: (object, { certificates }) => checkWebhook(object, certificates),
};

/** The rule for a CA that both Argo CD and cert-manager would write. */
export const CA_BUNDLE: ObjectRule = { kinds: 'any', check: checkCaBundle };

function uncoveredService(
  object: KubernetesObject,
  host: string,
  { certificate, names }: { readonly certificate: string; readonly names: readonly string[] },
): Problem {
  return {
    code: 'webhook-service-not-covered',
    what: `${describeObject(object)} trusts Certificate ${certificate}, whose dnsNames (${names.join(', ') || 'none'}) do not cover ${host}`,
    why: 'The API server calls the Service by that name and would refuse its certificate on every call',
    fix: `add ${host} to the Certificate's dnsNames, or name the Certificate of that Service in ${INJECT_CA_FROM}`,
  };
}

function foreignCertificate(object: KubernetesObject, service: Service, certificate: string): Problem {
  return {
    code: 'webhook-certificate-foreign',
    what: `${describeObject(object)} trusts Certificate ${certificate}, but its Service ${service.name} is in namespace ${service.namespace}`,
    why: "Pods mount Secrets of their own namespace only, so those of the Service cannot have the Certificate's",
    fix: `put the Certificate into namespace ${service.namespace}, and name it there in ${INJECT_CA_FROM}`,
  };
}

function unknownCertificate(object: KubernetesObject, certificate: string, certificates: CertificateNames): Problem {
  const [similar] = suggest(certificate, certificates.keys());
  return {
    code: 'webhook-certificate-missing',
    what: `${describeObject(object)} has ${INJECT_CA_FROM}: "${certificate}", which no Certificate is called`,
    why: 'cert-manager could not inject a CA, so the API server would trust nobody who answers',
    fix: `write "<namespace>/<name>" of a Certificate that is emitted${similar === undefined ? '' : ` (did you mean "${similar}"?)`}`,
  };
}

interface Service {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

/** The Services that the API server calls for an object, each once. */
function servicesOf(object: KubernetesObject): readonly Service[] {
  const at = SERVICES[`${apiGroup(object.apiVersion)}/${object.kind}`];
  const services = (at === undefined ? [] : selectFields(object, at)).map(({ value }) => ({
    name: textIn(value, 'name'),
    namespace: textIn(value, 'namespace'),
  }));
  return [...new Map(services.map((service) => [hostOf(service), service])).values()];
}

/** The name by which the API server calls a Service. */
function hostOf({ name, namespace }: Service): string {
  return `${name}.${namespace}.svc`;
}

/** A wildcard stands for one label (RFC 6125, as Go verifies it). */
function covers(name: string, host: string): boolean {
  return name === host || (name.startsWith('*.') && name.slice(1) === host.slice(host.indexOf('.')));
}

function dnsNames(spec: unknown): readonly string[] {
  const names = isObject(spec) ? spec.dnsNames : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
