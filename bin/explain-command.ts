import { createRequire } from 'node:module';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { explainAll, explain as explainCode, nearestCode } from '#lib/cli/explain';
import { EXIT, Misuse, type Terminal } from './terminal';

/**
 * Prints the entries of a code, or all codes. Links to the documentation are relative to `folder` if the package is
 * below it and has no homepage.
 */
export function explain(given: string | undefined, { stdout }: Terminal, folder: string): number {
  // The code may be copied with its brackets.
  const code = given?.replace(/^\[(.*)\]$/, '$1');
  const text = code === undefined ? explainAll() : explainCode(code, pagesFor(folder));
  if (text === undefined) {
    throw new Misuse(`no finding has the code "${code}"; did you mean "${nearestCode(code ?? '')}"?`);
  }
  stdout.write(text);
  return EXIT.done;
}

/**
 * Returns the location of the documentation: the address in package.json, which the workflow of a release writes, or
 * else the folder of the package, relative to the reader's folder if it is below.
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
