import type { X509Certificate } from 'node:crypto';
import { readCertificates } from '#base/certificates';
import { isMap, type Values, valueAt } from '#base/values';
import { isApiError } from '#controller-runtime/client/api-error';
import type { JsonPatchOperation, KubeClient } from '#controller-runtime/client/kube-client';
import {
  type AdmissionAnswer,
  type AdmissionRequest,
  BadAdmissionRequest,
  type WebhookRoute,
} from '#controller-runtime/webhook/admission';
import { componentValuesIn } from '#operator/api/component-values';
import { CONFIG_DEFAULTS } from '#operator/api/linkerd-config';
import { DEFAULTING_PATH, VALIDATING_PATH } from '#operator/api/webhooks/linkerd-config';
import { INSTALLED_ISSUER, readIssuedChain } from '../../pki/issued-chain';
import { checkSize } from '../checks/check-size';
import { rejectionText } from '../checks/rejection-text';
import { baselineOf } from '../objects/baseline';
import { type ConfigMaps, readConfigMaps } from '../objects/config-maps';
import { LINKERD_CONFIGS, type LinkerdConfig, VALUES_KEY } from '../objects/linkerd-config';
import { proxyVersionOf, trustAnchorsOf } from '../values/effective-values';
import { readValues } from '../values/read-values';
import { type ConfigRequest, changesAnchors, changesInjection, checkConfig } from './check-config';

/** The context of the webhooks for LinkerdConfigs. */
export interface ConfigWebhookContext {
  readonly client: KubeClient;
  /** The namespace of the control plane for which the operator has permissions. */
  readonly linkerdNamespace: string;
  readonly clock: () => Date;
}

/** The API server waits for ten seconds, and reading must not take all of them. */
const READ_TIMEOUT_MS = 3_000;

/** LinkerdConfigs are rarely written; each review is kept in memory, and needs three requests to the API server. */
const CONCURRENCY = 4;

/**
 * Maximum number of values in a review of two LinkerdConfigs: a few hundred each, and some thousand in the lists of a
 * status.
 */
const MAX_VALUES = 16_000;

/** Maximum number of bytes of a review: two of the largest objects that etcd stores, and the review itself. */
const MAX_BYTES = 4 * 2 ** 20;

/**
 * Returns the webhooks for LinkerdConfigs. They may send requests to the API server, because applying a LinkerdConfig
 * can wait.
 */
export function linkerdConfigRoutes(context: ConfigWebhookContext): readonly WebhookRoute[] {
  const limits = { concurrency: CONCURRENCY, mostValues: MAX_VALUES, mostBytes: MAX_BYTES };
  return [
    { ...limits, path: DEFAULTING_PATH, handle: (request) => answerDefaults(request, context) },
    { ...limits, path: VALIDATING_PATH, handle: (request) => answerValidation(request, context) },
  ];
}

async function answerDefaults(request: AdmissionRequest, context: ConfigWebhookContext): Promise<AdmissionAnswer> {
  const { config } = requested(request);
  const empty = leftEmpty(config.spec.values);
  const isAsked = (empty.trustAnchors || empty.proxyVersion) && isServed(config, context);
  const running = isAsked ? await runningValues(config, context) : undefined;
  return { allowed: true, patch: running === undefined ? [] : defaultingPatch(empty, running) };
}

async function answerValidation(request: AdmissionRequest, context: ConfigWebhookContext): Promise<AdmissionAnswer> {
  const wanted = requested(request);
  const { values } = wanted.config.spec;
  const tooLarge = checkSize(values);
  if (tooLarge.length > 0) return { allowed: false, message: rejectionText(tooLarge) };
  const { client, clock, linkerdNamespace } = context;
  const served = isServed(wanted.config, context);
  const [{ items: configs }, issuer, installed] = await Promise.all([
    client.list<LinkerdConfig>(LINKERD_CONFIGS, { timeoutMs: READ_TIMEOUT_MS }),
    served && changesAnchors(wanted) ? issuerChain(wanted.config, context) : undefined,
    served && changesInjection(wanted) ? runningValues(wanted.config, context) : undefined,
  ]);
  const problems = checkConfig(wanted, { configs, issuer, installed, now: clock() });
  if (problems.length > 0) return { allowed: false, message: rejectionText(problems) };
  return { allowed: true, warnings: configWarnings(wanted.config, linkerdNamespace, installed?.linkerdVersion) };
}

function requested({ object, oldObject }: AdmissionRequest): ConfigRequest {
  if (!isLinkerdConfig(object)) throw new BadAdmissionRequest('object is not a LinkerdConfig');
  return { config: withDefaults(object), old: isLinkerdConfig(oldObject) ? withDefaults(oldObject) : undefined };
}

function isLinkerdConfig(object: unknown): object is LinkerdConfig {
  return isMap(object) && isMap(object.metadata) && (object.spec === undefined || isMap(object.spec));
}

