import type { X509Certificate } from 'node:crypto';
import { valueAt } from '../../../api/kubernetes/value-at';
import { isMap, type Values } from '../../../api/kubernetes/values-merge';
import { CONFIG_DEFAULTS } from '../../../api/linkerd-config';
import { DEFAULTING_PATH, VALIDATING_PATH } from '../../../api/webhooks/linkerd-config';
import { readCertificates } from '../../pki/certificates';
import { INSTALLED_ISSUER, readIssuedChain } from '../../pki/issued-chain';
import { isApiError } from '../../runtime/client/api-error';
import type { KubeClient } from '../../runtime/client/kube-client';
import {
  type AdmissionAnswer,
  type AdmissionRequest,
  BadAdmissionRequest,
  type WebhookRoute,
} from '../../runtime/webhook/admission';
import { checkSize } from '../checks/check-size';
import { rejectionText } from '../checks/rejection-text';
import { baselineOf } from '../objects/baseline';
import { type ConfigMaps, readConfigMaps } from '../objects/config-store';
import { LINKERD_CONFIGS, type LinkerdConfig, VALUES_KEY } from '../objects/linkerd-config';
import { readValues } from '../values/read-values';
import { type ConfigRequest, changesAnchors, changesInjection, checkConfig } from './check-config';
import { configWarnings } from './config-warnings';
import { defaultingPatch, leftEmpty } from './default-config';

/** The means of the webhooks for LinkerdConfigs. */
export interface ConfigWebhookContext {
  readonly client: KubeClient;
  /** The namespace of the control plane that the operator has permissions for. */
  readonly linkerdNamespace: string;
  readonly clock: () => Date;
}

/** The API server waits for ten seconds: what the answer needs must not take all of them. */
const READ_TIMEOUT_MS = 3_000;

/** LinkerdConfigs are written now and then; each review is kept in memory, and asks the API server for three things. */
const CONCURRENCY = 4;

/**
 * The most values in a review of two LinkerdConfigs: a few hundred each, and some thousand in the lists of a status.
 */
const MOST_VALUES = 16_000;

/** The most bytes of a review: two of the largest objects that etcd stores, and what the review says besides. */
const MOST_BYTES = 4 * 2 ** 20;

/** The webhooks for LinkerdConfigs. They ask the API server: who applies a LinkerdConfig can wait for that. */
export function linkerdConfigRoutes(context: ConfigWebhookContext): readonly WebhookRoute[] {
  const limits = { concurrency: CONCURRENCY, mostValues: MOST_VALUES, mostBytes: MOST_BYTES };
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

/** Reads the LinkerdConfigs of a request, with the defaults of their specs. */
function requested({ object, oldObject }: AdmissionRequest): ConfigRequest {
  if (!isLinkerdConfig(object)) throw new BadAdmissionRequest('object is no LinkerdConfig');
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
 * Reads the values of the installation; undefined where there are none, or none that could be read: a ConfigMap that
 * the operator may not read it could not change either.
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
 * The certificate that issues identities, and its intermediates, from where everybody may read them: the request for
 * what cert-manager issued, or the values of an installation that made it without. Nobody asks for the Secret.
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
