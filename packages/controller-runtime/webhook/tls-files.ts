import { X509Certificate } from 'node:crypto';
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Logger } from '../telemetry/logger';

/** A server's certificate, with its chain, and its private key, in PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
  /** The CA of the clients' certificates. Absent: no client certificates are requested. */
  readonly ca?: string;
}

/** Names of the files, as in a Secret of type kubernetes.io/tls. */
const CERT_FILE = 'tls.crt';
const KEY_FILE = 'tls.key';

/** A change touches several files, which are read when all of them are written. */
const SETTLE_MS = 50;

/** Milliseconds between reads without a change notification, which not every file system sends. */
const POLL_MS = 60_000;

/**
 * Reads the pair in a directory.
 * @param clientCaFile file of {@link TlsPair.ca}
 * @throws if a file is missing, is not PEM, or does not match the other one
 */
export async function readTlsPair(directory: string, clientCaFile?: string): Promise<TlsPair> {
  const [cert, key] = await Promise.all([CERT_FILE, KEY_FILE].map((file) => readFile(join(directory, file), 'utf8')));
  if (!cert || !key) throw new Error(`${CERT_FILE} or ${KEY_FILE} in ${directory} is empty`);
  const ca = clientCaFile === undefined ? undefined : await readFile(clientCaFile, 'utf8');
  if (ca === '') throw new Error(`${clientCaFile} is empty`);
  const pair = { cert, key, ...(ca !== undefined && { ca }) };
  createSecureContext(pair);
  return pair;
}

/** Options of {@link watchTlsFiles}. */
export interface TlsWatch {
  readonly directory: string;
  /** Read together with the pair, and each minute. @default - none */
  readonly clientCaFile?: string;
  /** The current pair. */
  readonly current: TlsPair;
  readonly log: Logger;
  /** Called with each new pair. */
  readonly onChange: (pair: TlsPair) => void;
  /** @default 60,000 */
  readonly pollMs?: number;
}

/**
 * Watches the pair in a directory, whose files may be written one after the other or replaced by a symbolic link, as by
 * the kubelet. While they do not match, the current pair stays.
 * @returns a function that ends it
 */
export function watchTlsFiles({
  directory,
  clientCaFile,
  current,
  log,
  onChange,
  pollMs = POLL_MS,
}: TlsWatch): () => void {
  let inUse = current;
  let isStopped = false;
  const reload = async (): Promise<void> => {
    try {
      const pair = await readTlsPair(directory, clientCaFile);
      if (isStopped || (pair.cert === inUse.cert && pair.key === inUse.key && pair.ca === inUse.ca)) return;
      inUse = pair;
      onChange(pair);
      log.info('certificate changed', { directory, notAfter: new X509Certificate(pair.cert).validTo });
    } catch (error) {
      log.warn('the new certificate is not usable, keeping the previous one', { directory, error });
    }
  };
  const reloads = oneAtATime(reload);
  const poll = setInterval(reloads.soon, pollMs).unref();
  const stopWatching = watchDirectory(directory, reloads.soon, log);
  // The files may have changed since `current` was read.
  reloads.soon();
  return () => {
    isStopped = true;
    clearInterval(poll);
    reloads.stop();
    stopWatching();
  };
}

/** Runs shortly after a request: once for all requests until then, and never concurrently. */
function oneAtATime(run: () => Promise<void>): { readonly soon: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  return {
    soon: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        last = last.then(run);
      }, SETTLE_MS).unref();
    },
    stop: () => clearTimeout(timer),
  };
}

function watchDirectory(directory: string, onEvent: () => void, log: Logger): () => void {
  const giveUp = (error: unknown): void => {
    log.warn('cannot watch the certificate, checking it every minute', { directory, error });
  };
  try {
    const watcher = watch(directory, { persistent: false }, onEvent).on('error', giveUp);
    return () => watcher.close();
  } catch (error) {
    giveUp(error);
    return () => undefined;
  }
}
