import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { deepFreeze } from '../kubernetes/plain-data';

/** The largest number of renders that are remembered: those of charts that clusters of a fleet have alike. */
const MOST_RENDERS = 16;

type Render = readonly KubernetesObject[];

/** Renders by the texts of all that they follow from, the least recent first. */
const KNOWN = new Map<string, Render>();

/** The objects of a render; of one that is known, the same objects, which nobody can change. */
export function knownRender(source: string, render: () => Render): Render {
  const known = KNOWN.get(source);
  // Most renders are those of one cluster only: the second to ask has them frozen.
  const objects = known === undefined ? render() : Object.isFrozen(known) ? known : deepFreeze(known);
  KNOWN.delete(source);
  const [leastRecent] = KNOWN.keys();
  if (leastRecent !== undefined && KNOWN.size >= MOST_RENDERS) KNOWN.delete(leastRecent);
  KNOWN.set(source, objects);
  return objects;
}
