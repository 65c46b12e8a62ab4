import type { Document, LineCounter } from 'yaml';
import type { Problem } from '#base/findings/problem';
import { isMap, type Value, type Values } from '#base/values';
import { HELM_YAML } from '#base/values-document';
import { parseDocuments } from '#base/yaml-documents';
import { CLI_FINDINGS } from '../findings';
import { type FoundObject, lineStarts } from './read-file';

/** A map in a file. */
export interface PlacedMap {
  readonly data: Values;
  readonly file: string;
  readonly line: number;
  /** The object that it is, if it was read as one. */
  readonly found?: FoundObject;
}

/** The maps of a file, and why others cannot be read. */
export interface ReadMaps {
  readonly maps: readonly PlacedMap[];
  readonly notes: readonly Problem[];
}

const NOTHING: ReadMaps = { maps: [], notes: [] };

/** Words of what a mesh consists of, and of what has it from other files. */
const OF_A_MESH =
  /linkerd|cert-manager|trust-manager|kustomiz|argoproj\.io|HelmRelease|HelmChart|ConfigMap|Secret|resources:|bases:|components:|releases:/i;

/** Reads the documents of a file that can be part of a mesh, with those of Lists. Templates of charts are none. */
export function readMaps(file: string, text: string): ReadMaps {
  if (!OF_A_MESH.test(text)) return NOTHING;
  try {
    const lines = lineStarts(text);
    const read = parseDocuments(text, HELM_YAML).map((document): ReadMaps => {
      const [error] = document.errors;
      if (error !== undefined) return unreadable(file, text, error.code.toLowerCase().replaceAll('_', ' '));
      return { maps: mapsIn(document).map((data) => ({ data, file, line: lineOf(document, lines) })), notes: [] };
    });
    return { maps: read.flatMap(({ maps }) => maps), notes: read.flatMap(({ notes }) => notes).slice(0, 1) };
  } catch (error) {
    return unreadable(file, text, error instanceof SyntaxError ? error.message : 'an alias refers to nothing');
  }
}

function lineOf({ contents, range }: Document.Parsed, lines: LineCounter): number {
  return lines.linePos(contents?.range[0] ?? range[0]).line;
}

function mapsIn(document: Document.Parsed): readonly Values[] {
  const data: unknown = JSON.parse(JSON.stringify(document.toJS() ?? null));
  if (!isMap(data)) return [];
  const items = data.kind === 'List' && Array.isArray(data.items) ? (data.items as readonly Value[]) : undefined;
  return items === undefined ? [data] : items.filter(isMap);
}

function unreadable(file: string, text: string, reason: string): ReadMaps {
  if (text.includes('{{') || !/linkerd/i.test(text)) return NOTHING;
  return { maps: [], notes: [{ ...CLI_FINDINGS.fileUnreadableManifest({ reason }), place: file }] };
}

/** Returns the type of a map; empty texts for one that has none. */
export function typeOf({ apiVersion, kind }: Values): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: String(apiVersion ?? ''), kind: String(kind ?? '') };
}
