import { define } from '../go/define';
import { typeOf } from '../go/reflect';
import type { GoFunctions } from '../go/values';
import { deepEqual, kindOf } from './kinds';

/** Functions that return or compare types and kinds. */
export const reflectionFunctions: GoFunctions = new Map(
  Object.entries({
    typeOf: define(['any'], ([value]) => typeOf(value)),
    typeIs: define(['string', 'any'], ([type, value]) => typeOf(value) === type),
    typeIsLike: define(['string', 'any'], ([type, value]) => [type, `*${type}`].includes(typeOf(value))),
    kindOf: define(['any'], ([value]) => kindOf(value)),
    kindIs: define(['string', 'any'], ([kind, value]) => kindOf(value) === kind),
    deepEqual: define(['any', 'any'], ([a, b], budget) => deepEqual(a, b, budget)),
  }),
);
