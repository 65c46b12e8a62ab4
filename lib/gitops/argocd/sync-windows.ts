import type { Problem } from '#base/findings/problem';
import type { AppProject } from '#imports/crds/argoproj.io';
import { checkCron } from '#kubernetes/cron';
import { checkGoDuration, type DurationLike, goDuration, milliseconds } from '#kubernetes/options/duration-like';
import { BOOLEAN, DURATION, each, keysOf, LIST } from '#kubernetes/options/known-keys';
import { refusedValue } from './findings';

/** A time during which Argo CD may sync the Applications of the project, or may not. */
export interface SyncWindow {
  /** `allow`: sync only in such windows. `deny`: do not sync in this window. */
  readonly kind: 'allow' | 'deny';
  /** When the window begins, as a cron expression: `0 22 * * *`. */
  readonly schedule: string;
  /** How long the window lasts. */
  readonly duration: DurationLike;
  /**
   * Names of Applications, with `*`.
   *
   * @default - all of the project, if neither namespaces nor clusters are set
   */
  readonly applications?: readonly string[];
  /**
   * Namespaces of the destination, with `*`.
   *
   * @default - none
   */
  readonly namespaces?: readonly string[];
  /**
   * Names or addresses of clusters, with `*`.
   *
   * @default - none
   */
  readonly clusters?: readonly string[];
  /**
   * Allow manual syncs outside of an `allow` window, or within a `deny` window.
   *
   * @default false
   */
  readonly manualSync?: boolean;
  /**
   * Time zone of the schedule, such as `Europe/Berlin`.
   *
   * @default 'UTC'
   */
  readonly timeZone?: string;
}

/** The keys of SyncWindow. */
export const SYNC_WINDOWS = each(
  keysOf<SyncWindow>({
    kind: true,
    schedule: true,
    duration: DURATION,
    applications: LIST,
    namespaces: LIST,
    clusters: LIST,
    manualSync: BOOLEAN,
    timeZone: true,
  }),
);

/** Reports windows that Argo CD refuses, or that last less than a minute. */
export function checkSyncWindows(windows: readonly SyncWindow[] | undefined): readonly Problem[] {
  return (windows ?? []).flatMap(({ kind, schedule, duration, timeZone }, index) => {
    const field = `argocd.syncWindows[${index}]`;
    const isShort = checkGoDuration('', duration).length === 0 && milliseconds(duration) < 60_000;
    return [
      ...(kind === 'allow' || kind === 'deny' ? [] : [refusedValue(`${field}.kind`, kind, "'allow' or 'deny'")]),
      ...(typeof schedule === 'string'
        ? // Argo CD's parser knows no descriptors (argo-cd, pkg/apis/application/v1alpha1/types.go).
          checkCron(`${field}.schedule`, schedule, { descriptors: false })
        : [refusedValue(`${field}.schedule`, schedule, "a cron expression, such as '0 22 * * *'")]),
      ...checkGoDuration(`${field}.duration`, duration),
      ...(isShort ? [refusedValue(`${field}.duration`, goDuration(duration), 'a minute or more')] : []),
      ...(timeZone === undefined || isTimeZone(timeZone)
        ? []
        : [refusedValue(`${field}.timeZone`, timeZone, "'Europe/Berlin'")]),
    ];
  });
}

function isTimeZone(text: unknown): boolean {
  return typeof text === 'string' && /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(text);
}

type Windows = NonNullable<AppProject['spec']['syncWindows']>;

/** Returns the windows of an AppProject. */
export function syncWindows(windows: readonly SyncWindow[]): Windows {
  return windows.map(({ duration, applications, namespaces, clusters, ...others }) => {
    const isOfAll = [applications, namespaces, clusters].every((list) => list === undefined);
    return {
      ...others,
      duration: checkGoDuration('', duration).length > 0 ? '' : goDuration(duration),
      ...(isOfAll ? { applications: ['*'] } : {}),
      ...(applications !== undefined && { applications: [...applications] }),
      ...(namespaces !== undefined && { namespaces: [...namespaces] }),
      ...(clusters !== undefined && { clusters: [...clusters] }),
    };
  });
}
