import type { Document, DocumentOptions, ParseOptions, SchemaOptions, Tags } from 'yaml';
import { isMap, type Value, type Values } from './values';
import { parseDocuments } from './yaml-documents';

/** Types of YAML 1.1 that Helm's parser (goyaml.v2, to JSON) reads as text. */
const TEXT_TO_HELM = /^tag:yaml\.org,2002:(?:timestamp|binary|set|omap|pairs)$/;

/** Whole numbers with a prefix, as Go's ParseInt parses them with base 0: `0o17`, `0X1F`, `0b11`. */
const GO_INTEGER = /^[-+]?0(?:b[01_]+|o[0-7_]+|x[0-9a-f_]+)$/i;

const GO_INTEGERS: Tags[number] = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: GO_INTEGER,
  resolve: (text) => (text.startsWith('-') ? -1 : 1) * Number(text.replace(/^[-+]|_/g, '')),
};

/** A point without digits: the `yaml` package reads it as a number, Go's ParseFloat does not. */
const POINT: Tags[number] = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:str',
  test: /^[-+]?\._*$/,
  resolve: (text: string) => text,
};

/** Options for parsing YAML as Helm and Kubernetes do. The parser prints no warnings: they would quote the text. */
export const HELM_YAML: ParseOptions & DocumentOptions & SchemaOptions = {
  logLevel: 'error',
  version: '1.1',
  merge: true,
  customTags: (tags) => [
    GO_INTEGERS,
    POINT,
    ...tags.filter((tag) => typeof tag === 'string' || !(TEXT_TO_HELM.test(tag.tag) || isSexagesimal(tag))),
  ],
};

function isSexagesimal(tag: Exclude<Tags[number], string>): boolean {
  return 'format' in tag && tag.format === 'TIME';
}

/**
 * Parses a values file as Helm does: YAML 1.1 without its times and dates, or JSON. An empty file has no values.
 *
 * @throws SyntaxError if it is not a map of values, if a key is repeated, or if there is more than one document. It
 * names the place without quoting the text, because more people may read the message than the file.
 */
export function parseValues(text: string): Values {
  const documents = parseDocuments(text, HELM_YAML);
  const [document, second] = documents;
  const [error] = documents.flatMap(({ errors }) => errors);
  if (error !== undefined) throw new SyntaxError(`${error.code} in line ${lineAt(text, error.pos[0])}`);
  if (second !== undefined) throw new SyntaxError('there is more than one document');
  const values = document === undefined ? {} : (contentOf(document) ?? {});
  if (!isMap(values)) throw new SyntaxError(`it holds a ${Array.isArray(values) ? 'list' : typeof values}`);
  return values;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/**
 * Returns the content of a document that `parseDocuments` returned, as JSON represents it.
 *
 * @throws SyntaxError for an alias without an anchor, and for a number that JSON does not have
 */
export function contentOf(document: Document): Value {
  return JSON.parse(JSON.stringify(resolved(document) ?? null, rejectInfinite));
}

/** Needs no limit for aliases: `parseDocuments` has counted their values. */
function resolved(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: -1 });
  } catch {
    throw new SyntaxError('an alias or a merge key refers to no anchor above it');
  }
}

function rejectInfinite(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new SyntaxError(`${key} is ${value}`);
  return value;
}
