import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './pages';

const ROOT = join(__dirname, '..', '..');

for (const [path, text] of generatedFiles(ROOT)) {
  const file = join(ROOT, 'docs', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
