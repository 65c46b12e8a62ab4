import type { IncomingMessage } from 'node:http';
import type { KubeObject } from '../objects/kube-object';
import { apiErrorOfStatus } from './api-status';
import type { WatchEvent } from './kube-client';

/** A watch with invalid data, or one that the server ended with an error: its position is lost. */
export class WatchLostError extends Error {
  override readonly name = 'WatchLostError';
}

/**
 * Delivers the events of a watch's answer until it ends.
 * @param onBytes called when data arrives, even a part of an event
 * @throws ApiError 410 if the watch cannot continue, WatchLostError if its content is invalid, else the connection's
 * error
 */
export function readWatchEvents<T extends KubeObject>(
  response: IncomingMessage,
  onEvent: (event: WatchEvent<T>) => void,
  onBytes: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines = createLineSplitter((line) => onEvent(parseWatchEvent(line)));
    response.on('data', (chunk: Buffer) => {
      onBytes();
      try {
        lines.push(chunk);
      } catch (error) {
        reject(error);
        response.destroy();
      }
    });
    response.once('end', () => {
      if (lines.isInLine()) reject(new Error('the connection ended in the middle of an event'));
      else resolve();
    });
    response.on('error', reject);
    response.once('close', () => reject(new Error('the connection was closed')));
  });
}

/** Parses one line of a watch. */
export function parseWatchEvent<T extends KubeObject>(line: string): WatchEvent<T> {
  const event = parse(line);
  switch (event.type) {
    case 'ERROR':
      throw watchError(event.object);
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
      if (isVersioned(event.object)) return { type: event.type, object: event.object as T };
  }
  throw new WatchLostError(`a line of ${line.length} characters is not an event`);
}

function parse(line: string): { readonly type?: unknown; readonly object?: unknown } {
  try {
    const event: unknown = JSON.parse(line);
    return typeof event === 'object' && event !== null ? event : {};
  } catch {
    // Without the line or the parser's message, which quotes it: it may be a part of a Secret.
    throw new WatchLostError(`a line of ${line.length} characters is not JSON`);
  }
}

function watchError(object: unknown): Error {
  const error = apiErrorOfStatus('watch', object);
  return error.status === 410
    ? error
    : new WatchLostError('the server ended the watch with an error', { cause: error });
}

function isVersioned(object: unknown): boolean {
  return typeof (object as KubeObject | null)?.metadata?.resourceVersion === 'string';
}

const LINE_FEED = 0x0a;

/**
 * Splits a stream of bytes into lines. Works on bytes, because a chunk may end within a character.
 * @param onLine called with each complete line, without its end; empty lines are left out
 */
export function createLineSplitter(onLine: (line: string) => void): {
  push(chunk: Buffer): void;
  /** Whether a line has started and not ended. */
  isInLine(): boolean;
} {
  let begun: Buffer[] = [];

  const complete = (end: Buffer): void => {
    const line = begun.length === 0 ? end : Buffer.concat([...begun, end]);
    begun = [];
    if (line.length > 0) onLine(line.toString('utf8'));
  };

  return {
    push: (chunk) => {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        complete(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start < chunk.length) begun.push(chunk.subarray(start));
    },
    isInLine: () => begun.length > 0,
  };
}
