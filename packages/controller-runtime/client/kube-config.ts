import { existsSync, readFileSync } from 'node:fs';
import { Agent, type RequestOptions } from 'node:https';
import { delimiter, dirname, join } from 'node:path';
import { findHomeDir, KubeConfig, type User } from '@kubernetes/client-node';
import { parse, YAMLParseError } from 'yaml';
import type { Connection, Credentials } from './connection';

/** Maximum number of concurrent requests. The API server's priority and fairness may limit them further. */
const MAX_REQUESTS = 32;

const KEEP_ALIVE_MS = 30_000;

/**
 * Finds the API server and the credentials for it: in the given kubeconfig file, else in those of `KUBECONFIG`, else in
 * `~/.kube/config`, else those of the pod in which this process runs.
 * @throws if a file cannot be read, or names no API server, one without TLS, or no credentials
 */
export function loadConnection(options: { readonly kubeconfig?: string }): Connection {
  const config = new KubeConfig();
  load(config, options.kubeconfig);

  const cluster = config.getCurrentCluster();
  // client-node falls back to http://localhost:8080 if it finds nothing.
  if (cluster === null || !cluster.server.startsWith('https:')) {
    const found = cluster === null ? 'no current context' : `'${cluster.server}'`;
    throw new Error(`No API server with TLS is configured (${found}): set --kubeconfig or KUBECONFIG, or run in a pod`);
  }
  if (cluster.proxyUrl) throw new Error(`proxy-url (of cluster '${cluster.name}' in the kubeconfig) is not supported`);
  const user = config.getCurrentUser();
  if (!hasCredentials(user)) {
    const found = user === null ? 'no user' : `user '${user.name}'`;
    throw new Error(
      `No credentials are configured (${found} in the kubeconfig): set a token, a client certificate or exec; tokenFile is not supported`,
    );
  }

  const agentOptions = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS };
  return {
    server: new URL(cluster.server),
    credentials: () => credentialsOf(config),
    requestAgent: new Agent({ ...agentOptions, maxSockets: MAX_REQUESTS }),
    watchAgent: new Agent({ ...agentOptions, maxSockets: Number.POSITIVE_INFINITY }),
  };
}

/**
 * Whether a user has credentials. client-node drops unknown ones, such as `tokenFile`: the client would be anonymous.
 */
function hasCredentials(user: User | null): boolean {
  return Boolean(user?.token || user?.certData || user?.certFile || user?.exec || user?.authProvider);
}

function load(config: KubeConfig, file: string | undefined): void {
  try {
    const given = file ? [file] : (process.env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
    const files = given.length > 0 ? given : homeFiles();
    // Without a file, uses the service account of the pod.
    if (files.length === 0) config.loadFromDefault();
    for (const path of files) {
      // Like kubectl, and unlike loadFromDefault: the first file with a context decides.
      config.mergeConfig(readFile(path), Boolean(config.currentContext));
    }
  } catch (error) {
    const source = file ?? 'of KUBECONFIG or ~/.kube/config';
    throw new Error(`The kubeconfig ${source} cannot be read`, { cause: error });
  }
}

function homeFiles(): readonly string[] {
  const home = findHomeDir();
  const file = home === null ? undefined : join(home, '.kube', 'config');
  return file !== undefined && existsSync(file) ? [file] : [];
}

/** Reads a file with the YAML parser that the operator has anyway: client-node would bring a second one. */
function readFile(path: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(JSON.stringify(contentOf(readFileSync(path, 'utf8'))));
  config.makePathsAbsolute(dirname(path));
  return config;
}

/**
 * Parses YAML, without warnings.
 * @throws without the message of the parser, which quotes a line that may contain the token
 */
function contentOf(text: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw new Error('it is not YAML');
    throw new Error(`it is not YAML: ${error.code} in line ${error.linePos?.[0].line ?? 'unknown'}`);
  }
}

async function credentialsOf(config: KubeConfig): Promise<Credentials> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, passphrase, servername, rejectUnauthorized } = options;
  const headers = textHeaders(options.headers);
  const tokenFile: unknown = config.getCurrentUser()?.authProvider?.config?.tokenFile;
  // client-node rereads the token file once a minute by the system's clock: if the clock is set back by hours, it would
  // use an expired token.
  if (typeof tokenFile === 'string') headers.Authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
  return { headers, tls: { ca, cert, key, passphrase, servername, rejectUnauthorized } };
}

function textHeaders(headers: RequestOptions['headers'] = {}): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value).trim()]],
  );
  return Object.fromEntries(entries);
}
