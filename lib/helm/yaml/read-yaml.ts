import type { GoValue } from '../template/values';
import { readPlainYaml } from './read-plain';
import { YamlError } from './yaml-error';

/** Reads the first document as Helm does, through JSON: every number is a float, every key a text. Errors: `YamlError`. */
export function readYaml(text: string): GoValue {
  checkCharacters(text);
  const plain = readPlainYaml(text);
  return plain === undefined ? readAny(text) : plain;
}

/** Loads the package for YAML: most charts are read and rendered without it. */
function readAny(text: string): GoValue {
  const { readAnyYaml } = require('./read-any-yaml') as typeof import('./read-any-yaml');
  return readAnyYaml(text);
}

/** The characters that libyaml's reader refuses. */
function checkCharacters(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what YAML refuses.
  const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/.exec(text);
  if (control !== null) throw new YamlError('yaml: control characters are not allowed');
  if (!text.isWellFormed()) throw new YamlError('yaml: invalid leading UTF-8 octet');
}
