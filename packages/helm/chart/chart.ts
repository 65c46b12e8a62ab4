import { readVersion } from '../functions/version';
import { LimitError } from '../go/budget';
import { compareStrings, stringOf } from '../go/go-string';
import { type Budget, FunctionError, type GoValue } from '../go/values';
import { readYaml } from '../yaml/read-yaml';
import {
  ArchiveError,
  type ChartFiles,
  type UnpackAllowance,
  unpackAllowance,
  unpackArchive,
  withoutByteOrderMark,
} from './archive';
import { ChartError } from './chart-error';
import { helmFault } from './chart-faults';
import { documentOf, splitManifests } from './manifests';
import { type ChartMetadata, MetadataError, readMetadata } from './metadata';
import { type JsonObject, type JsonValue, objectsIn } from './objects';
import { FieldError } from './struct-fields';
import { TemplateParser } from './template-parser';
import { ValuesSchema } from './values-schema';

/** A file of a chart. */
export interface ChartFile {
  /** Path in the chart, such as `templates/service.yaml`. */
  readonly name: string;
  readonly data: Uint8Array;
}

/** A chart that was read. Rendering does not change it, so it can be rendered repeatedly. */
export interface Chart {
  readonly metadata: ChartMetadata;
  readonly templates: readonly ChartFile[];
  /** The default values. */
  readonly values: ReadonlyMap<string, GoValue>;
  /** The schema of the values, if there is one. */
  readonly schema?: ValuesSchema;
  /** All other files, including those in `crds/`. */
  readonly files: readonly ChartFile[];
  readonly crds: readonly CrdFile[];
  /** The charts in `charts/`. */
  readonly dependencies: readonly Chart[];
  /** Keeps the parsed templates of this chart, for its next render. */
  readonly parser: TemplateParser;
}

/**
 * Reads a packaged chart.
 *
 * @throws ChartError if the archive is damaged, unsafe or not a chart
 */
export function readArchive(archive: Uint8Array, name = 'in the archive'): Chart {
  const allowance = unpackAllowance();
  return withinLimits(name, () => loadFiles(unpack(archive, name, allowance), name, allowance));
}

/**
 * Reads a chart from its files, by their paths in the folder of the chart. Apply `.helmignore` before.
 *
 * @throws ChartError if the files are not a chart
 */
export function readChart(files: ChartFiles, name = 'in the folder'): Chart {
  const clean = [...files].map(([path, data]) => [path, withoutByteOrderMark(data)] as const);
  return withinLimits(name, () => loadFiles(new Map(clean), name, unpackAllowance()));
}

function withinLimits(chart: string, read: () => Chart): Chart {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    throw new ChartError({ chart, ...helmFault('limit', { quote: error.message }) }, { cause: error });
  }
}

/** Levels of the budget for each chart within another one: charts may nest 20 levels deep, and public ones have 4. */
const LEVELS_PER_CHART = 40;

function unpack(archive: Uint8Array, chart: string, allowance: UnpackAllowance): ChartFiles {
  try {
    return unpackArchive(archive, allowance);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new ChartError({ chart, ...helmFault('archive', { quote: error.message }) }, { cause: error });
  }
}

interface SortedFiles {
  readonly templates: ChartFile[];
  readonly files: ChartFile[];
  readonly dependencies: Map<string, Map<string, Uint8Array>>;
}

const KNOWN = new Set(['Chart.yaml', 'Chart.lock', 'values.yaml', 'values.schema.json']);

/** Files in which charts of Helm 2 declare their dependencies, instead of in Chart.yaml. */
const OLD_DEPENDENCIES = new Set(['requirements.yaml', 'requirements.lock']);

function loadFiles(all: ChartFiles, name: string, allowance: UnpackAllowance): Chart {
  const { budget } = allowance;
  budget.enter(LEVELS_PER_CHART);
  const metadata = metadataIn(all, name, budget);
  const sorted: SortedFiles = { templates: [], files: [], dependencies: new Map() };
  for (const [path, data] of all) {
    if (KNOWN.has(path)) continue;
    if (OLD_DEPENDENCIES.has(path) && metadata.apiVersion !== 'v1') continue;
    sortFile(sorted, { name: path, data });
  }
  const { templates, files } = sorted;
  const schema = all.get('values.schema.json');
  const values = valuesIn(all.get('values.yaml'), metadata.name, budget);
  const dependencies = dependenciesOf(sorted.dependencies, metadata.name, allowance);
  budget.leave(LEVELS_PER_CHART);
  return {
    metadata,
    templates,
    values,
    ...(schema && { schema: new ValuesSchema(schema) }),
    files,
    crds: files
      .filter(({ name: path }) => CrdFile.is(path))
      .map(({ name: path, data }) => new CrdFile(path, data, budget)),
    dependencies,
    parser: new TemplateParser(),
  };
}

