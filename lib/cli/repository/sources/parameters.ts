import { isMap, type Value, type Values } from '#base/values';
import { CLI_FINDINGS } from '../../findings';
import { assign, parseSetFlag } from '../../set-flag';
import { typedText } from '../../values-layers';
import { inside, type Place, placeText, type ReadValues, valuesAt } from './source';

/** Sets parameters `{ name, value, forceString }`. Their names have the syntax of `--set`. */
export function withParameters(values: Values, parameters: readonly Value[], place: Place): ReadValues {
  let result = values;
  const problems: ReadValues['problems'][number][] = [];
  parameters.forEach((parameter, index) => {
    const at = inside(place, index);
    const { name, value, forceString, type } = isMap(parameter) ? parameter : ({} as Values);
    const read = valuesAt({ value }, at);
    if (typeof name !== 'string' || name === '' || isMap(value) || Array.isArray(value)) {
      problems.push(CLI_FINDINGS.releaseRefusedNotValues({ place: placeText(at) }));
    } else if (read.problems.length > 0) problems.push(...read.problems);
    else {
      const isText = forceString === true || type === 'string';
      const given = value ?? '';
      // A comma in a value separates assignments, unless it is escaped.
      const flag = `${name}=${String(given).replaceAll(/(?<!\\)[,{]/g, '\\$&')}`;
      result = parseSetFlag(flag, isText ? (each) => each : typedText).reduce(assign, result);
    }
  });
  return { values: result, problems };
}
