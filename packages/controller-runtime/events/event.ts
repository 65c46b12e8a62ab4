import { createHash } from 'node:crypto';
import type { KubeObject } from '../objects/kube-object';
import { kubeTime } from '../objects/kube-time';

/** A note about an object for readers of `kubectl describe`. */
export interface EventNote {
  /** The object, with apiVersion, kind, name, namespace and uid. */
  readonly regarding: KubeObject;
  readonly type: 'Normal' | 'Warning';
  /** The reason in one UpperCamelCase word: `DriftReverted`. */
  readonly reason: string;
  /** The text, cut at 1,024 characters. */
  readonly note: string;
}

/** A core/v1 Event. Every kubectl shows its count, unlike the series of events.k8s.io/v1. */
export interface Event extends KubeObject {
  readonly involvedObject: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly namespace?: string;
    readonly name: string;
    readonly uid?: string;
  };
  readonly type: EventNote['type'];
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly source: { readonly component: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

/** The reporter of Events: the program's name and a name of this process. */
export interface Reporter {
  readonly component: string;
  readonly instance: string;
}

/** The API's own limit of an Event's note. */
const MAX_NOTE_LENGTH = 1024;
/**
 * Maximum length of the object's name: with the hash after it, an Event's name stays within the API's 253 characters.
 */
const MAX_NAME_LENGTH = 230;

/**
 * Returns the namespace and the name of a note's Event. The same note about the same object has one name, also in
 * another process: after a crash its count continues.
 */
export function eventKey({ regarding, type, reason, note }: EventNote): {
  readonly namespace: string;
  readonly name: string;
} {
  const { uid = '', name, namespace } = regarding.metadata;
  const identity = JSON.stringify([regarding.kind, namespace, name, uid, type, reason, note]);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  // The API server requires this namespace for Events of cluster-scoped objects.
  return {
    namespace: namespace ?? 'default',
    name: `${name.slice(0, MAX_NAME_LENGTH).replace(/[^a-z0-9]+$/, '')}.${hash}`,
  };
}

/** Returns the Event of a note that occurred this many times so far. */
export function eventOf(
  note: EventNote,
  reporter: Reporter,
  { count, now }: { readonly count: number; readonly now: Date },
): Event {
  const { apiVersion, kind, metadata } = note.regarding;
  const { namespace, name, uid } = metadata;
  const time = kubeTime(now);
  return {
    metadata: eventKey(note),
    involvedObject: { apiVersion, kind, namespace, name, uid },
    type: note.type,
    reason: note.reason,
    message: note.note.slice(0, MAX_NOTE_LENGTH),
    count,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: reporter.component },
    reportingComponent: reporter.component,
    reportingInstance: reporter.instance,
  };
}