function sortFile({ templates, files, dependencies }: SortedFiles, file: ChartFile): void {
  if (file.name.startsWith('templates/')) templates.push(file);
  else if (!file.name.startsWith('charts/') || file.name.endsWith('.prov')) files.push(file);
  else {
    const path = file.name.slice('charts/'.length);
    const [folder = ''] = path.split('/');
    const known = dependencies.get(folder) ?? new Map<string, Uint8Array>();
    dependencies.set(folder, known.set(path, file.data));
  }
}

/** Returns dependencies in the order of their names, because Helm iterates over them in random order. */
function dependenciesOf(
  folders: ReadonlyMap<string, ChartFiles>,
  chart: string,
  allowance: UnpackAllowance,
): readonly Chart[] {
  return [...folders]
    .filter(([folder]) => !/^[_.]/.test(folder))
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([folder, files]) => dependencyIn(folder, files, chart, allowance));
}

function dependencyIn(folder: string, files: ChartFiles, chart: string, allowance: UnpackAllowance): Chart {
  const place = `${chart}/charts/${folder}`;
  if (folder.endsWith('.tgz')) {
    const archive = files.get(folder);
    if (archive === undefined) {
      throw new ChartError({ chart, file: `charts/${folder}`, ...helmFault('dependency-folder', { folder }) });
    }
    return loadFiles(unpack(archive, place, allowance), place, allowance);
  }
  const inside = [...files].flatMap(([path, data]): [string, Uint8Array][] =>
    path === folder ? [] : [[path.slice(folder.length + 1), data]],
  );
  return loadFiles(new Map(inside), place, allowance);
}

function metadataIn(files: ChartFiles, chart: string, budget: Budget): ChartMetadata {
  const data = files.get('Chart.yaml');
  if (data === undefined) throw new ChartError({ chart, ...helmFault('metadata-missing', {}) });
  const fields = mapIn(data, chart, 'Chart.yaml', budget);
  const old = files.get('requirements.yaml');
  const all = old === undefined ? fields : new Map([...fields, ...mapIn(old, chart, 'requirements.yaml', budget)]);
  try {
    return readMetadata(all, isVersion);
  } catch (error) {
    if (!(error instanceof FieldError || error instanceof MetadataError)) throw error;
    throw new ChartError(
      { chart, file: 'Chart.yaml', ...helmFault('file-invalid', { quote: error.message, path: 'Chart.yaml' }) },
      { cause: error },
    );
  }
}

function valuesIn(data: Uint8Array | undefined, chart: string, budget: Budget): ReadonlyMap<string, GoValue> {
  return data === undefined ? new Map() : mapIn(data, chart, 'values.yaml', budget);
}

function mapIn(data: Uint8Array, chart: string, file: string, budget: Budget): Map<string, GoValue> {
  const value = yamlIn(stringOf(data), chart, file, budget);
  if (value instanceof Map) return value;
  if (value === null || value === undefined) return new Map();
  throw new ChartError({ chart, file, ...helmFault('file-no-map', { path: file }) });
}

function yamlIn(text: string, chart: string, file: string, budget: Budget): GoValue {
  try {
    return readYaml(text, budget);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    throw new ChartError(
      { chart, file, ...helmFault('file-invalid', { quote: error.message, path: file }) },
      { cause: error },
    );
  }
}

function isVersion(text: string): boolean {
  try {
    readVersion(text);
    return true;
  } catch (error) {
    if (error instanceof FunctionError) return false;
    throw error;
  }
}

/** A file in `crds/` of a chart. It is not a template: it is read once, and all renders share its objects. */
class CrdFile {
  readonly text: string;
  private objects: readonly JsonObject[] | undefined;

  constructor(
    /** Path in the chart: `crds/crd.yaml`. */
    readonly name: string,
    data: Uint8Array,
    private readonly budget: Budget,
  ) {
    this.text = new TextDecoder().decode(data);
  }

  /** Whether Helm treats a file of a chart as CRDs. */
  static is(name: string): boolean {
    return name.startsWith('crds/') && /\.(?:ya?ml|json)$/i.test(name);
  }

  /**
   * Returns the objects in the file, frozen.
   *
   * @param source path of the file for errors: `chart/crds/crd.yaml`
   * @throws ManifestError if it contains something else
   */
  objectsAs(source: string): readonly JsonObject[] {
    this.objects ??= splitManifests(this.text).flatMap((document) => {
      const value = documentOf({ source, ...document }, this.budget);
      return objectsIn({ source, kind: 'CustomResourceDefinition', value, ...document }).map(frozen);
    });
    return this.objects;
  }
}

function frozen<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
