import {
  type ClusterListName,
  type Reading,
  resourcesIn,
  STATUS_LISTS,
  type StatusObservation,
} from '../../live/observation';
import { type StatusFinding, statusFinding } from '../finding';
import { STATUS_FINDINGS } from '../findings';

/** Reports lists of an observation that could not be read completely. */
export function checkReading(seen: StatusObservation): readonly StatusFinding[] {
  return checkLists(STATUS_LISTS.map((name) => readList(name, seen[name])));
}

interface ReadList {
  readonly resources: string;
  readonly reading: Reading<unknown>;
}

/** Returns a reading with the names of its resources, for a finding. */
export function readList(name: ClusterListName, reading: Reading<unknown>): ReadList {
  return { resources: resourcesIn(name).join(' and '), reading };
}

/** Reports lists that could not be read completely. */
export function checkLists(lists: readonly ReadList[]): readonly StatusFinding[] {
  const forbidden = lists.filter(({ reading }) => reading.is === 'forbidden').map(({ resources }) => resources);
  return [
    ...(forbidden.length === 0
      ? []
      : [statusFinding(STATUS_FINDINGS.listUnreadForbidden({ resources: [...new Set(forbidden)].join(', ') }))]),
    ...lists.flatMap(({ resources, reading }) => {
      if (reading.is === 'failed') {
        return [statusFinding(STATUS_FINDINGS.listUnreadFailed({ resources, reason: reading.reason }))];
      }
      if (reading.is !== 'read' || reading.truncated !== true) return [];
      return [statusFinding(STATUS_FINDINGS.listUnreadTruncated({ resources, count: reading.items.length }))];
    }),
  ];
}
