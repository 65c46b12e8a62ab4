import { createRequire } from 'node:module';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { explainAll, explain as explainCode, nearestCode } from '#lib/cli/explain';
import { EXIT, Misuse, type Terminal } from './terminal';

/** Prints the entries of a code, or all codes, for a reader in a folder. */
export function explain(given: string | undefined, { stdout }: Terminal, folder: string): number {
  // Copied with the surrounding brackets.
  const code = given?.replace(/^\[(.*)\]$/, '$1');
  const text = code === undefined ? explainAll() : explainCode(code, pagesFor(folder));
  if (text === undefined) {
    throw new Misuse(`no finding has the code "${code}"; did you mean "${nearestCode(code ?? '')}"?`);
  }
  stdout.write(text);
  return EXIT.done;
}

/**
 * Returns where the pages can be read: the address in package.json, which the workflow of a release writes; without it,
 * the folder of the package, from that of the reader if it is below.
 */
export function pagesFor(folder: string): string {
  try {
    const own = createRequire(__filename);
    const { homepage } = own('cdk8s-linkerd/package.json') as { readonly homepage?: unknown };
    if (typeof homepage === 'string') return homepage;
    const root = dirname(own.resolve('cdk8s-linkerd/package.json'));
    const below = relative(folder, root);
    return isAbsolute(below) || below.split(sep)[0] === '..' ? root : below;
  } catch {
    return '';
  }
}
