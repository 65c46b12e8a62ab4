import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'page', 'build');

/** The scripts of the pages of a report and of a status, and their style, as `lib/review` imports them. */
const PAGE = join(FOLDER, 'page.json');

/** The files that they were made from. */
const STATE = join(FOLDER, 'page.state.json');

/**
 * Most that script and style may take together: each report carries them. A third is what the operator decides by.
 */
const MAX_BYTES = 116_000;

/** Bundles the pages' scripts and style into `page/build`, without a cache, since it takes little time. */
export async function buildPage(): Promise<void> {
  const [script, style] = [await bundled('page/src/main.ts'), await bundled('page/src/style.css')];
  const status = await bundled('page/src/status.ts');
  const bytes = script.text.length + style.text.length;
  if (bytes > MAX_BYTES)
    throw new Error(`The script and style of the report have ${bytes} bytes, more than ${MAX_BYTES}`);
  mkdirSync(FOLDER, { recursive: true });
  replace(PAGE, `${JSON.stringify({ script: script.text, status: status.text, style: style.text })}\n`);
  replace(
    STATE,
    `${JSON.stringify({ inputs: [...new Set([script, status, style].flatMap(({ inputs }) => inputs))].sort() })}\n`,
  );
}

async function bundled(entry: string): Promise<{ readonly text: string; readonly inputs: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return { text: (outputFiles[0]?.text ?? '').trim(), inputs: Object.keys(metafile.inputs) };
}

/** Leaves an equal file alone; else renames a new one when it is whole, so that no process reads half of it. */
function replace(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, text);
  renameSync(partial, file);
}
