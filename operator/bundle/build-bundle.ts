import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleProgram } from './bundle-program';
import { packBundle } from './pack-bundle';

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
