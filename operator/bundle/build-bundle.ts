import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { type BundledPackage, noticesComment, noticesOf, packagesOf } from './notices';
import { isReplaced, slimPackages } from './slim-packages';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'operator', 'build');

/** The program, for the operator's image (operator/Dockerfile) and for tests. */
export const PROGRAM = join(FOLDER, 'operator.cjs');

/** The compressed program, which `lib/` imports. */
const PACKED = join(FOLDER, 'bundle.json');

/** The packages whose code the program contains, and their licences, to ship with it. */
export const NOTICES = join(FOLDER, 'THIRD-PARTY-NOTICES');

/** The inputs of these files, and a fingerprint of them. */
const STATE = join(FOLDER, 'bundle.state.json');

interface BundleState {
  readonly inputs: readonly string[];
  /** The packages whose code PROGRAM contains. */
  readonly packages: readonly { readonly name: string; readonly version: string }[];
  readonly fingerprint: string;
}

/** Bundles the operator into `operator/build`, unless the bundle there is up to date. */
export async function buildBundle(): Promise<'built' | 'up to date'> {
  if (isUpToDate()) return 'up to date';
  const { code, inputs, packages, notices } = await bundleProgram('linkerd-reconciler', 'operator/src/main.ts');
  // The fingerprint covers packages by package-lock.json.
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

/** The packages whose code the built program contains. */
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

/** Returns a fingerprint of all that the bundle depends on: its sources, the packages, and the scripts of the build. */
function fingerprintOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  const tools = readdirSync(__dirname).map((file) => `operator/bundle/${file}`);
  for (const file of ['package-lock.json', 'tsconfig.json', ...tools.sort(), ...sources]) {
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

/** Replaces a file by a rename, so that no process reads a half-written file during a build. */
function replace(file: string, contents: string | Uint8Array): void {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, contents);
  renameSync(partial, file);
}

/** The form in which the library contains the operator. */
interface PackedBundle {
  /** sha256 of the program itself, in hex. */
  readonly sha256: string;
  /** Size of the program, in bytes. */
  readonly bytes: number;
  /** The program, compressed by Zstandard, in base64. */
  readonly zstd: string;
}

/**
 * Maximum bytes of the compressed program. A ConfigMap holds six times as much, but each commit that changes the
 * operator and each cluster contain a copy.
 */
const MAX_BYTES = 160_000;

/** The highest level: a file is compressed once, and stored for the life of a release. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 22 } };

/**
 * Compresses a program. The bytes depend only on the program and on the release of Zstandard in the Node.js that
 * package-lock.json pins. Those of zlib and Brotli also depend on the machine.
 *
 * @throws Error if it is too large
 */
export function packBundle(code: Uint8Array): PackedBundle {
  const zstd = zstdCompressSync(code, LEVEL);
  if (zstd.length > MAX_BYTES) {
    throw new Error(
      `The bundled operator has ${zstd.length} bytes compressed, more than ${MAX_BYTES}. ` +
        'Find the largest parts with `esbuild --analyze`, and leave them out.',
    );
  }
  return {
    sha256: createHash('sha256').update(code).digest('hex'),
    bytes: code.length,
    zstd: zstd.toString('base64'),
  };
}

interface BundledProgram {
  readonly code: Uint8Array;
  /** All its source files, as paths from the root of the repository. */
  readonly inputs: readonly string[];
  /** The packages whose code it contains. */
  readonly packages: readonly BundledPackage[];
  /** The packages as text, with their licences; also at the end of the code, because each copy must include it. */
  readonly notices: string;
}

/**
 * Bundles a program and everything that it imports into one CommonJS file for Node.js 22. The result depends only on
 * the contents of the files.
 *
 * @param name - name of the program
 * @param entry - path from the root of the repository
 */
export async function bundleProgram(name: string, entry: string): Promise<BundledProgram> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    // Full names would add a tenth to the size. Stack traces can be resolved: a commit always builds the same file.
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // V8 stores a string of one-byte characters in half the memory.
    charset: 'ascii',
    // The same code as ES modules, from which esbuild drops unused exports.
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
