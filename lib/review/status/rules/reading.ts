import { type StatusFinding, statusFinding } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { LISTS } from '../lists';
import type { Observation, ObservedKind } from '../observation';

/** Reports lists that could not be read, or not wholly. */
export function checkReading(seen: Observation): readonly StatusFinding[] {
  const kinds = Object.keys(LISTS) as ObservedKind[];
  const namesOf = (kind: ObservedKind) => LISTS[kind].resources.map(({ resource }) => resource).join(' and ');
  const forbidden = kinds.filter((kind) => seen[kind].is === 'forbidden').map(namesOf);
  return [
    ...(forbidden.length === 0
      ? []
      : [statusFinding(STATUS_FINDINGS.listUnreadForbidden({ resources: forbidden.join(', ') }))]),
    ...kinds.flatMap((kind) => {
      const reading = seen[kind];
      const resources = namesOf(kind);
      if (reading.is === 'failed') {
        return [statusFinding(STATUS_FINDINGS.listUnreadFailed({ resources, reason: reading.reason }))];
      }
      if (reading.is !== 'read' || reading.truncated !== true) return [];
      return [statusFinding(STATUS_FINDINGS.listUnreadTruncated({ resources, count: reading.items.length }))];
    }),
  ];
}
