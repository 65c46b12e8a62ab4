import { CHARACTERS_PER_STEP, UNLIMITED } from '../go/budget';
import type { Budget, GoValue } from '../go/values';
import { readPlainYaml } from './read-plain';
import { YamlError } from './yaml-error';

/** Reads the first document as Helm does, via JSON: numbers become floats, keys become strings. @throws YamlError */
export function readYaml(given: string, budget: Budget = UNLIMITED): GoValue {
  budget.spend(1 + given.length / CHARACTERS_PER_STEP);
  checkCharacters(given);
  const text = withLineFeeds(given);
  const plain = readPlainYaml(text, budget);
  return plain === undefined ? readAny(text, budget) : plain;
}

/** In YAML 1.1, a carriage return and NEL are line breaks, too. */
function withLineFeeds(text: string): string {
  return /[\r\u0085]/.test(text) ? text.replace(/\r\n|[\r\u0085]/g, '\n') : text;
}

/** Steps to load the `yaml` package. */
const STEPS_TO_BEGIN = 200;

/** Loads the `yaml` package on demand: most charts are read and rendered without it. */
function readAny(text: string, budget: Budget): GoValue {
  budget.spend(STEPS_TO_BEGIN);
  const { readAnyYaml } = require('./read-any-yaml') as typeof import('./read-any-yaml');
  return readAnyYaml(text, budget);
}

/** The characters that libyaml's reader refuses. */
function checkCharacters(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: YAML refuses these characters.
  const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/.exec(text);
  if (control !== null) throw new YamlError('yaml: control characters are not allowed');
  if (!text.isWellFormed()) throw new YamlError('yaml: invalid leading UTF-8 octet');
}
