import {
  type CollectionTag,
  Document,
  isCollection,
  parseDocument,
  type ScalarTag,
  type SchemaOptions,
  type Tags,
} from 'yaml';
import { isSameValue } from '#base/same-value';
import { isMap, type Value, type Values } from '#base/values';
import { HELM_YAML, parseValues } from '#base/values-document';
import { lineScalar, numberScalar, quotedScalar, textScalar } from '#base/yaml-scalar';

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

/** Characters that Go's YAML parser reads as line breaks or drops, and that others read literally. */
const UNUSUAL = /[^\t\n -~\u00a1-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\u{10000}-\u{10ffff}]/u;

/** Text that begins with white space, which parsers would read as the indentation of its block. */
const INDENTED = /^\n*[\t ]/;

/**
 * Returns tags that keep the notation of existing scalars (`0755`, `1.10`, more digits than JavaScript keeps, quotes),
 * and write new ones so that every parser reads them the same.
 */
function faithfully(tags: SchemaOptions['customTags']): SchemaOptions['customTags'] {
  return (schema) => (typeof tags === 'function' ? tags(schema) : (tags ?? schema)).map(faithful);
}

function faithful(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || !isScalar(tag)) return tag;
  if (/:(?:int|float)$/.test(tag.tag))
    return { ...tag, stringify: ({ source, value }) => source ?? numberScalar(Number(value)) };
  if (tag.tag.endsWith(':merge'))
    return { ...tag, stringify: ({ type }) => (type === 'PLAIN' ? '<<' : quotedScalar('<<')) };
  if (tag.tag.endsWith(':str')) return { ...tag, stringify: (...given) => text(tag, given) };
  return tag;
}

function isScalar(tag: CollectionTag | ScalarTag): tag is ScalarTag {
  return tag.collection === undefined;
}

function text(tag: ScalarTag, given: Parameters<NonNullable<ScalarTag['stringify']>>): string {
  const [{ value, source }, { inFlow, implicitKey, indent }] = given;
  const string = String(value);
  const wasThere = source !== undefined && !UNUSUAL.test(string) && !INDENTED.test(string);
  if (wasThere && tag.stringify !== undefined) return tag.stringify(...given);
  if (inFlow) return quotedScalar(string);
  return implicitKey ? lineScalar(string) : textScalar(string, indent === '' ? '  ' : indent);
}

/** A place where two sets of values differ. */
export interface ValueDifference {
  readonly path: readonly string[];
  /** The value afterwards; undefined if removed. */
  readonly value: Value | undefined;
}

/** Compares values. Returns removals first, then additions and changes. */
export function diffValues(before: Values, after: Values, above: readonly string[] = []): readonly ValueDifference[] {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const changed = Object.entries(after).flatMap(([key, value]) => {
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    const path = [...above, key];
    if (isMap(was) && isMap(value)) return diffValues(was, value, path);
    return isSameValue(was, value) ? [] : [{ path, value }];
  });
  return [...gone.map((key) => ({ path: [...above, key], value: undefined })), ...changed];
}
