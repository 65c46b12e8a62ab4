/** Only writes copies of a folder's files: `FROM TO COPIES`. */
const { mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const [from = '', to = '', copies] = process.argv.slice(2);
const entries = readdirSync(from, { recursive: true, withFileTypes: true });
const pathOf = (/** @type {import('node:fs').Dirent} */ { parentPath, name }) =>
  join(parentPath, name).slice(from.length);
const directories = entries.filter((entry) => entry.isDirectory()).map(pathOf);
const files = entries
  .filter((entry) => entry.isFile())
  .map((entry) => ({ path: pathOf(entry), contents: readFileSync(join(entry.parentPath, entry.name)) }));
for (let copy = 0; copy < Number(copies); copy += 1) {
  const folder = join(to, `cluster-${copy}`);
  mkdirSync(folder);
  for (const directory of directories) mkdirSync(folder + directory);
  for (const { path, contents } of files) writeFileSync(folder + path, contents);
}
