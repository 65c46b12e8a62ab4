import { type StatusFinding, statusFinding } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { LISTS, type ListedResource } from '../lists';
import type { Observation, Reading } from '../observation';

/** Reports lists of an observation that could not be read, or not wholly. */
export function checkReading(seen: Observation): readonly StatusFinding[] {
  return checkLists(LISTS, (kind) => seen[kind]);
}

/** Reports lists that could not be read, or not wholly. */
export function checkLists<K extends string>(
  lists: Readonly<Record<K, { readonly resources: readonly ListedResource[] }>>,
  readingOf: (kind: K) => Reading<unknown>,
): readonly StatusFinding[] {
  const kinds = Object.keys(lists) as K[];
  const namesOf = (kind: K) => [...new Set(lists[kind].resources.map(({ resource }) => resource))].join(' and ');
  const forbidden = kinds.filter((kind) => readingOf(kind).is === 'forbidden').map(namesOf);
  return [
    ...(forbidden.length === 0
      ? []
      : [statusFinding(STATUS_FINDINGS.listUnreadForbidden({ resources: forbidden.join(', ') }))]),
    ...kinds.flatMap((kind) => {
      const reading = readingOf(kind);
      const resources = namesOf(kind);
      if (reading.is === 'failed') {
        return [statusFinding(STATUS_FINDINGS.listUnreadFailed({ resources, reason: reading.reason }))];
      }
      if (reading.is !== 'read' || reading.truncated !== true) return [];
      return [statusFinding(STATUS_FINDINGS.listUnreadTruncated({ resources, count: reading.items.length }))];
    }),
  ];
}
