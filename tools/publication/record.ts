import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { imageRecord, withRepository } from './publication';

const ROOT = join(__dirname, '..', '..');
const IMAGE = join(ROOT, 'lib', 'constructs', 'operator', 'published-image.json');
const MANIFEST = join(ROOT, 'package.json');

/**
 * `npx tsx tools/publication/record.ts --image …@sha256:… --program <sha256> --repository https://…`: writes the
 * image and the repository of a release into the tree, before the package is packed.
 */
function main(args: readonly string[]): void {
  const text = { type: 'string', default: '' } as const;
  const { values } = parseArgs({ args: [...args], options: { image: text, program: text, repository: text } });
  const record = imageRecord(values.image, values.program);
  const manifest = withRepository(JSON.parse(readFileSync(MANIFEST, 'utf8')), values.repository);
  writeFileSync(IMAGE, `${JSON.stringify(record)}\n`);
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
