import type { KubeObject } from '#controller-runtime/objects/kube-object';

/** The Deployment of Linkerd's identity controller. */
export const IDENTITY_DEPLOYMENT = 'linkerd-identity';

/** The reason of the Event with which identity reports a new issuer. */
export const ISSUER_UPDATED = 'IssuerUpdated';

/** The fields of an Event that are read. */
export interface IssuerEvent extends KubeObject {
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly lastObservedTime?: string } | null;
}

/** Drops fields of an Event that are not read. */
export function slimEvent(event: IssuerEvent): IssuerEvent {
  const { apiVersion, kind, metadata, lastTimestamp, eventTime, series } = event;
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion },
    lastTimestamp,
    eventTime,
    ...(series && { series: { lastObservedTime: series.lastObservedTime } }),
  };
}

/**
 * Returns the last time of each Event. Repetitions of a replica's report are counted in one Event.
 */
export function issuerUpdates(events: readonly IssuerEvent[]): readonly number[] {
  return events.flatMap(({ lastTimestamp, eventTime, series }) => {
    const times = [lastTimestamp, eventTime, series?.lastObservedTime]
      .map((text) => Date.parse(text ?? ''))
      .filter(Number.isFinite);
    return times.length === 0 ? [] : [Math.max(...times)];
  });
}
