import { join } from 'node:path';
import { build } from 'esbuild';
import { type BundledPackage, noticesComment, noticesOf, packagesOf } from './notices';
import { isReplaced, slimPackages } from './slim-packages';

const ROOT = join(__dirname, '..', '..');

/** A program in one file. */
export interface BundledProgram {
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
