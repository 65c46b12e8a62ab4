import { checkNeededMaps as missingMaps } from '../../../../operator/api/injection/missing-maps';
import type { Problem } from '../../../kubernetes/findings/problem';
import type { Values } from '../../../kubernetes/values';

const TEMPLATES = 'The templates look into it, whatever else is set: the chart fails, and nothing is rendered';

/** Reports which maps, of those that a chart's templates look into come what may, were removed or replaced. */
export function checkMissingMaps(values: Values, maps: readonly string[], why = TEMPLATES): readonly Problem[] {
  return missingMaps(values, maps, why);
}
