import type { Problem } from '#base/findings/problem';
import { isMap, type Value, type Values } from '#base/values';
import { HELM_YAML } from '#base/values-document';
import { parseDocuments } from '#base/yaml-documents';
import { CLI_FINDINGS } from '../../findings';
import { lineStarts } from '../../lint/read-file';

/** A map in a file. */
export interface PlacedMap {
  readonly data: Values;
  readonly file: string;
  readonly line: number;
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
      const line = lines.linePos(document.contents?.range[0] ?? document.range[0]).line;
      if (error !== undefined) return unreadable(file, text, error.code.toLowerCase().replaceAll('_', ' '));
      const data: unknown = JSON.parse(JSON.stringify(document.toJS() ?? null));
      return { maps: mapsIn(data).map((map) => ({ data: map, file, line })), notes: [] };
    });
    return { maps: read.flatMap(({ maps }) => maps), notes: read.flatMap(({ notes }) => notes).slice(0, 1) };
  } catch (error) {
    return unreadable(file, text, error instanceof SyntaxError ? error.message : 'an alias refers to nothing');
  }
}

function mapsIn(data: unknown): readonly Values[] {
  if (!isMap(data)) return [];
  const items = data.kind === 'List' && Array.isArray(data.items) ? (data.items as readonly Value[]) : undefined;
  return items === undefined ? [data] : items.filter(isMap);
}

function unreadable(file: string, text: string, reason: string): ReadMaps {
  if (text.includes('{{') || !/linkerd/i.test(text)) return NOTHING;
  return { maps: [], notes: [{ ...CLI_FINDINGS.fileUnreadableManifest({ reason }), place: file }] };
}
