import { join } from 'node:path';
import { build } from 'esbuild';
import { onlyKubeConfigOfClientNode } from './client-node-plugin';

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
    // Dead code goes; names and lines stay, so that a stack trace says something. Compressed, they cost a third.
    minifySyntax: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    charset: 'utf8',
    write: false,
    metafile: true,
    logLevel: 'silent',
    plugins: [onlyKubeConfigOfClientNode()],
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return { code, inputs: Object.keys(metafile.inputs).sort() };
}
