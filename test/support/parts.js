const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { importing } = require('./imports.js');

/** The first line of a test that measures what a busy machine would decide: how fast the operator answers under attack. */
const ALONE = '// Runs alone: ';

/** Go tools: control planes, which tests mostly wait for, Helm, Kubernetes' parsers. Without a cache, they are built first. */
const usesGoTools = importing(join(__dirname, 'go-tools.ts'));

/**
 * The part of a whole run that a test belongs to: each is run by a Jest of its own.
 * @param {string} path
 */
function partOf(path) {
  if (readFileSync(path, 'utf8').startsWith(ALONE)) return 'alone';
  return usesGoTools(path) ? 'go' : 'other';
}

module.exports = { partOf, usesGoTools };
