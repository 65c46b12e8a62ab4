import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { siteSources } from './sources';

const USAGE = `npx tsx tools/site/main.ts [--out DIR] [--base PATH] [--repository URL]

Builds the site of the documentation with VitePress, which \`npm ci --prefix tools/site\` installs.
  --out DIR         the output folder, which is emptied first (default: .cache/site)
  --base PATH       path of the site on its server, such as /cdk8s-linkerd/ (default: /)
  --repository URL  address of the repository, for links to its files
`;

const ROOT = join(__dirname, '..', '..');
const VITEPRESS = join(__dirname, 'node_modules', '.bin', 'vitepress');
const SOURCES = join(ROOT, '.cache', 'site-sources');

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(ROOT, '.cache', 'site') },
    base: { type: 'string', default: '/' },
    repository: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

function build(): number {
  const { pages, sidebar } = siteSources(ROOT);
  rmSync(SOURCES, { recursive: true, force: true });
  for (const { path, text } of pages) {
    mkdirSync(dirname(join(SOURCES, path)), { recursive: true });
    writeFileSync(join(SOURCES, path), text);
  }
  cpSync(join(ROOT, 'docs'), join(SOURCES, 'docs'), { recursive: true, filter: (path) => !/\.md$/.test(path) });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  const settings = {
    root: ROOT,
    sources: SOURCES,
    out: resolve(values.out),
    base: values.base,
    repository: values.repository?.replace(/\/$/, ''),
    pages: pages.map(({ path }) => path),
    sidebar,
    version,
  };
  const { status } = spawnSync(VITEPRESS, ['build', __dirname], {
    env: { ...process.env, SITE: JSON.stringify(settings) },
    stdio: 'inherit',
  });
  return status ?? 1;
}

if (values.help) process.stdout.write(USAGE);
else if (existsSync(VITEPRESS)) process.exitCode = build();
else {
  process.stderr.write('VitePress is not installed: run `npm ci --prefix tools/site`.\n');
  process.exitCode = 1;
}
