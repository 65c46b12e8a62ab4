import { type Document, LineCounter, type Node } from 'yaml';
import type { FilePlace } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { HELM_YAML } from '#base/values-document';
import { parseDocuments } from '#base/yaml-documents';
import { expandList } from '../../gitops/tree/list-objects';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';

/** An object of a file. It may be incomplete. */
export interface FoundObject {
  readonly object: KubernetesObject;
  readonly source: FilePlace;
}

/** Why a file, or a document of one, is not read. */
export type Unread = 'template' | 'substitution' | 'not-yaml' | 'kustomization' | 'chart' | 'too-large';

/** What is not read, and why. */
export interface Skipped {
  readonly source: FilePlace;
  readonly why: Unread;
  /** In the words of the parser. */
  readonly reason?: string;
}

/** The objects of a file, and what it has besides. */
export interface ReadFile {
  readonly objects: readonly FoundObject[];
  readonly skipped: readonly Skipped[];
  /** What is wrong with Lists. */
  readonly problems: readonly { readonly problem: Problem; readonly source: FilePlace }[];
}

const NOTHING: ReadFile = { objects: [], skipped: [], problems: [] };

/** Both stand in every manifest, whether it is YAML or JSON. */
const TYPED = [/\bapiVersion\b/, /\bkind\b/];

/** An action of a Helm or Go template. */
const TEMPLATE = /\{\{/;

/**
 * Reads the Kubernetes objects of a file: YAML or JSON, of one or several documents. Other files, such as values of a
 * chart, have none.
 */
export function readFile(file: string, text: string): ReadFile {
  if (!TYPED.every((word) => word.test(text))) return NOTHING;
  const lines = lineStarts(text);
  let documents: readonly Document.Parsed[];
  try {
    documents = parseDocuments(text, HELM_YAML);
  } catch (error) {
    return skip({ file }, text, error instanceof Error ? error.message : String(error));
  }
  const read = documents.map((document) => readDocument(document, { file, text, lines }));
  return {
    objects: read.flatMap(({ objects }) => objects),
    problems: read.flatMap(({ problems }) => problems),
    // A template has as many errors as lines.
    skipped: firstOf(read.flatMap(({ skipped }) => skipped)),
  };
}

function lineStarts(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

function firstOf(skipped: readonly Skipped[]): readonly Skipped[] {
  return skipped.filter(({ why }, index) => skipped.findIndex((one) => one.why === why) === index);
}

interface Place {
  readonly file: string;
  readonly text: string;
  readonly lines: LineCounter;
}

function readDocument(document: Document.Parsed, { file, text, lines }: Place): ReadFile {
  const at = (node: unknown): FilePlace => {
    const offset = (node as Node | undefined)?.range?.[0];
    return offset === undefined ? { file } : { file, line: lines.linePos(offset).line };
  };
  const [start = 0, , end = text.length] = document.range;
  const own = text.slice(start, end);
  if (!TYPED.every((word) => word.test(own))) return NOTHING;
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    return skip({ file, line }, own, error.message);
  }
  const object: unknown = document.toJS({ maxAliasCount: -1 });
  if (!isObject(object) || object.apiVersion === undefined || object.kind === undefined) return NOTHING;
  const source = at(document.contents);
  const filled = filledLater(hasTemplates(object) ? { metadata: object.metadata } : object);
  if (filled !== undefined) return { ...NOTHING, skipped: [{ source, why: filled }] };
  const whole = withoutNulls(object) as unknown as KubernetesObject;
  const items = expandList(whole, NO_DEFAULTS);
  if (items === undefined) return { ...NOTHING, objects: [{ object: whole, source }] };
  const placed = items.map((item) => ({ ...item, source: at(document.getIn(segmentsOf(item.place), true)) }));
  return {
    ...NOTHING,
    objects: placed.flatMap((item) => ('object' in item ? [item] : [])),
    problems: placed.flatMap((item) => ('problem' in item ? [item] : [])),
  };
}

const NO_DEFAULTS = { namespace: undefined, labels: {} };

/** `items[2].items[0]` as the keys and indexes of a path. */
function segmentsOf(place: string): readonly (string | number)[] {
  return place.split('.').flatMap((part) => {
    const [, key = '', index] = /^(\w+)(?:\[(\d+)\])?$/.exec(part) ?? [];
    return index === undefined ? [key] : [key, Number(index)];
  });
}

/** API groups of controllers with templates of their own: these are complete with them. */
const WITH_TEMPLATES: ReadonlySet<string> = new Set([
  'argoproj.io',
  'external-secrets.io',
  'kyverno.io',
  'monitoring.coreos.com',
]);

function hasTemplates({ apiVersion }: Readonly<Record<string, unknown>>): boolean {
  return WITH_TEMPLATES.has(String(apiVersion).replace(/\/.*$/s, ''));
}

function skip(source: FilePlace, text: string, reason: string): ReadFile {
  const isTemplate = TEMPLATE.test(text);
  return { ...NOTHING, skipped: [isTemplate ? { source, why: 'template' } : { source, why: 'not-yaml', reason }] };
}

/** Fields with texts of other programs, in which braces and dollars are theirs. */
const FOREIGN = new Set(['annotations', 'args', 'binaryData', 'command', 'data', 'env', 'stringData', 'values']);

/** `${NAME}` and `${NAME:=default}`, which a Kustomization of Flux replaces. */
const SUBSTITUTION = /\$\{[A-Za-z_]\w*(?::?[-=?+][^}]*)?\}/;

/** Returns what fills in parts of an object before it is applied; undefined if it is complete. */
function filledLater(value: unknown): 'template' | 'substitution' | undefined {
  if (typeof value === 'string') {
    if (SUBSTITUTION.test(value)) return 'substitution';
    return TEMPLATE.test(value) ? 'template' : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = FOREIGN.has(key) ? undefined : filledLater(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns a copy without the members that are null, which the API server drops when it decodes an object. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === null ? [] : [[key, withoutNulls(member)] as const])),
  );
}
