import type { Examination } from '../lib/review/doctor/examination';
import { EXAMINED, EXAMINED_LISTS, NEEDED_GROUPS } from '../lib/review/doctor/lists';
import type { Reading } from '../lib/review/status/observation';
import { mapAtOnce } from './at-once';
import { type Reader, type ReadOptions, readCluster, readLists, readResources } from './observe-cluster';

const AT_ONCE = 4;

/** Reads all that an examination consists of, page by page, keeping of each object only what rules need. */
export function examineCluster(options: ReadOptions): Promise<Examination> {
  return readCluster(options, examine);
}

/** Reads an API server, or returns that it does not answer. */
export async function examine(reader: Reader | string): Promise<Examination> {
  if (typeof reader === 'string') {
    const nothing = Object.fromEntries([...EXAMINED_LISTS, 'resources'].map((kind) => [kind, { is: 'absent' }]));
    return { ...(nothing as unknown as Examination), unreachable: reader };
  }
  const readings = await mapAtOnce(EXAMINED_LISTS, AT_ONCE, (name) => readLists<unknown>(name, EXAMINED[name], reader));
  const lists = Object.fromEntries(EXAMINED_LISTS.map((name, index) => [name, readings[index]]));
  return { ...(lists as unknown as Examination), resources: await neededResources(reader) };
}

async function neededResources(reader: Reader): Promise<Reading<string>> {
  const readings = await mapAtOnce(NEEDED_GROUPS, AT_ONCE, (group) => readResources(group, reader));
  const unread = readings.find(({ is }) => is === 'forbidden' || is === 'failed');
  return unread ?? { is: 'read', items: readings.flatMap((one) => (one.is === 'read' ? one.items : [])) };
}
