import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { digestOf } from '#helm/chart/charts-lock';
import { FieldError, StructFields } from '#helm/chart/struct-fields';
import { FunctionError } from '#helm/go/values';
import { readYaml } from '#helm/yaml/read-yaml';
import { entryIn } from './chart-index';
import { DownloadError } from './download-error';
import { Misuse } from './terminal';

/** A chart in a repository. */
export interface ChartSource {
  readonly name: string;
  readonly version: string;
  /** URL of the repository: `https://…`, or `oci://…`. */
  readonly repository: string;
}

/** Maximum number of bytes of an archive. */
export const MAX_ARCHIVE = 32 * 2 ** 20;

const BOUNDS = {
  /** The index of the largest known public repository has a third of this size. */
  indexBytes: 64 * 2 ** 20,
  manifestBytes: 2 ** 20,
  milliseconds: 60_000,
} as const;

const CHART_LAYER = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

/**
 * Downloads a packaged chart from an HTTP repository or an OCI registry.
 *
 * @throws DownloadError if the chart is missing, exceeds the bounds, or has another digest than in its repository
 */
export async function downloadChart(source: ChartSource): Promise<Uint8Array> {
  try {
    return source.repository.startsWith('oci://') ? await fromRegistry(source) : await fromRepository(source);
  } catch (error) {
    if (!(error instanceof FunctionError || error instanceof FieldError)) throw error;
    throw new DownloadError(`the repository responds with invalid data: ${error.message}`, {
      cause: error,
    });
  }
}

/** Returns a URL as it may be shown and written: without credentials, query and fragment. */
export function publicUrl(text: string): string {
  const url = urlOf(text);
  return `${url.protocol}//${url.host}${url.pathname}`.replace(/\/$/, '');
}

function urlOf(text: string, base?: URL): URL {
  try {
    return new URL(text, base);
  } catch {
    throw new DownloadError('the repository is not a URL');
  }
}

/** @throws Misuse if it is not a repository */
function repositoryOf(text: string): URL {
  if (!URL.canParse(text) || !isHttp(new URL(text))) throw new Misuse('--repo is not a URL of HTTP or OCI');
  return new URL(text);
}

