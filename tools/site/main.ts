import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from './site';

const USAGE = `npm run site -- [--out DIR] [--repository URL]

Makes a static site of the documentation and the reference of all that the package exports.
  --out DIR         where to write it, which is emptied before (default: .cache/site)
  --repository URL  where the repository can be read: links to its files lead there
`;

const ROOT = join(__dirname, '..', '..');

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(ROOT, '.cache', 'site') },
    repository: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(USAGE);
} else {
  const files = buildSite(ROOT, values.repository?.replace(/\/$/, ''));
  const out = resolve(values.out);
  rmSync(out, { recursive: true, force: true });
  for (const [path, content] of files) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), content);
  }
  process.stdout.write(`${out}: ${files.size} files, begin with ${join(out, 'index.html')}\n`);
}
