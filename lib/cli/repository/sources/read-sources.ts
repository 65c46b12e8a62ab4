import type { Values } from '#base/values';
import { parseValues } from '#base/values-document';
import { CLI_FINDINGS } from '../../findings';
import { documentsIn } from '../documents';
import { isHelmfile, readHelmfile } from './helmfile';
import { readObject } from './objects';
import {
  chartKeys,
  joinSources,
  NOTHING_READ,
  type Place,
  placeText,
  type ReadSources,
  umbrellaSources,
  withoutGlobal,
} from './source';
import { isTerraform, readTerraform } from './terraform';

/** The line that `helm get values` prints above the values without `-o yaml`, with and without `--all`. */
const HEADING = /^\ufeff?(?:USER-SUPPLIED|COMPUTED) VALUES:\r?\n/;

/**
 * Returns the values in a values file, in the output of `helm get values`, or in a file of a tool that installs charts.
 *
 * @param objects - ConfigMaps and Secrets with values, in this file and in files of the same folder
 */
export function readSources(file: string, content: string, objects: readonly Values[] = []): ReadSources {
  if (isTerraform(file, content)) return readTerraform(file, content);
  let documents: readonly Values[];
  try {
    documents = valuesOfDocuments(content.replace(HEADING, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...NOTHING_READ, problems: [CLI_FINDINGS.fileUnreadableValues({ file, reason })] };
  }
  const several = documents.length > 1;
  if (several) documents = documents.filter((document) => Object.keys(document).length > 0);
  const read = documents.map((document, index) =>
    readDocument(document, { file: several ? `${file}, document ${index + 1}` : file, path: '', objects }),
  );
  return withoutPlain(file, read);
}

/** Parses each document alone, after as many empty lines as there are lines before it, to keep line numbers. */
function valuesOfDocuments(content: string): readonly Values[] {
  const documents = documentsIn(content);
  if (documents.length < 2) return [parseValues(content)];
  return documents.map(({ text, firstLine }) => parseValues('\n'.repeat(firstLine - 1) + text));
}

/** In a file with releases, other documents belong to the tool. In a values file, Helm reads only one document. */
function withoutPlain(file: string, read: readonly ReadSources[]): ReadSources {
  const { sources, ...rest } = joinSources(read);
  const named = sources.filter(({ chart }) => chart !== undefined);
  const plain = sources.filter(({ chart }) => chart === undefined);
  if (named.length === 0 && plain.length > 1) {
    const reason = 'there is more than one document';
    return { ...NOTHING_READ, problems: [CLI_FINDINGS.fileUnreadableValues({ file, reason })] };
  }
  if (named.length === 0) return { sources, ...rest };
  const notes = plain.map(({ place }) => CLI_FINDINGS.notMigratedSetting({ place }));
  return { ...rest, sources: named, notes: [...rest.notes, ...notes] };
}

function readDocument(document: Values, place: Place): ReadSources {
  if (typeof document.apiVersion === 'string' && typeof document.kind === 'string') return readObject(document, place);
  if (isHelmfile(document)) return readHelmfile(document, place);
  const charts = chartKeys(document);
  if (charts.length > 0) return umbrellaSources(document, charts, place);
  return { ...NOTHING_READ, sources: [{ chart: undefined, values: withoutGlobal(document), place: placeText(place) }] };
}
