const { existsSync, readFileSync } = require('node:fs');
const { dirname, isAbsolute, join } = require('node:path');

const SPECIFIER = /\b(?:from|import|require)\s*\(?\s*'([^']+)'/g;

/**
 * Makes a question of a module, by its name or its path: does a file, or one of this repository that it imports, import
 * it?
 * @param {string} wanted
 * @returns {(file: string) => boolean}
 */
function importing(wanted) {
  /** @type {Map<string, boolean>} */
  const known = new Map();
  /** @type {(file: string) => boolean} */
  const asks = (file) => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;
    // Of files that import each other.
    known.set(file, false);
    const modules = [...readFileSync(file, 'utf8').matchAll(SPECIFIER)].map(([, name = '']) => pathOf(name, file));
    const isSo = modules.some((module) => module === wanted || (isAbsolute(module) && asks(module)));
    known.set(file, isSo);
    return isSo;
  };
  return asks;
}

/**
 * The path of a module of this repository, and the name of any other.
 * @param {string} name
 * @param {string} importer
 */
function pathOf(name, importer) {
  if (!name.startsWith('.')) return name;
  const path = join(dirname(importer), name);
  return [path, `${path}.ts`, join(path, 'index.ts')].find((file) => /\.[jt]s$/.test(file) && existsSync(file)) ?? '';
}

module.exports = { importing };
