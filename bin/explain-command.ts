import { createRequire } from 'node:module';
import { explainAll, explain as explainCode, nearestCode } from '#lib/cli/explain';
import { EXIT, Misuse, type Terminal } from './terminal';

/** Prints the entries of a code, or all codes. */
export function explain(given: string | undefined, { stdout }: Terminal): number {
  // Copied with the surrounding brackets.
  const code = given?.replace(/^\[(.*)\]$/, '$1');
  const text = code === undefined ? explainAll() : explainCode(code, homepage());
  if (text === undefined) {
    throw new Misuse(`no finding has the code "${code}"; did you mean "${nearestCode(code ?? '')}"?`);
  }
  stdout.write(text);
  return EXIT.done;
}

/** The address in package.json, which the workflow of a release writes; absent in a checkout. */
function homepage(): string | undefined {
  try {
    const manifest = createRequire(__filename)('cdk8s-linkerd/package.json') as { readonly homepage?: unknown };
    return typeof manifest.homepage === 'string' ? manifest.homepage : undefined;
  } catch {
    return undefined;
  }
}
