import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'page', 'build');

/** The scripts of the pages of a report and of a status, and their style, as `lib/review` imports them. */
const PAGE = join(FOLDER, 'page.json');

/** The list of the source files of page.json. */
const STATE = join(FOLDER, 'page.state.json');

/**
 * Maximum bytes of script and style together, because each report contains them. A third is code of the operator.
 */
const MAX_BYTES = 116_000;

/** Bundles the pages' scripts and style into `page/build`, without a cache, because bundling takes little time. */
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

/** Keeps an equal file. Otherwise renames a complete new file, so that no process reads a partial one. */
function replace(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, text);
  renameSync(partial, file);
}
