import type { Duration } from 'cdk8s';
import type { LaggardPolicy, Weekday } from '../../../operator/api/trust-anchor';
import { each, FREE, keysOf } from '../../kubernetes/known-keys';

/** A time of the week in which the operator may begin a rotation and restart laggards, in UTC. */
export interface AnchorWindow {
  /**
   * Days on which it begins.
   *
   * @default - each
   */
  readonly days?: readonly Weekday[];
  /** Hours and minutes of its beginning: `'02:00'`. */
  readonly start: string;
  /** Its length, a week at most. */
  readonly duration: Duration;
}

/** The fate of pods that know only the old anchor, which keep it from being retired. */
export interface AnchorLaggards {
  /**
   * - `Report`: they are listed, and restarted when the time that is left is what the worst plan takes.
   * - `Restart`: they are restarted as soon as new pods know the new anchor.
   * - `Never`: they are listed, and an alert tells of them.
   *
   * @default 'Report'
   */
  readonly policy?: LaggardPolicy;

  /**
   * Most workloads that restart at a time, up to 1,000.
   *
   * @default 1
   */
  readonly maxUnavailableWorkloads?: number;

  /**
   * The time after which a restart gives its place to the next; a day at most.
   *
   * @default Duration.minutes(10)
   */
  readonly progressDeadline?: Duration;
}

/** The clusters that share an anchor: each has to be named for the others to wait for it. */
export type AnchorMembers =
  | {
      /** Name of this cluster among those that share its anchor. */
      readonly cluster: string;
      /** Names of the others: no anchor is retired before all of them have adopted the next. */
      readonly members: readonly string[];
    }
  | { readonly cluster?: string; readonly members?: never };

/** The way in which the operator rotates the anchor. Everything has a default. */
export type OperatorRotation = AnchorMembers & {
  /**
   * The fate of pods that know only the old anchor.
   *
   * @default { policy: 'Report' }
   */
  readonly laggards?: AnchorLaggards;

  /**
   * Rotations begin, and laggards are restarted, only in these, unless time is short.
   *
   * @default - at any time
   */
  readonly windows?: readonly AnchorWindow[];

  /**
   * Has the operator do nothing until it is false again.
   *
   * @default false
   */
  readonly paused?: boolean;

  /**
   * Takes the rotation that goes on back, and has none begin.
   *
   * @default false
   */
  readonly abort?: boolean;

  /**
   * Retires anchors although there are ExternalWorkloads, or Links to clusters that are not in `members`, of which the
   * operator does not see which anchors they know. Until then the old anchor stays.
   *
   * @default false
   */
  readonly acceptUnseenProxies?: boolean;

  /**
   * Another text than before starts a rotation: a date, for instance.
   *
   * @default - rotations begin `renewBefore` before the anchor's end
   */
  readonly rotateNow?: string;

  /**
   * The longest that a changed ConfigMap or Secret takes to reach the pods that mount it.
   *
   * @default Duration.minutes(3) - the kubelet looks once a minute, and its cache may be a minute old
   */
  readonly propagationDelay?: Duration;

  /**
   * Most meshed workloads that a rotation may have to restart, one after the other: what `renewBefore` has to leave time
   * for. Nothing but a check at synth depends on it.
   *
   * @default 200
   */
  readonly workloads?: number;

  /**
   * Certificates in PEM of the anchor that the mesh lives by now, where its key is not in the cluster, as after
   * `linkerd install`. They are in the trust bundle as long as they stand here: until the first rotation is done.
   *
   * @default - none
   */
  readonly previous?: string;
};

/** The keys of OperatorRotation. */
export const OPERATOR_ROTATION = keysOf<OperatorRotation>({
  cluster: true,
  members: true,
  laggards: keysOf<AnchorLaggards>({ policy: true, maxUnavailableWorkloads: true, progressDeadline: FREE }),
  windows: each(keysOf<AnchorWindow>({ days: true, start: true, duration: FREE })),
  paused: true,
  abort: true,
  acceptUnseenProxies: true,
  rotateNow: true,
  propagationDelay: FREE,
  workloads: true,
  previous: true,
});
