import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withRelativeImports } from './package-paths';

const build = join(__dirname, '..', 'build');

for (const name of readdirSync(build, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(js|d\.ts)$/.test(name)) continue;
  const text = readFileSync(join(build, name), 'utf8');
  const relative = withRelativeImports(name, text);
  if (relative !== text) writeFileSync(join(build, name), relative);
}
