import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// Users import only the modules in `exports`. Nearly half of a build's files are declarations that these do not need.
const root = join(__dirname, '..');
const build = join(root, 'build');

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types?: string } | string>>;
};
const entries = Object.values(exports).flatMap((entry) =>
  typeof entry === 'object' && entry.types !== undefined ? [join(root, entry.types)] : [],
);

const OPTIONS = ['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--listFilesOnly'];
const listed = execFileSync(join(root, 'node_modules/.bin/tsc'), [...OPTIONS, ...entries], {
  cwd: root,
  encoding: 'utf8',
});
const reached = new Set(listed.split('\n').map((path) => join(path)));
for (const entry of entries) if (!reached.has(entry)) throw new Error(`The compiler does not list ${entry}.`);

for (const file of readdirSync(build, { recursive: true, encoding: 'utf8' })) {
  const path = join(build, file);
  if (file.endsWith('.d.ts') && !reached.has(path)) rmSync(path);
}
