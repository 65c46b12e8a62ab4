import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withUndefined } from './exact-optional/with-undefined';

const build = join(__dirname, '..', 'build');

for (const file of readdirSync(build, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue;
  const path = join(build, file);
  const text = readFileSync(path, 'utf8');
  const exact = withUndefined(text);
  if (exact !== text) writeFileSync(path, exact);
}
