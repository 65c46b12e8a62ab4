import { byText, rememberedOfBoth } from '#base/remembered';
import { mergeValues, type Values } from '#base/values';
import { deepFreeze } from '#kubernetes/objects/plain-data';

/** Maximum number of characters of cached values: enough for the values that clusters share. */
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
