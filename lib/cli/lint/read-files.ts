import { posix } from 'node:path';
import type { FilePlace } from '#base/findings/finding';
import { grouped } from '#base/grouped';
import type { Values } from '#base/values';
import { type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import type { Reference } from '#kubernetes/objects/references';
import { type Build, buildsOf, INFLATION, KUSTOMIZATION, kustomizationMap } from '../repository/builds';
import { documentsIn, type FoundObject, type PlacedMap } from '../repository/documents';
import { keysInText } from '../repository/keys-in-text';
import type { Resource } from '../repository/patches';
import { movedTo, type ReadFile, readFile } from '../repository/read-file';
import { RepositoryFiles } from '../repository/repository-files';
import { withVariables } from '../repository/variables';
import { chartsOfInflation } from './charts-in-files';
import type { AppliedObject, ChartAt, ReadFiles } from './found';
import type { NotRead } from './unread';

/** The inputs of `lint` besides files. */
export interface OtherInput {
  /**
   * The output of programs, by name.
   *
   * @default []
   */
  readonly streams?: readonly { readonly name: string; readonly text: string }[] | undefined;

  /**
   * Charts. The given files do not include their files.
   *
   * @default []
   */
  readonly charts?: readonly ChartAt[] | undefined;
}

/** Reads the objects in files, with the changes of kustomizations. Incomplete objects are left out. */
export function readFiles(given: ReadonlyMap<string, string>, { streams = [], charts = [] }: OtherInput): ReadFiles {
  const files = withVariables(given);
  const whole = new Map([...files].map(([file, text]) => [file, readFile(file, text)]));
  const maps = [...whole].flatMap(([file, { objects }]) =>
    KUSTOMIZATION.test(file) ? [kustomizationMap(file, documentsIn(files.get(file) ?? ''))] : objects.map(mapOf),
  );
  const repository = new RepositoryFiles(files);
  const inflated = new Map<ChartAt, ReadFile['problems']>();
  const inflate = (chart: Values, own: PlacedMap) => {
    const { inflatedChart } = require('./chart-folders') as typeof import('./chart-folders');
    const read = inflatedChart(chart, own, { charts, repository });
    if (read === undefined) return undefined;
    inflated.set(read.at, read.problems);
    return read.objects.map(mapOf);
  };
  const { builds, referred } = buildsOf(maps, repository, { inflate });
  const read: readonly Partial<ReadFiles>[] = [
    { skipped: unreadOf(builds) },
    ...builds.map((build) => readBuild(build, repository)),
    ...[...whole].map(([file, own]): Partial<ReadFiles> => {
      const text = files.get(file) ?? '';
      if (referred.has(file)) return { problems: keysInText({ file }, text) };
      return isEmpty(own) ? { values: readValues(file, text) } : { ...own, objects: [] };
    }),
    ...[...inflated.values()].map((problems) => ({ problems })),
    ...streams.map(({ name, text }) => readStream(name, text)),
    ...charts.flatMap((chart) => {
      const { readChartFolder } = require('./chart-folders') as typeof import('./chart-folders');
      return inflated.has(chart) ? [] : [readChartFolder(chart)];
    }),
  ];
  const values = read.flatMap((one) => one.values ?? []);
  const beside = readBeside(values, () => {
    const others = [...whole].filter(([file, own]) => isEmpty(own) && !referred.has(file) && !KUSTOMIZATION.test(file));
    return new Map(others.map(([file]) => [file, files.get(file) ?? '']));
  });
  return {
    objects: read.flatMap(({ objects = [] }) => objects),
    skipped: [...read.flatMap(({ skipped = [] }) => skipped), ...beside.unread],
    problems: read.flatMap(({ problems = [] }) => problems),
    charts: read.flatMap((one) => one.charts ?? []),
    values: [...values, ...beside.values],
    generated: read.flatMap(({ generated = [] }) => generated),
    repository,
  };
}

function mapOf(found: FoundObject): PlacedMap {
  const { object, source } = found;
  return { data: object as unknown as Values, file: source.file, line: source.line ?? 1, found };
}

/** Returns the places that builds cannot read, each once, with the files that are not read because of it. */
function unreadOf(builds: readonly Build[]): readonly NotRead[] {
  const hidden = grouped(
    builds.flatMap(({ objects }) =>
      objects.flatMap(({ item, unsure }) => unsure.map((file): [string, string] => [file, item.file])),
    ),
  );
  const all = builds.flatMap(({ left }) =>
    left.map(({ file, why, reason }): NotRead => {
      return { source: { file }, why, ...(reason !== undefined && { reason }), hides: new Set(hidden.get(file)) };
    }),
  );
  return [...new Map(all.map((one) => [JSON.stringify([one.source, one.why, one.reason]), one])).values()];
}

/** Within a build, names are compared without their prefixes. Other files use the names with prefixes. */
function readBuild({ home, objects, left }: Build, repository: RepositoryFiles): Partial<ReadFiles> {
  const isKustomized = KUSTOMIZATION.test(home);
  const sure = objects.filter(({ unsure }) => unsure.length === 0);
  const beside = sure.filter(({ isGenerated }) => isGenerated === true).map(objectIn);
  const isAlone = left.some(({ why }) => why === 'kustomization' || why === 'patches');
  return {
    objects: sure.flatMap((one): readonly AppliedObject[] => {
      const { item, renamed } = one;
      if (item.found === undefined) return [];
      if (!isKustomized) return [item.found];
      const at = below(posix.dirname(home), item.file);
      const name = renamed === undefined ? {} : { renamed };
      return [{ ...item.found, object: objectIn(one), at, beside, ...name, ...(isAlone && { isAlone }) }];
    }),
    charts: sure.flatMap(({ item }) => (item.data.kind === INFLATION ? chartsOfInflation(item, repository) : [])),
    generated: sure.flatMap((one) => {
      const { kind, metadata } = objectIn(one);
      const names = [one.isGenerated === true ? metadata.name : undefined, one.renamed];
      return names.flatMap((name) =>
        name === undefined ? [] : [{ kind, namespace: namespaceOf(objectIn(one)), name } as Reference],
      );
    }),
  };
}

function objectIn({ item: { data } }: Resource): KubernetesObject {
  return data as unknown as KubernetesObject;
}

function below(folder: string, path: string): string {
  return folder === '.' || path.startsWith(`${folder}/`) ? path : `${folder}/${path.replace(/^(?:\.\.\/)+/, '')}`;
}

function isEmpty(read: ReadFile): boolean {
  return Object.values(read).every(({ length }) => length === 0);
}

/** Reads values files that can be recognized only by the values files in the same folder. */
function readBeside(
  recognized: ReadFiles['values'],
  others: () => ReadonlyMap<string, string>,
): { readonly values: ReadFiles['values']; readonly unread: readonly NotRead[] } {
  if (recognized.length === 0) return { values: [], unread: [] };
  const { valuesBeside } = require('./values-files') as typeof import('./values-files');
  const known = new Set(recognized.map(({ file }) => file));
  const { values, unrecognized } = valuesBeside(
    recognized,
    new Map([...others()].filter(([file]) => !known.has(file))),
  );
  return { values, unread: unrecognized.map((file) => ({ source: { file }, why: 'unrecognized' })) };
}

function readValues(file: string, text: string): ReadFiles['values'] {
  const { valuesIn } = require('./values-files') as typeof import('./values-files');
  return valuesIn(file, text);
}

/** The line that Helm prints above each document: `# Source: chart/templates/service.yaml`. */
const SOURCE = /^# Source: (\S.*?)\r?$/;

/**
 * Reads the output of a program, such as `helm template`. Its objects are applied together. The place of an object is
 * the file that the comment above it names, or its line in the output.
 */
function readStream(at: string, text: string): Partial<ReadFiles> {
  const lines = text.includes('# Source: ') ? text.split('\n') : [];
  const read = movedTo(readFile(at, text), (source) => placeIn(lines, source));
  return { ...read, objects: read.objects.map((object) => ({ ...object, at })) };
}

/** Returns the source that the document names, or else the place in the output. */
function placeIn(lines: readonly string[], source: FilePlace): FilePlace {
  for (let line = (source.line ?? 0) - 1; line >= 0; line--) {
    const text = lines[line] ?? '';
    const [, file] = SOURCE.exec(text) ?? [];
    if (file !== undefined) return { file };
    if (text.startsWith('---')) break;
  }
  return source;
}
