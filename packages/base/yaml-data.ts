import type { Value } from './values';
import { HELM_YAML } from './values-document';
import { readWrittenYaml } from './written-yaml';
import { parseDocuments } from './yaml-documents';

/**
 * Returns the contents of the documents in a text as JSON represents them; undefined if they cannot be parsed, or if a
 * collection contains itself.
 */
export function dataOfYaml(text: string): readonly Value[] | undefined {
  const written = readWrittenYaml(text);
  if (written !== undefined) return [written.content];
  try {
    const documents = parseDocuments(text, HELM_YAML);
    if (documents.some(({ errors }) => errors.length > 0)) return undefined;
    return documents.map((document) => JSON.parse(JSON.stringify(document.toJS()) ?? 'null'));
  } catch {
    return undefined;
  }
}
