import type { GoFunctions } from '../go/values';
import { cryptoFunctions } from './crypto';
import { dataFunctions } from './data';
import { dateFunctions } from './dates';
import { dictFunctions } from './dicts';
import { encodingFunctions } from './encoding';
import { flowFunctions } from './flow';
import { listFunctions } from './lists';
import { notReproducible } from './not-reproducible';
import { numberFunctions } from './numbers';
import { pathFunctions } from './paths';
import { reflectionFunctions } from './reflection';
import { regexFunctions } from './regex';
import { semverFunctions } from './semver';
import { stringFunctions } from './strings';
import { urlFunctions } from './urls';

/** All functions of Helm beyond those of Go, except `include` and `tpl`, which render templates of the chart. */
export const helmFunctions: GoFunctions = new Map([
  ...stringFunctions,
  ...listFunctions,
  ...dictFunctions,
  ...numberFunctions,
  ...flowFunctions,
  ...reflectionFunctions,
  ...pathFunctions,
  ...urlFunctions,
  ...encodingFunctions,
  ...cryptoFunctions,
  ...regexFunctions,
  ...semverFunctions,
  ...dateFunctions,
  ...dataFunctions,
  ...notReproducible,
]);
