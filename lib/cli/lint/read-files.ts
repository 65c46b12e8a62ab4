import type { Chart } from '#helm/chart/chart';
import type { Reference } from '../../kubernetes/references';
import type { FoundChart } from './charts-in-files';
import { kustomizationsIn } from './kustomizations';
import { changedBy } from './kustomized-object';
import { type FoundObject, type ReadFile, readFile } from './read-file';
import { readStream } from './sources-in-stream';
import type { NotRead } from './unread';

/** A folder with a Chart.yaml. */
export interface ChartAt {
  readonly folder: string;
  /** The chart, or why there is none. */
  readonly chart: Chart | string;
  /** The text of its values.yaml. */
  readonly values: string;
}

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

/** An object, and the place from which it is applied, if that is not its file. */
export interface AppliedObject extends FoundObject {
  readonly at?: string;
}

/** What files, folders and streams contain. */
export interface ReadFiles extends Pick<ReadFile, 'problems'> {
  readonly objects: readonly AppliedObject[];
  readonly skipped: readonly NotRead[];
  readonly charts: readonly FoundChart[];
  /** Objects that kustomizations generate. */
  readonly generated: readonly Reference[];
}

/** Reads the objects of files, as far as these are complete. */
export function readFiles(files: ReadonlyMap<string, string>, { streams = [], charts = [] }: OtherInput): ReadFiles {
  const { applications, generated, unread } = kustomizationsIn(files);
  const read: readonly Partial<ReadFiles>[] = [
    ...[...files].map(([file, text]): Partial<ReadFiles> => {
      const applied = applications.get(file);
      if (applied?.length === 0) return {};
      const whole = readFile(file, text);
      if (applied === undefined) return whole;
      const objects = applied.flatMap(({ at, by }) =>
        whole.objects.map((found) => ({ ...found, object: changedBy(found.object, by), at })),
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
    generated,
  };
}

/** Its objects are applied together, whatever files they name. */
function inOnePlace(read: ReadFile, at: string): ReadFile & { readonly objects: readonly AppliedObject[] } {
  return { ...read, objects: read.objects.map((object) => ({ ...object, at })) };
}
