import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { frontPageFiles } from './front-page';
import { generatedFiles } from './pages';

const ROOT = join(__dirname, '..', '..');

const ofDocs = [...generatedFiles(ROOT)].map(([path, text]) => [join('docs', path), text] as const);

for (const [path, text] of [...ofDocs, ...frontPageFiles(ROOT)]) {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
