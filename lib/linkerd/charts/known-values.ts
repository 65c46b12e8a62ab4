import { deepFreeze } from '../../kubernetes/plain-data';
import { byText, rememberedOfBoth } from '../../kubernetes/remembered';
import { mergeValues, type Values } from '../../kubernetes/values';

/** The number of characters of values that are known: those that clusters have alike are among them. */
const MOST_KNOWN = 256 * 1024;

const byTheirText = byText((text) => deepFreeze(JSON.parse(text) as Values), MOST_KNOWN);

/**
 * Returns the one copy of all equal values, which nobody can change: what follows from it is found once for all clusters
 * (see `remembered`).
 */
export function knownValues(values: Values): Values {
  return byTheirText(JSON.stringify(values));
}

/** Values over a chart's defaults, of known values once; nobody can change them either. */
export const overDefaults = rememberedOfBoth((defaults: Values, values: Values) =>
  deepFreeze(mergeValues(defaults, values)),
);
