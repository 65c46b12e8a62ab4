import type { FilePlace } from '#base/findings/finding';
import type { FoundObject, ReadFile } from '../repository/read-file';
import { readFile } from '../repository/read-file';

/** Helm prints it above each document: `# Source: chart/templates/service.yaml`. */
const SOURCE = /^# Source: (\S.*?)\r?$/;

/**
 * Reads the output of a program, such as `helm template`. The place of an object is the file that the comment above it
 * names, or its line in the output.
 *
 * @param name - of the output in messages
 */
export function readStream(name: string, text: string): ReadFile {
  const { objects, skipped, problems } = readFile(name, text);
  const lines = text.includes('# Source: ') ? text.split('\n') : [];
  const placed = <T extends { readonly source: FilePlace }>(one: T): T => ({
    ...one,
    source: placeIn(lines, one.source),
  });
  return {
    objects: objects.map((object): FoundObject => placed(object)),
    skipped: skipped.map(placed),
    problems: problems.map(placed),
  };
}

/** The place in the output, unless the document names its source. */
function placeIn(lines: readonly string[], source: FilePlace): FilePlace {
  for (let line = (source.line ?? 0) - 1; line >= 0; line--) {
    const text = lines[line] ?? '';
    const [, file] = SOURCE.exec(text) ?? [];
    if (file !== undefined) return { file };
    if (text.startsWith('---')) break;
  }
  return source;
}
