import { RecentMap } from '#base/remembered';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { deepFreeze } from '../kubernetes/plain-data';

const MAX_RENDERS = 16;

type Render = readonly KubernetesObject[];

/** Renders by the text of all their inputs. A full half holds one more than its size. */
const KNOWN = new RecentMap<Render>(() => 1, MAX_RENDERS / 2 - 1);

/** Returns the objects of a render; for a cached one, the same frozen objects. */
export function knownRender(source: string, render: () => Render): Render {
  const known = KNOWN.get(source);
  // Most renders belong to one cluster only: the second request freezes them.
  if (known !== undefined) return Object.isFrozen(known) ? known : deepFreeze(known);
  const objects = render();
  KNOWN.set(source, objects);
  return objects;
}
