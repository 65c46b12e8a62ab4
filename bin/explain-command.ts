import { explainAll, explain as explainCode, nearestCode } from '#lib/cli/explain';
import { EXIT, Misuse, type Terminal } from './terminal';

/** Prints the entries of a code, or all codes. */
export function explain(given: string | undefined, { stdout }: Terminal): number {
  // Copied with the surrounding brackets.
  const code = given?.replace(/^\[(.*)\]$/, '$1');
  const text = code === undefined ? explainAll() : explainCode(code);
  if (text === undefined) {
    throw new Misuse(`no finding has the code "${code}"; did you mean "${nearestCode(code ?? '')}"?`);
  }
  stdout.write(text);
  return EXIT.done;
}