function withDefaults(config: LinkerdConfig): LinkerdConfig {
  return { ...config, spec: { ...CONFIG_DEFAULTS, ...config.spec } };
}

function isServed({ spec }: LinkerdConfig, { linkerdNamespace }: ConfigWebhookContext): boolean {
  return spec.controlPlaneNamespace === linkerdNamespace;
}

/**
 * Reads the values of the installation; undefined if they are missing or unreadable. Without the permission to read the
 * ConfigMap, the operator could not change it either.
 */
async function runningValues({ spec }: LinkerdConfig, { client }: ConfigWebhookContext): Promise<Values | undefined> {
  const { configMap, baseline } = await readConfigMaps(client, spec, AbortSignal.timeout(READ_TIMEOUT_MS)).catch(
    nothingIfForbidden,
  );
  const installed = configMap?.data?.[VALUES_KEY];
  if (installed === undefined) return undefined;
  const read = readValues((baseline && baselineOf(baseline)?.text) ?? installed);
  return 'values' in read ? read.values : undefined;
}

function nothingIfForbidden(error: unknown): ConfigMaps {
  if (isApiError(error, 403)) return { configMap: undefined, baseline: undefined };
  throw error;
}

/**
 * Returns the certificate that issues identities, and its intermediates, from public sources: cert-manager's request,
 * or the values of an installation without it. The Secret is never read.
 */
async function issuerChain(
  config: LinkerdConfig,
  context: ConfigWebhookContext,
): Promise<readonly X509Certificate[] | undefined> {
  const { client, linkerdNamespace: namespace } = context;
  const issued = await readIssuedChain(client, { namespace, timeoutMs: READ_TIMEOUT_MS });
  if (issued !== undefined) return issued.map(({ x509 }) => x509);
  const pem = valueAt((await runningValues(config, context)) ?? {}, INSTALLED_ISSUER);
  return typeof pem === 'string' ? readCertificates(pem) : undefined;
}

/** The values that a LinkerdConfig leaves empty on purpose: the current ones are filled in, so that they stay. */
interface LeftEmpty {
  readonly trustAnchors: boolean;
  readonly proxyVersion: boolean;
}

/** Returns the values that a LinkerdConfig leaves empty. */
export function leftEmpty(values: Values | undefined): LeftEmpty {
  return {
    trustAnchors: values?.identityTrustAnchorsPEM === '',
    proxyVersion: valueAt(values ?? {}, 'proxy.image.version') === '',
  };
}

/**
 * Fills in the current values that a LinkerdConfig leaves empty. Omitted values stay omitted: they follow the
 * installation.
 *
 * @param running - the values of the installation. Trust anchors from outside (`identity.externalCA`) stay empty.
 */
export function defaultingPatch(empty: LeftEmpty, running: Values): readonly JsonPatchOperation[] {
  const found = [
    { path: '/spec/values/identityTrustAnchorsPEM', value: empty.trustAnchors ? trustAnchorsOf(running) : undefined },
    { path: '/spec/values/proxy/image/version', value: empty.proxyVersion ? proxyVersionOf(running) : undefined },
  ];
  return found.flatMap(({ path, value }) => (value === undefined ? [] : [{ op: 'replace' as const, path, value }]));
}

/**
 * Returns warnings about settings of a LinkerdConfig without effect, each short enough to be delivered whole: 256
 * characters.
 *
 * @param servedNamespace - the control plane namespace for which the operator has permissions
 * @param linkerdVersion - the release of the control plane in its values, if known
 */
export function configWarnings(
  { spec }: Pick<LinkerdConfig, 'spec'>,
  servedNamespace: string,
  linkerdVersion?: unknown,
): readonly string[] {
  const { controlPlaneNamespace, values = {} } = spec;
  const unserved = `the operator serves the control plane in ${servedNamespace}, not in ${controlPlaneNamespace}`;
  return [
    ...(controlPlaneNamespace === servedNamespace ? [] : [unserved]),
    ...(trustAnchorsOf(values) === undefined ? [] : [ANCHORS_REACH_NO_PROXY]),
    ...configValuesUnused(componentValuesIn(values, linkerdVersion)),
  ];
}

const NAMED = 4;

function configValuesUnused(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  return [
    `no Deployment of the control plane uses spec.values.{${paths.slice(0, NAMED).join(',')}}${more}: set them where Linkerd is installed`,
  ];
}

/** The injector replaces the value with its mounted file before using it (linkerd2, proxy-injector/webhook.go). */
const ANCHORS_REACH_NO_PROXY =
  'spec.values.identityTrustAnchorsPEM does not reach proxies where the injector mounts the ConfigMap ' +
  'linkerd-identity-trust-roots: proxies get the anchors of that ConfigMap. Change it, or its source';
