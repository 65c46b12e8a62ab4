import type { Document, LineCounter, Node } from 'yaml';
import type { FilePlace } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { segmentsOf } from '#base/value-path';
import { isMap, type Value, type Values } from '#base/values';
import { contentOf, HELM_YAML } from '#base/values-document';
import { lineStarts, parseDocuments } from '#base/yaml-documents';
import { nearestNode } from '#base/yaml-node';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { expandList } from '../../gitops/tree/list-objects';

/** An object of a file. It may be incomplete. */
export interface FoundObject {
  readonly object: KubernetesObject;
  readonly source: FilePlace;
  /**
   * Returns the line of a field, or of its nearest existing parent.
   *
   * @default - unknown, because the file was rendered
   */
  readonly lineOf?: (path: readonly string[]) => number;
}

/** A map in a file. */
export interface PlacedMap {
  readonly data: Values;
  readonly file: string;
  readonly line: number;
  /** The same map as an object, if it was read as an object. */
  readonly found?: FoundObject;
}

interface InDocument {
  readonly line: number;
  /** From the root of the document. */
  readonly path: readonly string[];
}

/** A document of a file. */
export interface FileDocument {
  /** The text of the document, with comments. */
  readonly text: string;
  /** The line on which the text begins. */
  readonly firstLine: number;
  /** The line of the content, or of the mistake in it; undefined if the whole file cannot be read. */
  readonly line?: number;
  /** Null for an empty or unreadable document. */
  readonly data: Value;
  /** The map in the document, or the maps in its List. */
  readonly maps: readonly (InDocument & { readonly data: Values })[];
  /** The items of a List that are not maps. */
  readonly others: readonly (InDocument & { readonly problem: Problem })[];
  /** Why the document cannot be read. The reason does not quote the text, which may be secret. */
  readonly unreadable?: string;
}

const NOTHING = { data: null, maps: [], others: [] } satisfies Partial<FileDocument>;

/** Returns the documents of a file in YAML or JSON. A file that the parser refuses is one document. */
export function documentsIn(marked: string): readonly FileDocument[] {
  // The parser refuses a list after a byte order mark.
  const text = marked.replace(/^\ufeff/, '');
  const parsed = attempt(() => parseDocuments(text, HELM_YAML));
  if ('reason' in parsed) return [{ ...NOTHING, text, firstLine: 1, unreadable: parsed.reason }];
  const lines = lineStarts(text);
  return parsed.result.map((document) => documentOf(document, text, lines));
}

function attempt<T>(read: () => T): { readonly result: T } | { readonly reason: string } {
  try {
    return { result: read() };
  } catch (error) {
    if (error instanceof SyntaxError) return { reason: error.message };
    throw error;
  }
}

/** Returns the maps of a file, and of its Lists. Unreadable documents are skipped. */
export function mapsIn(text: string): readonly Values[] {
  return documentsIn(text).flatMap(({ maps }) => maps.map(({ data }) => data));
}

function documentOf(document: Document.Parsed, text: string, lines: LineCounter): FileDocument {
  const [start, , end] = document.range;
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const lineOf = (node: Node | null) => lineAt(node?.range?.[0] ?? start);
  const read = { ...NOTHING, text: text.slice(start, end), firstLine: lineAt(start), line: lineOf(document.contents) };
  const [error] = document.errors;
  if (error !== undefined) {
    const unreadable = error.code.toLowerCase().replaceAll('_', ' ');
    return { ...read, unreadable, line: lineAt(error.pos[0]) };
  }
  const content = attempt(() => contentOf(document));
  if ('reason' in content) return { ...read, unreadable: content.reason };
  const data = content.result;
  if (!isMap(data)) return { ...read, data };
  const items = expandList(data as unknown as KubernetesObject, { namespace: undefined, labels: {} });
  if (items === undefined) return { ...read, data, maps: [{ data, line: read.line, path: [] }] };
  const placed = items.map((item) => {
    const path = segmentsOf(item.place);
    return { item, path, line: lineOf(nearestNode(document, path)) };
  });
  return {
    ...read,
    data,
    maps: placed.flatMap(({ item, ...place }) =>
      'object' in item ? [{ ...place, data: item.object as unknown as Values }] : [],
    ),
    others: placed.flatMap(({ item, ...place }) => ('problem' in item ? [{ ...place, problem: item.problem }] : [])),
  };
}

/** Parses a document again if it has findings, because syntax trees of all documents would need much memory. */
export function lineFinder(text: string, firstLine: number): (path: readonly string[]) => number {
  let parsed: readonly [Document.Parsed, LineCounter] | undefined;
  return (path) => {
    parsed ??= [parseDocuments(text, HELM_YAML)[0] as Document.Parsed, lineStarts(text)];
    const [document, lines] = parsed;
    return firstLine - 1 + lines.linePos(nearestNode(document, path).range?.[0] ?? 0).line;
  };
}

/** Returns the type of a map; empty strings if it has none. */
export function typeOf({ apiVersion, kind }: Values): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: String(apiVersion ?? ''), kind: String(kind ?? '') };
}
