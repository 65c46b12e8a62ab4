import type { KubeObject } from '../objects/kube-object';
import { type Resource, withOwnKind } from '../objects/resource';
import type { WatchOptions } from './kube-client';
import type { Transport } from './rest-transport';
import { acceptHeader, selectionPath } from './selection-request';
import { readWatchEvents } from './watch-stream';

/** Maximum milliseconds until the API server accepts a watch, which it does before any event. */
const OPEN_TIMEOUT_MS = 30_000;

/** See `KubeClient.watch`. */
export async function watchOnce<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  options: WatchOptions<T>,
): Promise<void> {
  const { resourceVersion, timeoutSeconds, inactivityTimeoutMs, onEvent, signal, ...selection } = options;
  signal.throwIfAborted();
  const query = { watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds };
  const path = selectionPath(resource, selection, query);

  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const giveUp = (ms: number) => () =>
    controller.abort(new Error(`watch ${resource.plural}: nothing came for ${ms} ms`));
  let timer = setTimeout(giveUp(OPEN_TIMEOUT_MS), OPEN_TIMEOUT_MS);
  try {
    const response = await transport.stream({
      path,
      accept: acceptHeader(selection, 'objects'),
      signal: controller.signal,
    });
    clearTimeout(timer);
    timer = setTimeout(giveUp(inactivityTimeoutMs), inactivityTimeoutMs);
    await readWatchEvents<T>(
      response,
      ({ type, object }) => onEvent({ type, object: withOwnKind(resource, object) }),
      () => timer.refresh(),
    );
  } catch (error) {
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