async function fromRepository(source: ChartSource): Promise<Uint8Array> {
  const base = repositoryOf(source.repository.replace(/\/*$/, '/'));
  const index = await get(new URL('index.yaml', base), { most: BOUNDS.indexBytes, credentialsOf: base });
  const { url, digest } = archiveIn(new TextDecoder().decode(index), source, base);
  const archive = isOci(url)
    ? await fromReference(url, source.version)
    : await get(url, { most: MAX_ARCHIVE, credentialsOf: base });
  if (digest !== '' && digest !== digestOf(archive)) {
    throw new DownloadError(`the archive has the digest ${digestOf(archive)}, and the index names ${digest}`);
  }
  return archive;
}

/**
 * Returns the URL of a chart's archive in an index, and its digest; empty if the index has none.
 *
 * @throws DownloadError if there is no URL of HTTP or OCI, or if an encrypted index names an unencrypted URL without a
 * digest
 */
export function archiveIn(
  index: string,
  { name, version }: Pick<ChartSource, 'name' | 'version'>,
  base: URL,
): { readonly url: URL; readonly digest: string } {
  const entry = entryIn(index, { name, version });
  const [first] = entry.texts('urls');
  if (first === undefined) throw new DownloadError(`the index names no archive of ${name} ${version}`);
  const url = urlOf(first, base);
  if (!isOci(url)) checkProtocol(url);
  const digest = entry.text('digest').replace(/^sha256:/, '');
  if (url.protocol === 'http:' && base.protocol === 'https:' && digest === '') {
    throw new DownloadError(`the index names ${publicUrl(url.href)}, which is not encrypted, without a digest`);
  }
  return { url, digest };
}

async function fromRegistry({ name, version, repository }: ChartSource): Promise<Uint8Array> {
  const { host, pathname } = repositoryOf(repository.replace(/^oci:/, 'https:'));
  return await fromReference({ host, pathname: `${pathname.replace(/\/$/, '')}/${name}` }, version);
}

/** Downloads the chart of a reference. Its tag or digest takes precedence over the version. */
async function fromReference({ host, pathname }: Pick<URL, 'host' | 'pathname'>, version: string): Promise<Uint8Array> {
  const [, path = '', digested, tag = version] = /^\/*(.*?)(?:@(sha256:[0-9a-f]{64})|:([^/:]+))?$/.exec(pathname) ?? [];
  const registry = host === 'docker.io' ? 'registry-1.docker.io' : host;
  const protocol = isLoopback(urlOf(`https://${host}`)) ? 'http' : 'https';
  const api = `${protocol}://${registry}/v2/${path}`;
  // Tags cannot contain a plus sign; Helm replaces it with an underscore.
  const manifestUrl = new URL(`${api}/manifests/${digested ?? tag.replaceAll('+', '_')}`);
  const accept = 'application/vnd.oci.image.manifest.v1+json';
  const token = await tokenFor(manifestUrl, accept);
  const manifest = await get(manifestUrl, { most: BOUNDS.manifestBytes, accept, token });
  const digest = layerOf(new TextDecoder().decode(manifest));
  const archive = await get(new URL(`${api}/blobs/sha256:${digest}`), { most: MAX_ARCHIVE, token });
  if (digestOf(archive) !== digest) throw new DownloadError('the archive has another digest than its manifest names');
  return archive;
}

function layerOf(manifest: string): string {
  const layers = StructFields.of(readYaml(manifest)).structs('layers');
  const layer = layers.find((fields) => fields?.text('mediaType') === CHART_LAYER);
  const digest = /^sha256:([0-9a-f]{64})$/.exec(layer?.text('digest') ?? '')?.[1];
  if (digest === undefined) throw new DownloadError('the artifact is not a chart');
  return digest;
}

/** Returns a token for anonymous users, if the registry requires one. */
async function tokenFor(url: URL, accept: string): Promise<string | undefined> {
  const { status, headers, body } = await request(url, { accept });
  body.destroy();
  if (status !== 401) return undefined;
  const challenge = headers['www-authenticate'] ?? '';
  const parameters = new Map(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  );
  const realm = parameters.get('realm');
  if (!/^bearer /i.test(challenge) || realm === undefined) {
    throw new DownloadError(
      'the registry requires credentials: download the chart with `helm pull`, and add its archive',
    );
  }
  const tokenUrl = urlOf(realm);
  checkProtocol(tokenUrl);
  if (tokenUrl.protocol === 'http:' && url.protocol !== 'http:') {
    throw new DownloadError(`the registry issues tokens at ${publicUrl(realm)}, which is not encrypted`);
  }
  for (const key of ['service', 'scope']) {
    const value = parameters.get(key);
    if (value !== undefined) tokenUrl.searchParams.set(key, value);
  }
  const answer = StructFields.of(readYaml(new TextDecoder().decode(await get(tokenUrl, { most: 2 ** 20 }))));
  const token = answer.text('token') || answer.text('access_token');
  if (/[^\x21-\x7e]/.test(token))
    throw new DownloadError('the registry issued a token that contains other characters than ASCII');
  return token;
}

function checkProtocol(url: URL): void {
  if (!isHttp(url)) throw new DownloadError(`${publicUrl(url.href)} is not a URL of HTTP or OCI`);
}

function isOci({ protocol }: URL): boolean {
  return protocol === 'oci:';
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

interface RequestOptions {
  readonly accept?: string;
  readonly token?: string | undefined;
  /** The URL of a repository with credentials, which are sent only to its server. */
  readonly credentialsOf?: URL;
}

interface Answer {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: IncomingMessage;
}

/** Registries redirect downloads of blobs to a storage service. */
const MAX_REDIRECTS = 5;

async function request(url: URL, options: RequestOptions, redirects = 0): Promise<Answer> {
  const body = await send(url, headersFor(url, options));
  const { statusCode: status = 0, headers } = body;
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) {
    return { url, status, headers, body };
  }
  body.destroy();
  const target = urlOf(headers.location, url);
  checkProtocol(target);
  if (url.protocol === 'https:' && target.protocol === 'http:') {
    throw new DownloadError(`${publicUrl(url.href)} redirects to ${publicUrl(target.href)}, which is not encrypted`);
  }
  if (redirects === MAX_REDIRECTS) throw new DownloadError(`${publicUrl(url.href)} redirects too often`);
  // The token is not sent to another server.
  const next = target.origin === url.origin ? options : { ...options, token: undefined };
  return await request(target, next, redirects + 1);
}

function headersFor(url: URL, { accept, token, credentialsOf }: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'cdk8s-linkerd' };
  if (accept !== undefined) headers.accept = accept;
  if (token !== undefined && token !== '') headers.authorization = `Bearer ${token}`;
  if (credentialsOf !== undefined && credentialsOf.username !== '' && credentialsOf.origin === url.origin) {
    headers.authorization = `Basic ${Buffer.from(loginOf(credentialsOf)).toString('base64')}`;
  }
  return headers;
}

/** @throws Misuse if it is not percent-encoded */
function loginOf({ username, password }: URL): string {
  try {
    return [username, password].map(decodeURIComponent).join(':');
  } catch {
    throw new Misuse('the login in --repo is not percent-encoded: write each % in it as %25');
  }
}

function send(url: URL, headers: Record<string, string>): Promise<IncomingMessage> {
  const { protocol, hostname, port, pathname, search } = url;
  const get = protocol === 'https:' ? https.get : http.get;
  // The target has no credentials, because Node.js would send them to every server.
  const target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, path: `${pathname}${search}`, headers };
  return new Promise((answered, failed) => {
    const fail = (error: unknown) => {
      const { name, code = name } = error as NodeJS.ErrnoException;
      failed(new DownloadError(`${publicUrl(url.href)} does not answer (${code})`, { cause: error }));
    };
    try {
      get({ ...target, signal: AbortSignal.timeout(BOUNDS.milliseconds) }, answered).on('error', fail);
    } catch (error) {
      fail(error);
    }
  });
}

async function get(url: URL, { most, ...options }: RequestOptions & { readonly most: number }): Promise<Uint8Array> {
  const { status, body, url: last } = await request(url, options);
  if (status !== 200) {
    body.destroy();
    throw new DownloadError(`${publicUrl(last.href)} answers with ${status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > most) throw new DownloadError(`${publicUrl(last.href)} is larger than ${most} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    throw new DownloadError(`${publicUrl(last.href)} ends too early`, { cause: error });
  }
  return new Uint8Array(Buffer.concat(chunks));
}
