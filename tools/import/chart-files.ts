import { sameDefinitions, withBaseDefinitions } from './base-definitions';
import { chartDefaults, chartSchema } from './chart-values';
import type { Definitions } from './json-schema';
import { serializeData } from './serialize';
import type { Source } from './source';
import { storedValues } from './value-changes';
import { knowledgeOf, lineOf } from './values-knowledge';

type ChartSource = Extract<Source, { readonly type: 'chart' }>;

/** The imported parts of a chart at one release. */
export interface ImportedChart {
  /** Name and release, as in the path of its files. */
  readonly key: string;
  /** The module with its schema and types: its own, or that of a release with equal ones. */
  readonly module: string;
  /** Absent if those of another release are equal. */
  readonly definitions?: Definitions;
  /** The content of files of values, by path. */
  readonly data: readonly (readonly [path: string, content: string])[];
}

/** The name of the definition of all values in a chart's schema. */
export const VALUES = 'Values';

const FILES = [
  ['values.yaml', 'defaults'],
  ['values-ha.yaml', 'ha'],
] as const;

/**
 * Imports charts. The first release of a chart's line is complete. Other releases of the line use its schema if it is
 * equal, and otherwise refer to its equal definitions.
 */
export function importCharts(sources: readonly Source[], kubernetes: Definitions): readonly ImportedChart[] {
  const files = sources.filter((source) => source.type === 'chart');
  const releases = [...Map.groupBy(files, ({ chart, release }) => `${chart}/${release}`).values()].flatMap(readRelease);
  return [...Map.groupBy(releases, ({ chart, release }) => `${chart}/${lineOf(release)}`).values()].flatMap((line) => {
    const [newest] = line;
    if (newest === undefined) return [];
    const base = { module: moduleFor(newest), definitions: schemaOf(newest, kubernetes) };
    return line.map((one): ImportedChart => {
      const key = `${one.chart}/${one.release}`;
      const data = dataOf(one, newest);
      if (one === newest) return { key, ...base, data };
      const definitions = schemaOf(one, kubernetes);
      if (sameDefinitions(definitions, base.definitions)) return { key, module: base.module, data };
      return { key, module: moduleFor(one), definitions: withBaseDefinitions(definitions, base, VALUES), data };
    });
  });
}

interface ChartRelease {
  readonly chart: string;
  readonly release: string;
  readonly texts: Readonly<Record<string, string | undefined>>;
}

function readRelease(files: readonly ChartSource[]): readonly ChartRelease[] {
  const texts = Object.fromEntries(files.map(({ file, text }) => [file, text]));
  return files.slice(0, 1).map(({ chart, release }) => ({ chart, release, texts }));
}

function moduleFor({ chart, release }: ChartRelease): string {
  return `charts/${chart}/${release}`;
}

function schemaOf({ chart, release, texts }: ChartRelease, kubernetes: Definitions): Definitions {
  const knowledge = knowledgeOf(chart, release);
  const values = texts['values.yaml'];
  if (knowledge === undefined || values === undefined) {
    throw new Error(`${chart}/${release}: an entry in tools/import/values-knowledge.ts and a values.yaml are needed`);
  }
  return chartSchema({ appVersion: release, values, schema: texts['values.schema.json'] }, knowledge, kubernetes);
}

function dataOf(one: ChartRelease, newest: ChartRelease): ImportedChart['data'] {
  return FILES.flatMap(([file, suffix]) => {
    const [own, base] = [one.texts[file], newest.texts[file]];
    if (own === undefined) return [];
    const values = chartDefaults(own, one.release);
    const content =
      one === newest || base === undefined
        ? serializeData(values)
        : storedValues(values, { release: newest.release, values: chartDefaults(base, newest.release) });
    return [[`${moduleFor(one)}.${suffix}.json`, content] as const];
  });
}
