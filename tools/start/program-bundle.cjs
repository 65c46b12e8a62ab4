const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** Files that every bundle depends on besides its sources. The lock file covers packages. */
const COMMON = ['package-lock.json', 'tsconfig.json'];

/** Parts of the library that are bundled first, by the program in `folder`. The file `state` lists their sources. */
const CARRIED = [
  { folder: 'operator/bundle', state: 'operator/build/bundle.state.json' },
  { folder: 'page/bundle', state: 'page/build/page.state.json' },
];

/**
 * Returns the path of a program's bundle. Builds the bundle unless it is up to date.
 *
 * @param {string} program path from the root of the repository
 * @param {{ readonly root: string, readonly folder: string }} places
 * @returns {Promise<string>}
 */
async function bundleOf(program, { root, folder }) {
  const bundle = join(folder, `${program.replace(/\W/g, '-')}.cjs`);
  if (!isUpToDate(bundle, root)) {
    for (const { folder } of carriedIn(root)) bundleCarried(folder, root);
    await build(program, bundle, root);
  }
  return bundle;
}

/** The start of the first line of a bundle, which lists its inputs. */
const HEADER = '// Made from ';

/** @param {string} bundle @param {string} root */
function isUpToDate(bundle, root) {
  try {
    const text = readFileSync(bundle, 'utf8');
    if (!text.startsWith(HEADER)) return false;
    const { inputs, fingerprint } = JSON.parse(text.slice(HEADER.length, text.indexOf('\n')));
    return fingerprintOf(inputs, root) === fingerprint;
  } catch (error) {
    // The bundle or one of its sources may be missing or incomplete.
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** @param {readonly string[]} inputs @param {string} root */
function fingerprintOf(inputs, root) {
  const hash = createHash('sha256').update(process.version);
  const own = readdirSync(__dirname).map((file) => join(__dirname, file));
  for (const file of own.sort()) hash.update(readFileSync(file));
  for (const file of inputs) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** @param {string} root */
function carriedIn(root) {
  return CARRIED.filter(({ folder }) => existsSync(join(root, folder)));
}

/** @param {string} folder @param {string} root */
function bundleCarried(folder, root) {
  const { status } = spawnSync(process.execPath, ['--require', 'tsx/cjs', `${folder}/main.ts`], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** The modification time of a file may be behind the clock by this much. */
const CLOCK_MS = 20;

/** @param {string} program @param {string} bundle @param {string} root */
async function build(program, bundle, root) {
  const esbuild = require('esbuild');
  const start = Date.now();
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [program],
    outfile: bundle,
    bundle: true,
    // esbuild refuses to run from a bundle.
    external: ['esbuild'],
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'error',
    plugins: [oneMainModule(join(root, program))],
  });
  const sources = Object.keys(metafile.inputs).filter((input) => !input.includes('node_modules/'));
  const carried = carriedIn(root).flatMap(({ folder, state }) => [
    ...JSON.parse(readFileSync(join(root, state), 'utf8')).inputs,
    ...readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
  ]);
  const all = [...new Set([...COMMON, ...sources, ...carried])].sort();
  // If a source changes during the build, the bundle may be outdated, so the next run builds it again.
  const isSettled = all.every((file) => statSync(join(root, file)).mtimeMs < start - CLOCK_MS);
  const fingerprint = isSettled ? fingerprintOf(all, root) : '';
  const header = `${HEADER}${JSON.stringify({ inputs: all, fingerprint })}\n`;
  mkdirSync(join(bundle, '..'), { recursive: true });
  for (const { path, text } of outputFiles) {
    // Removes the shebang, which is valid only on the first line.
    replace(path, path === bundle ? header + text.replace(/^#!.*/, '') : text);
  }
}

/**
 * Makes `require.main === module` false in imported modules that can also run as programs: in a bundle, all modules
 * are one module.
 *
 * @param {string} main
 * @returns {import('esbuild').Plugin}
 */
function oneMainModule(main) {
  return {
    name: 'one-main-module',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path === main || /[\\/]node_modules[\\/]/.test(path)) return undefined;
        return { contents: readFileSync(path, 'utf8').replaceAll('require.main === module', 'false'), loader: 'ts' };
      });
    },
  };
}

/**
 * Writes a file under another name and renames it, so that no process runs a half-written file.
 *
 * @param {string} file @param {string} text
 */
function replace(file, text) {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, text);
  renameSync(partial, file);
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

module.exports = { bundleOf };
