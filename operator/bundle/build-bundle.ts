import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { type BundledPackage, noticesComment, noticesOf, packagesOf } from './notices';
import { isReplaced, slimPackages } from './slim-packages';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'operator', 'build');

/** The program, for an image of its own (operator/Dockerfile) and for tests. */
export const PROGRAM = join(FOLDER, 'operator.cjs');

/** The program as `lib/` imports it. */
const PACKED = join(FOLDER, 'bundle.json');

/** The packages that it has code of, and their licences, for whatever carries it. */
export const NOTICES = join(FOLDER, 'THIRD-PARTY-NOTICES');

/** The record of what these were made from. */
const STATE = join(FOLDER, 'bundle.state.json');

interface BundleState {
  readonly inputs: readonly string[];
  /** The packages that PROGRAM has code of. */
  readonly packages: readonly { readonly name: string; readonly version: string }[];
  readonly fingerprint: string;
}

/** Bundles the operator into `operator/build`, unless what is there was made from the same files. */
export async function buildBundle(): Promise<'built' | 'up to date'> {
  if (isUpToDate()) return 'up to date';
  const { code, inputs, packages, notices } = await bundleProgram('linkerd-reconciler', 'operator/src/main.ts');
  // Packages are covered by the lock file.
  const sources = inputs.filter((input) => !input.includes('node_modules/'));
  const names = packages.map(({ name, version }) => ({ name, version }));
  const state: BundleState = { inputs: sources, packages: names, fingerprint: fingerprintOf(sources) };
  const packed = packBundle(code);
  mkdirSync(FOLDER, { recursive: true });
  replace(PROGRAM, code);
  replace(PACKED, `${JSON.stringify(packed)}\n`);
  replace(NOTICES, notices);
  replace(STATE, `${JSON.stringify(state)}\n`);
  return 'built';
}

/** The packages that the program, which was built, has code of. */
export function bundledPackages(): BundleState['packages'] {
  return readState().packages;
}

function readState(): BundleState {
  return JSON.parse(readFileSync(STATE, 'utf8')) as BundleState;
}

function isUpToDate(): boolean {
  if (![PROGRAM, PACKED, NOTICES, STATE].every((file) => existsSync(file))) return false;
  const { inputs, fingerprint } = readState();
  return inputs.every((input) => existsSync(join(ROOT, input))) && fingerprintOf(inputs) === fingerprint;
}

/** Returns a fingerprint of all that the bundle depends on: its sources, the packages, and how it is made. */
function fingerprintOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  const tools = readdirSync(__dirname).map((file) => `operator/bundle/${file}`);
  for (const file of ['package-lock.json', 'tsconfig.json', ...tools.sort(), ...sources]) {
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

/** Renames a file when it is whole, so that no process reads half of it while another one builds. */
function replace(file: string, contents: string | Uint8Array): void {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, contents);
  renameSync(partial, file);
}

/** The operator as the library carries it. */
interface PackedBundle {
  /** sha256 of the program itself, in hex. */
  readonly sha256: string;
  /** Size of the program, in bytes. */
  readonly bytes: number;
  /** The program, compressed by Zstandard, in base64. */
  readonly zstd: string;
}

/**
 * Most that the compressed program may take. A ConfigMap holds six times as much, but it is copied: into each commit
 * that changes the operator, and into each cluster.
 */
const MAX_BYTES = 160_000;

/** The best that there is: a file is compressed once and read for as long as a release lives. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 22 } };

/**
 * Compresses a program. The bytes follow from the program and the release of Zstandard, which comes with the Node.js
 * that package-lock.json pins, and not from the machine, as those of zlib and Brotli do.
 *
 * @throws Error if it is too large
 */
export function packBundle(code: Uint8Array): PackedBundle {
  const zstd = zstdCompressSync(code, LEVEL);
  if (zstd.length > MAX_BYTES) {
    throw new Error(
      `The bundled operator has ${zstd.length} bytes compressed, more than ${MAX_BYTES}. ` +
        'See with `esbuild --analyze` what takes the room, and leave it out.',
    );
  }
  return {
    sha256: createHash('sha256').update(code).digest('hex'),
    bytes: code.length,
    zstd: zstd.toString('base64'),
  };
}

/** A program in one file. */
interface BundledProgram {
  readonly code: Uint8Array;
  /** All files that went into it, by path from the root of the repository. */
  readonly inputs: readonly string[];
  /** The packages that it has code of. */
  readonly packages: readonly BundledPackage[];
  /** The same as text, with their licences: at its end, too, as copies of it are copies of these. */
  readonly notices: string;
}

/**
 * Bundles a program and everything that it imports into one CommonJS file for Node.js 22, whose text depends on the
 * files alone: not on where they lie, nor on when.
 *
 * @param name - name of the program
 * @param entry - path from the root of the repository
 */
export async function bundleProgram(name: string, entry: string): Promise<BundledProgram> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    // Names would cost a tenth more. A stack trace has places in this file, which the same commit makes again.
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // V8 keeps a string in which each character has one byte in half the memory.
    charset: 'ascii',
    // The same code as modules, of which esbuild leaves out what is not imported.
    alias: { yaml: join(ROOT, 'node_modules/yaml/browser/dist/index.js') },
    write: false,
    metafile: true,
    logLevel: 'silent',
    plugins: [slimPackages()],
  });
  const inputs = Object.keys(metafile.inputs).sort();
  const used = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const packages = packagesOf(
    ROOT,
    used.filter((path) => !isReplaced(path)),
  );
  const notices = noticesOf(name, packages);
  const code = Buffer.from((outputFiles[0]?.text ?? '') + noticesComment(notices));
  return { code, inputs, packages, notices };
}
