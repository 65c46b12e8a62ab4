import { byText, RecentMap, rememberedOfBoth } from '#base/remembered';
import { mergeValues, type Values } from '#base/values';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { deepFreeze } from '../kubernetes/plain-data';

/** Number of characters of cached values: includes those that clusters share. */
const MAX_KNOWN = 256 * 1024;

const byTheirText = byText((text) => deepFreeze(JSON.parse(text) as Values), MAX_KNOWN);

/**
 * Returns one frozen copy of all equal values, so that derived results are computed once for all clusters (see
 * `remembered`).
 */
export function knownValues(values: Values): Values {
  return byTheirText(JSON.stringify(values));
}

/** Merges values over a chart's defaults, once for cached values; the result is frozen, too. */
export const overDefaults = rememberedOfBoth((defaults: Values, values: Values) =>
  deepFreeze(mergeValues(defaults, values)),
);

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
