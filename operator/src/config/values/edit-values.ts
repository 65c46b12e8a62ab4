import { Document, isCollection, parseDocument } from 'yaml';
import { isSameValue } from '../../../../packages/base/same-value';
import { HELM_YAML, parseValues } from '../../../../packages/base/values-document';
import type { Value, Values } from '../../../../packages/base/values-merge';
import { diffValues } from './diff-values';
import { faithfully } from './faithful-yaml';

/** Values as a string, and parsed. */
export interface ValuesText {
  readonly text: string;
  readonly values: Values;
}

/** Scalars keep their notation, and text is never folded. */
const NOTATION = { ...HELM_YAML, customTags: faithfully(HELM_YAML.customTags) };
const PRINT = { lineWidth: 0, flowCollectionPadding: false };

/** A list that is not indented below its key: the style of Helm and of Kubernetes. */
const FLUSH_LIST = /^( *)[^\s#-][^\n]*:\n\1- /m;

/**
 * Returns the text for other values, in which unchanged parts stay as written. Returns the same text if nothing
 * changes.
 */
export function editValues(before: ValuesText, values: Values): string {
  if (isSameValue(before.values, values)) return before.text;
  const edited = editedText(before, values);
  return edited ?? new Document(values, NOTATION).toString({ ...PRINT, indentSeq: false });
}

/** Returns undefined if the text shares parts (anchors, merge keys) so that an edit in one place would be wrong. */
function editedText({ text, values: before }: ValuesText, values: Values): string | undefined {
  try {
    const document = parseDocument(text, NOTATION);
    for (const { path, value } of diffValues(before, values)) {
      if (value === undefined) document.deleteIn(path);
      else setIn(document, path, value);
    }
    const edited = document.toString({ ...PRINT, indentSeq: !FLUSH_LIST.test(text) });
    return isSameValue(parseValues(edited), values) ? edited : undefined;
  } catch {
    return undefined;
  }
}

/** An empty map is written `{}`, and additions would be written in the braces. */
function setIn(document: Document, path: readonly string[], value: Value): void {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1));
  if (isCollection(parent) && parent.items.length === 0) parent.flow = false;
  document.setIn(path, document.createNode(value));
}
