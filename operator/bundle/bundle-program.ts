import { join } from 'node:path';
import { build } from 'esbuild';
import { slimPackages } from './slim-packages';

const ROOT = join(__dirname, '..', '..');

/** A program in one file. */
export interface BundledProgram {
  readonly code: Uint8Array;
  /** All files that went into it, by path from the root of the repository. */
  readonly inputs: readonly string[];
}

/**
 * Bundles a program and everything that it imports into one CommonJS file for Node.js 22, whose text depends on the
 * files alone: not on where they lie, nor on when.
 *
 * @param entry - path from the root of the repository
 */
export async function bundleProgram(entry: string): Promise<BundledProgram> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    // Names would cost a tenth more. A stack trace has places in this file, which the same commit makes again.
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // V8 keeps a text in which each character has one byte in half the memory.
    charset: 'ascii',
    write: false,
    metafile: true,
    logLevel: 'silent',
    plugins: [slimPackages()],
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return { code, inputs: Object.keys(metafile.inputs).sort() };
}
