import type { CollectionTag, ScalarTag, SchemaOptions, Tags } from 'yaml';
import { lineScalar, numberScalar, quotedScalar, textScalar } from '../../../../packages/base/yaml-scalar';

/** Characters that Go's YAML parser reads as line breaks or drops, and that others read literally. */
const UNUSUAL = /[^\t\n -~\u00a1-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\u{10000}-\u{10ffff}]/u;

/** Text that begins with white space, which parsers would read as the indentation of its block. */
const INDENTED = /^\n*[\t ]/;

/**
 * Returns tags that keep the notation of existing scalars (`0755`, `1.10`, more digits than JavaScript keeps, quotes),
 * and write new ones so that every parser reads them the same.
 */
export function faithfully(tags: SchemaOptions['customTags']): SchemaOptions['customTags'] {
  return (schema) => (typeof tags === 'function' ? tags(schema) : (tags ?? schema)).map(faithful);
}

function faithful(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || !isScalar(tag)) return tag;
  if (/:(?:int|float)$/.test(tag.tag)) return { ...tag, stringify: ({ source, value }) => source ?? number(value) };
  if (tag.tag.endsWith(':merge'))
    return { ...tag, stringify: ({ type }) => (type === 'PLAIN' ? '<<' : quotedScalar('<<')) };
  if (tag.tag.endsWith(':str')) return { ...tag, stringify: (...given) => text(tag, given) };
  return tag;
}

function isScalar(tag: CollectionTag | ScalarTag): tag is ScalarTag {
  return tag.collection === undefined;
}

function number(value: unknown): string {
  return numberScalar(Number(value));
}

function text(tag: ScalarTag, given: Parameters<NonNullable<ScalarTag['stringify']>>): string {
  const [{ value, source }, { inFlow, implicitKey, indent }] = given;
  const string = String(value);
  const wasThere = source !== undefined && !UNUSUAL.test(string) && !INDENTED.test(string);
  if (wasThere && tag.stringify !== undefined) return tag.stringify(...given);
  if (inFlow) return quotedScalar(string);
  return implicitKey ? lineScalar(string) : textScalar(string, indent === '' ? '  ' : indent);
}
