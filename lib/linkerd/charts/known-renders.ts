import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { deepFreeze } from '../../kubernetes/plain-data';
import { RecentMap } from '../../kubernetes/remembered';

/** The largest number of renders that are remembered, in two halves: those of charts that clusters have alike. */
const MOST_RENDERS = 16;

type Render = readonly KubernetesObject[];

/** Renders by the texts of all that they follow from. A half that is full holds one more than it is large. */
const KNOWN = new RecentMap<Render>(() => 1, MOST_RENDERS / 2 - 1);

/** The objects of a render; of one that is known, the same objects, which nobody can change. */
export function knownRender(source: string, render: () => Render): Render {
  const known = KNOWN.get(source);
  // Most renders are those of one cluster only: the second to ask has them frozen.
  if (known !== undefined) return Object.isFrozen(known) ? known : deepFreeze(known);
  const objects = render();
  KNOWN.set(source, objects);
  return objects;
}
