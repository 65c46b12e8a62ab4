import type { AppliedObject, ChartAt, ReadFiles } from './found';
import { keysInText } from './keys-in-text';
import { kustomizationsIn } from './kustomizations';
import { changedBy } from './kustomized-object';
import { type ReadFile, readFile } from './read-file';
import { readStream } from './sources-in-stream';

/** What is to be read besides files. */
export interface OtherInput {
  /**
   * The output of programs, by name.
   *
   * @default []
   */
  readonly streams?: readonly { readonly name: string; readonly text: string }[] | undefined;

  /**
   * Charts, whose files are not among the others.
   *
   * @default []
   */
  readonly charts?: readonly ChartAt[] | undefined;
}

/** Reads the objects of files, as far as these are complete. */
export function readFiles(files: ReadonlyMap<string, string>, { streams = [], charts = [] }: OtherInput): ReadFiles {
  const { applications, generated, unread } = kustomizationsIn(files);
  const read: readonly Partial<ReadFiles>[] = [
    ...[...files].map(([file, text]): Partial<ReadFiles> => {
      const applied = applications.get(file);
      if (applied?.length === 0) return { problems: keysInText({ file }, text) };
      const whole = readFile(file, text);
      if (Object.values(whole).every(({ length }) => length === 0)) return { values: readValues(file, text) };
      if (applied === undefined) return whole;
      const objects = applied.flatMap(({ at, by, beside, patched, hides }) =>
        whole.objects.flatMap((found) => {
          const object = changedBy(found.object, by);
          // A patch may name it as it was.
          if (patched?.some((selects) => selects(found.object) || selects(object))) {
            hides.add(file);
            return [];
          }
          return [{ ...found, object, at, beside, ...(patched !== undefined && { isAlone: true }) }];
        }),
      );
      return { ...whole, objects };
    }),
    ...streams.map(({ name, text }) => inOnePlace(readStream(name, text), name)),
    ...charts.map((chart) => {
      const { readChartFolder } = require('./chart-folders') as typeof import('./chart-folders');
      return readChartFolder(chart);
    }),
  ];
  return {
    objects: read.flatMap(({ objects = [] }) => objects),
    skipped: [...unread, ...read.flatMap(({ skipped = [] }) => skipped)],
    problems: read.flatMap(({ problems = [] }) => problems),
    charts: read.flatMap((one) => one.charts ?? []),
    values: read.flatMap(({ values = [] }) => values),
    generated,
  };
}

function readValues(file: string, text: string): ReadFiles['values'] {
  const { valuesIn } = require('./values-files') as typeof import('./values-files');
  return valuesIn(file, text);
}

/** Its objects are applied together, whatever files they name. */
function inOnePlace(read: ReadFile, at: string): ReadFile & { readonly objects: readonly AppliedObject[] } {
  return { ...read, objects: read.objects.map((object) => ({ ...object, at })) };
}
