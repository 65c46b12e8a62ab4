import { parse } from 'yaml';
import { TRUST_ROOTS, TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import { isMap } from '#base/values';
import { checkDepth } from '#base/yaml-documents';
import {
  annotationIn,
  at,
  type Change,
  changeOf,
  conditionIn,
  conditionOf,
  conditionsOf,
  idIn,
  listAt,
  MAX_NAMES,
  nameIn,
  type ObservedCondition,
  type ObservedName,
  present,
  type Time,
  type Trouble,
  textAt,
  timeAt,
  troubleOf,
} from './fields';

/** A Certificate of cert-manager. */
export interface ObservedCertificate extends ObservedName {
  readonly isReady?: boolean;
  /** Why the Certificate is not ready. */
  readonly message?: string;
  readonly since?: Time;
  readonly notAfter?: Time;
  readonly renewalTime?: Time;
  readonly revision?: number;
  readonly secretName: string;
  /** `ClusterIssuer name` or `Issuer namespace/name`; absent for issuers of other API groups. */
  readonly issuer?: string;
}

export function observeCertificate(object: unknown): ObservedCertificate {
  const id = idIn(object);
  const ready = conditionOf(object, 'Ready');
  const revision = at(object, 'status', 'revision');
  const [group = CERT_MANAGER, kind = 'Issuer', name = ''] = ['group', 'kind', 'name'].map((key) =>
    textAt(object, 'spec', 'issuerRef', key),
  );
  return present<ObservedCertificate>({
    ...id,
    isReady: ready && ready.status === 'True',
    message: ready?.status === 'True' ? undefined : ready?.message,
    since: ready?.since,
    notAfter: timeAt(object, 'status', 'notAfter'),
    renewalTime: timeAt(object, 'status', 'renewalTime'),
    revision: typeof revision === 'number' ? revision : undefined,
    secretName: textAt(object, 'spec', 'secretName') ?? '',
    issuer: group === CERT_MANAGER || group === '' ? issuerId(kind, { ...id, name }) : undefined,
  });
}

const CERT_MANAGER = 'cert-manager.io';

/** Returns `ClusterIssuer name` or `Issuer namespace/name`. */
function issuerId(kind: string, { namespace, name }: ObservedName): string {
  return kind === 'Issuer' ? `Issuer ${namespace}/${name}` : `${kind} ${name}`;
}

/** An issued or refused CertificateRequest of cert-manager. It contains no key. */
export interface ObservedRequest extends ObservedName {
  readonly certificate: string;
  readonly revision: number;
  /** PEM: the certificate, and the intermediates that come with it; empty if it is not issued. */
  readonly chain: string;
  /** Why the request was denied, or failed. */
  readonly refusal?: Trouble & { readonly reason: string };
}

export function observeRequest(object: unknown): ObservedRequest | undefined {
  const certificate = annotationIn(object, 'cert-manager.io/certificate-name');
  const revision = Number(annotationIn(object, 'cert-manager.io/certificate-revision'));
  if (certificate === undefined) return undefined;
  const isRevision = Number.isSafeInteger(revision);
  const chain = isRevision ? decoded(at(object, 'status', 'certificate')) : '';
  if (chain !== '') return { ...idIn(object), certificate, revision, chain };
  const refused =
    conditionIn(object, 'True', 'Denied', 'InvalidRequest') ??
    conditionsOf(object).find(({ type, reason }) => type === 'Ready' && ['Failed', 'Denied'].includes(reason));
  if (refused === undefined) return undefined;
  const refusal = { reason: refused.reason, message: '', ...troubleOf(refused) };
  return { ...idIn(object), certificate, revision: isRevision ? revision : 0, chain, refusal };
}

/** An Issuer or a ClusterIssuer of cert-manager. */
export interface ObservedIssuer {
  /** `ClusterIssuer name` or `Issuer namespace/name`. */
  readonly issuer: string;
  readonly ready?: ObservedCondition;
  /** The Secret of the issuer's CA. */
  readonly secretName?: string;
}

export function observeIssuer(object: unknown, kind: string): ObservedIssuer {
  return present<ObservedIssuer>({
    issuer: issuerId(kind, idIn(object)),
    ready: conditionOf(object, 'Ready'),
    secretName: textAt(object, 'spec', 'ca', 'secretName'),
  });
}

/** A Bundle of trust-manager. */
export interface ObservedTrustBundle {
  readonly name: string;
  readonly synced?: ObservedCondition;
}

export function observeTrustBundle(object: unknown): ObservedTrustBundle | undefined {
  if (nameIn(object) !== TRUST_ROOTS) return undefined;
  return present<ObservedTrustBundle>({
    name: nameIn(object),
    synced: conditionOf(object, 'Synced'),
  });
}

/** A ConfigMap with the trust roots of the mesh. */
export interface ObservedBundle extends ObservedName {
  /** PEM; absent if the ConfigMap lacks the key. */
  readonly roots?: string;
}

const MAX_TEXT = 262_144;

export function observeBundle(object: unknown): ObservedBundle {
  const roots = at(object, 'data', TRUST_ROOTS_KEY);
  return present<ObservedBundle>({
    ...idIn(object),
    roots: typeof roots === 'string' && roots.length <= MAX_TEXT ? roots : undefined,
  });
}

function decoded(base64: unknown): string {
  return typeof base64 === 'string' ? Buffer.from(base64.slice(0, MAX_TEXT), 'base64').toString('latin1') : '';
}

/** The record of an installation that Helm or `linkerd install` wrote: the ConfigMap linkerd-config. */
export interface ObservedInstallation {
  readonly namespace: string;
  /** PEM of the identity issuer at installation; absent if Linkerd's chart does not create its Secret. */
  readonly issuer?: string;
}

export function observeInstallation(object: unknown): ObservedInstallation {
  const text = at(object, 'data', 'values');
  const { namespace } = idIn(object);
  if (typeof text !== 'string' || text.length > MAX_TEXT) return { namespace };
  try {
    checkDepth(text);
    // The parser's warnings would quote the text.
    const issuer = at(parse(text, { logLevel: 'error' }), 'identity', 'issuer');
    const isOwn = at(issuer, 'scheme') !== 'kubernetes.io/tls' && at(issuer, 'externalCA') !== true;
    const pem = at(issuer, 'tls', 'crtPEM');
    return { namespace, ...(isOwn && typeof pem === 'string' && pem !== '' && { issuer: pem }) };
  } catch {
    return { namespace };
  }
}

/** A configuration of webhooks, or an APIService. */
export interface ObservedWebhook {
  readonly kind: string;
  readonly name: string;
  /** `namespace/name` of the Certificate whose CA cert-manager injects. */
  readonly caFrom?: string;
  /** The CA bundle of each webhook, in PEM; an empty string for a webhook without one. */
  readonly caBundles: readonly string[];
  readonly hooks: readonly ObservedHook[];
  /** The manager that last wrote the webhooks, and the time. */
  readonly changed?: Change;
  /** Why an APIService does not respond. */
  readonly unavailable?: Trouble;
}

/** One webhook of a configuration, or the Service of an APIService. */
export interface ObservedHook {
  readonly name: string;
  /** `namespace/name`; absent if the webhook has a URL instead. */
  readonly service?: string;
  readonly isFailing: boolean;
  /** The API server calls this webhook when a pod is created. */
  readonly catchesPods: boolean;
  readonly namespaceSelector?: unknown;
}

export function observeWebhook(object: unknown, kind: string): ObservedWebhook {
  const isApiService = kind === 'APIService';
  const hooks = listAt(object, 'webhooks');
  const caBundles = isApiService
    ? [at(object, 'spec', 'caBundle')]
    : hooks.map((one) => at(one, 'clientConfig', 'caBundle'));
  return present<ObservedWebhook>({
    kind,
    name: nameIn(object),
    caFrom: annotationIn(object, 'cert-manager.io/inject-ca-from'),
    caBundles: caBundles.map(decoded),
    hooks: isApiService ? observeApi(object) : hooks.slice(0, MAX_NAMES).map(observeHook),
    changed: changeOf(object, 'webhooks'),
    unavailable: isApiService ? troubleOf(conditionIn(object, 'False', 'Available')) : undefined,
  });
}

/** The API server calls the Service of an APIService as it calls the Service of a webhook. */
function observeApi(object: unknown): readonly ObservedHook[] {
  const service = serviceOf(at(object, 'spec', 'service'));
  return service === undefined ? [] : [{ name: '', service, isFailing: false, catchesPods: false }];
}

function serviceOf(service: unknown): string | undefined {
  return isMap(service) ? `${textAt(service, 'namespace') ?? ''}/${textAt(service, 'name') ?? ''}` : undefined;
}

function observeHook(hook: unknown): ObservedHook {
  const covers = (rule: unknown, key: string, value: string) =>
    listAt(rule, key).some((one) => one === value || one === '*');
  return present<ObservedHook>({
    name: textAt(hook, 'name') ?? '',
    service: serviceOf(at(hook, 'clientConfig', 'service')),
    isFailing: textAt(hook, 'failurePolicy') !== 'Ignore',
    catchesPods: listAt(hook, 'rules').some(
      (rule) =>
        covers(rule, 'apiGroups', '') && covers(rule, 'resources', 'pods') && covers(rule, 'operations', 'CREATE'),
    ),
    namespaceSelector: at(hook, 'namespaceSelector'),
  });
}
