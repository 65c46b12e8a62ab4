import { posix } from 'node:path';
import { grouped } from '#base/grouped';
import { isMap, mergeValues, type Value, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { FileDocument, PlacedMap } from './documents';
import { CHANGES, type Change, changedBy } from './kustomized-object';
import { applyPatch, isOfAny, type Patch, patchesOf, type Resource, unsure } from './patches';
import type { RepositoryFiles } from './repository-files';
import { listAt, mapAt, text } from './sources/source';
import { generatedObjects } from './sources/values-from';

/** A part of a kustomization that cannot be read. */
interface Left {
  /** The file of the kustomization. */
  readonly file: string;
  readonly why: 'charts' | 'circle' | 'elsewhere' | 'kustomization' | 'limit' | 'patches';
  /** The reference. */
  readonly reason?: string;
  readonly patch?: Patch;
}

/** The objects that a kustomization, or a file outside of kustomizations, applies to a cluster. */
export interface Build {
  /** The file of the kustomization, or of the objects. */
  readonly home: string;
  readonly objects: readonly Resource[];
  readonly left: readonly Left[];
}

/** The builds of a repository. */
export interface Builds {
  readonly builds: readonly Build[];
  /** The files to which kustomizations refer in another way: patches, and files of generators and charts. */
  readonly referred: ReadonlySet<string>;
}

/** How references of kustomizations are read. */
export interface Follow {
  /**
   * Whether builds include the folders that their Kustomizations of Flux, and their Applications, apply.
   *
   * @default false
   */
  readonly folders?: boolean;

  /**
   * Renders a chart of a kustomization; returns undefined if the chart is missing.
   *
   * @default - charts are not rendered
   */
  readonly inflate?: (chart: Values, kustomization: PlacedMap) => readonly PlacedMap[] | undefined;
}

type Reached = Omit<Build, 'home'>;

const NOTHING: Reached = { objects: [], left: [] };

/** Maximum number of objects in one build; a cluster has fewer. */
const MAX_OBJECTS = 200_000;

/** Maximum depth of nested folders. */
const MAX_DEPTH = 200;

/** Maximum number of applied components. If each lists another one twice, their number doubles with each level. */
const MAX_COMPONENTS = 1_000;

/** The path of a file of Kustomize. */
export const KUSTOMIZATION = /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/;

/** The kind of charts that a kustomization renders. */
export const INFLATION = 'HelmChartInflationGenerator';

const RESOURCES = ['resources', 'bases'];
const PATCHES = ['patchesStrategicMerge', 'patches'];

/** Supported fields, and fields without an effect on objects. */
const READ: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'buildMetadata', 'configurations', 'crds', 'openapi'],
  ...['sortOptions', 'validators', 'helmGlobals', 'generators', 'transformers', 'generatorOptions'],
  ...[...RESOURCES, ...PATCHES, 'components', 'patchesJson6902', 'replacements'],
  ...['namespace', 'namePrefix', 'nameSuffix', 'labels', 'commonLabels', 'commonAnnotations', 'images', 'replicas'],
  ...['configMapGenerator', 'secretGenerator', 'helmCharts', 'helmChartInflationGenerator'],
]);

/** Fields that contain names instead of paths. A name may equal the name of a folder. */
const NO_PATHS: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'namespace', 'namePrefix', 'nameSuffix'],
  ...['labels', 'commonLabels', 'commonAnnotations', 'images', 'replicas'],
]);

/**
 * Returns the builds of a repository: one for each kustomization or file to which no other one refers, with the objects
 * that it includes and changes. Of kustomizations that refer only to each other, the first one has a build.
 */
export function buildsOf(maps: readonly PlacedMap[], files: RepositoryFiles, follow: Follow = {}): Builds {
  const builder = new Builder(maps, files, follow);
  return builder.all();
}

class Builder {
  private readonly byFile: ReadonlyMap<string, readonly PlacedMap[]>;
  private readonly inFolder = new Map<string, Set<string>>();
  private readonly kustomizations = new Map<string, string>();
  private readonly reached = new Map<string, Reached>();
  private readonly visited = new Set<string>();
  /** The folders of the kustomizations that are being built. */
  private readonly open = new Set<string>();
  private components = 0;

  constructor(
    maps: readonly PlacedMap[],
    private readonly files: RepositoryFiles,
    private readonly follow: Follow,
  ) {
    this.byFile = grouped(maps.map((map) => [map.file, map]));
    for (const file of this.byFile.keys()) {
      if (KUSTOMIZATION.test(file)) this.kustomizations.set(posix.dirname(file), file);
      this.addToFolder(file);
    }
  }

  private addToFolder(path: string): void {
    const folder = posix.dirname(path);
    const known = this.inFolder.get(folder) ?? new Set();
    if (known.has(path)) return;
    this.inFolder.set(folder, known.add(path));
    if (folder !== '.' && folder !== '/') this.addToFolder(folder);
  }

  all(): Builds {
    const kustomizations = [...this.kustomizations.values()];
    const covered = new Set(kustomizations.flatMap((file) => this.referencesOf(file)));
    const all = [...this.byFile.keys()];
    const followed = this.follow.folders === true ? all.flatMap((file) => this.followed(file)) : [];
    const included = new Set([...covered, ...followed]);
    const others = all.filter((file) => !KUSTOMIZATION.test(file));
    const build = (home: string): Build => ({ home, ...this.whole(home) });
    const roots = [...kustomizations, ...others].filter((home) => !included.has(home)).map(build);
    // Kustomizations that are in no build refer to each other.
    const cyclic = kustomizations.filter((file) => !this.visited.has(file));
    const rest = [...cyclic, ...others.filter((file) => !covered.has(file))].flatMap((home) => {
      if (this.visited.has(home)) return [];
      const { left, ...built } = build(home);
      return [{ ...built, left: [...left, ...cyclic.map((file) => ({ file, why: 'circle' as const }))] }];
    });
    return { builds: [...roots, ...rest], referred: new Set([...covered].filter((file) => !this.visited.has(file))) };
  }

  private whole(home: string): Reached {
    const { objects, left } = this.unit(home);
    const [first] = this.byFile.get(home) ?? [];
    // A Component changes the objects of other kustomizations.
    const isPart = KUSTOMIZATION.test(home) && first?.data.kind === 'Component';
    return { objects, left: isPart ? [{ file: home, why: 'patches' }, ...left] : left };
  }

  private unit(home: string): Reached {
    return KUSTOMIZATION.test(home) ? this.folder(posix.dirname(home)) : this.file(home);
  }

  /** Returns the files and kustomizations to which any field of a kustomization refers. */
  private referencesOf(file: string): readonly string[] {
    const folder = posix.dirname(file);
    const [own] = this.byFile.get(file) ?? [];
    const paths = Object.entries(own?.data ?? {}).flatMap(([field, value]) =>
      NO_PATHS.has(field) ? [] : textsIn(value),
    );
    return paths.flatMap((given) => {
      // Generators refer to files by `key=path`.
      const path = pathIn(folder, given.replace(/^[^=/]*=/, ''));
      const target = this.files.files.has(path) ? path : this.kustomizations.get(path);
      return target === undefined || target === file ? [] : [target];
    });
  }

  /** Returns the files of the folders that the objects of a file apply. */
  private followed(file: string): readonly string[] {
    const all = (this.byFile.get(file) ?? []).flatMap((object) => foldersOf(object, this.files));
    return all.flatMap(({ folder }) => this.unitsIn(folder)).filter((one) => one !== file);
  }

  /** A folder without a kustomization includes all files below it, as Flux applies it. */
  private unitsIn(folder: string): readonly string[] {
    const kustomization = this.kustomizations.get(folder);
    if (kustomization !== undefined) return [kustomization];
    return [...(this.inFolder.get(folder) ?? [])].flatMap((path) =>
      this.byFile.has(path) ? [path] : this.unitsIn(path),
    );
  }

  private file(path: string): Reached {
    this.visited.add(path);
    const objects = (this.byFile.get(path) ?? []).map(resourceOf);
    const own = { ...NOTHING, objects };
    if (this.follow.folders !== true) return own;
    const further = own.objects.flatMap(({ item }) => foldersOf(item, this.files).map((one) => this.applied(one)));
    return further.length === 0 ? own : join([own, ...further]);
  }

  /** Returns the objects that a Kustomization of Flux, or an Application, applies from a folder of the repository. */
  private applied({ folder, by }: AppliedFolder): Reached {
    const reached = this.folder(folder);
    const { namespace, patches } = by.data;
    return this.transformed(reached, { ...by, data: { namespace, patches } }, () => undefined);
  }

  private folder(path: string): Reached {
    const known = this.reached.get(path);
    if (known !== undefined) return known;
    const file = this.kustomizations.get(path);
    const result = this.inside(path, () =>
      file === undefined ? join(this.unitsIn(path).map((unit) => this.unit(unit))) : this.kustomization(file, NOTHING),
    );
    if (typeof result === 'object') this.reached.set(path, result);
    return typeof result === 'object' ? result : { ...NOTHING, left: [{ file: file ?? path, why: result }] };
  }

  /** Stops at a cycle, such as a Kustomization of Flux that applies itself: its objects are already included. */
  private inside(folder: string, build: () => Reached): Reached | 'circle' | 'limit' {
    if (this.open.has(folder)) return 'circle';
    if (this.open.size >= MAX_DEPTH) return 'limit';
    this.open.add(folder);
    const result = build();
    this.open.delete(folder);
    return result;
  }

  /** @param around - the objects that a component changes */
  private kustomization(file: string, around: Reached): Reached {
    this.visited.add(file);
    const [own] = this.byFile.get(file) ?? [];
    if (own === undefined) return around;
    const read = (path: string) => this.files.valuesAt(path, file);
    const resources = RESOURCES.flatMap((key) => listAt(own.data, key)).flatMap((one) => text(one) ?? []);
    const included = join([around, ...resources.map((one) => this.resource(one, file))]);
    const generated = overExisting(generatedObjects(own.data, { get: read }), included.objects);
    const all = join([
      { ...included, objects: withoutReplaced(included.objects, generated) },
      { ...NOTHING, objects: generated.map((data) => ({ ...resourceOf({ ...own, data }), isGenerated: true })) },
      ...chartsIn(own.data).map((chart) => this.inflated(chart, own)),
    ]);
    const components = listAt(own.data, 'components').map(String);
    return this.transformed(
      components.reduce((before, path) => this.component(path, before, file), all),
      own,
      read,
    );
  }

  private inflated(chart: Values, own: PlacedMap): Reached {
    const objects = this.follow.inflate?.(chart, own);
    if (objects !== undefined) return { ...NOTHING, objects: objects.map(resourceOf) };
    const inflation = { ...own, data: { apiVersion: 'builtin', kind: INFLATION, ...chart } };
    const reason = [chart.name, chart.version].flatMap((one) => text(one) ?? []).join(' ');
    return { objects: [resourceOf(inflation)], left: [{ file: own.file, why: 'charts', reason }] };
  }

  private component(given: string, around: Reached, by: string): Reached {
    const folder = pathIn(posix.dirname(by), given);
    const file = this.kustomizations.get(folder);
    const isKnown = file !== undefined && ++this.components <= MAX_COMPONENTS;
    const result = isKnown ? this.inside(folder, () => this.kustomization(file, around)) : undefined;
    if (typeof result === 'object') return result;
    if (file === undefined || result === undefined) return left(around, { file: by, why: 'kustomization' });
    return left(around, { file, why: result });
  }

  private resource(given: string, file: string): Reached {
    const folder = posix.dirname(file);
    const path = pathIn(folder, given);
    if (path !== folder && this.kustomizations.has(path)) return this.folder(path);
    if (this.files.files.has(path)) return this.file(path);
    return { ...NOTHING, left: [{ file, why: path === folder ? 'circle' : 'elsewhere', reason: given }] };
  }

  /** Applies the fields of a kustomization in the order of Kustomize. */
  private transformed(reached: Reached, map: PlacedMap, read: (path: string) => string | undefined): Reached {
    const { data, file } = map;
    const isRead = Object.entries(data).every(([field, value]) => READ.has(field) || isEmpty(value));
    if (!isRead) return left(reached, { file, why: 'kustomization' });
    const patch = (before: Reached, ...fields: readonly string[]) =>
      fields.flatMap((field) => patchesOf(map, field, read)).reduce((all, one) => withPatch(all, one, file), before);
    const change = (before: Reached, changes: readonly Change[]): Reached => ({
      ...before,
      objects: before.objects.map((one) => changedResource(one, data, changes)),
    });
    const named = (before: Reached) => ({ ...before, objects: before.objects.map((one) => renamed(one, data)) });
    const merged = named(change(patch({ ...reached, left: [] }, ...PATCHES), CHANGES.beforeJsonPatches));
    const changed = change(patch(merged, 'patchesJson6902'), CHANGES.afterJsonPatches);
    const { objects, left: own } = patch(changed, 'replacements', 'transformers');
    const unknown: readonly Left[] = isEmpty(data.generators) ? [] : [{ file, why: 'patches' }];
    return { objects, left: [...own, ...unknown, ...reached.left] };
  }
}

interface AppliedFolder {
  readonly folder: string;
  /** The fields that change the folder's objects, like the fields of a kustomization. */
  readonly by: PlacedMap;
}

/** Returns the folders of a repository that a Kustomization of Flux, or an Application of Argo CD, applies. */
function foldersOf(object: PlacedMap, files: RepositoryFiles): readonly AppliedFolder[] {
  const group = String(object.data.apiVersion).replace(/\/[^/]*$/, '');
  const spec = mapAt(object.data, 'spec');
  const at = (path: Value | undefined, { targetNamespace, patches }: Values): readonly AppliedFolder[] => {
    const folder = text(path) === undefined ? undefined : files.folderAt(String(path));
    return folder === undefined ? [] : [{ folder, by: { ...object, data: { namespace: targetNamespace, patches } } }];
  };
  if (group === 'kustomize.toolkit.fluxcd.io' && object.data.kind === 'Kustomization') return at(spec.path, spec);
  if (group !== 'argoproj.io' || object.data.kind !== 'Application') return [];
  return [spec.source, ...listAt(spec, 'sources')].filter(isMap).flatMap((source) => {
    const isChart = text(source.path) === undefined || files.chartAt(String(source.path)) !== undefined;
    const { namespace, patches } = mapAt(source, 'kustomize');
    return isChart ? [] : at(source.path, { targetNamespace: namespace, patches });
  });
}

function resourceOf(item: PlacedMap): Resource {
  return { item, original: item.data, unsure: [] };
}

/** Marks all objects, because an unsupported kustomization may change each of them. */
function left({ objects, left: before }: Reached, one: Left): Reached {
  return { objects: objects.map((object) => unsure(object, one.file)), left: [one, ...before] };
}

function withPatch({ objects, left: before }: Reached, patch: Patch, file: string): Reached {
  const { objects: patched, isApplied } = applyPatch(objects, patch, file);
  const why = isOfAny(patch) ? 'kustomization' : 'patches';
  return { objects: patched, left: isApplied ? before : [...before, { file, why, patch }] };
}

const NEVER_RENAMED = ['APIService', 'CustomResourceDefinition', 'Namespace'];

function renamed(one: Resource, { namePrefix, nameSuffix }: Values): Resource {
  const [prefix = '', suffix = ''] = [namePrefix, nameSuffix].map((part) => text(part));
  const { kind, metadata } = one.item.data;
  const name = one.renamed ?? (isMap(metadata) ? text(metadata.name) : undefined);
  if (prefix + suffix === '' || name === undefined || NEVER_RENAMED.includes(String(kind))) return one;
  return { ...one, renamed: `${prefix}${name}${suffix}` };
}

function changedResource(one: Resource, data: Values, changes: readonly Change[]): Resource {
  const [object, original] = [one.item.data, one.original] as unknown as readonly KubernetesObject[];
  if (object === undefined || original === undefined) return one;
  const changed = changedBy(object, data, { changes, original }) as unknown as Values;
  return changed === one.item.data ? one : { ...one, item: { ...one.item, data: changed } };
}

/** Joins parts. An object that several kustomizations include occurs once. */
function join(parts: readonly Reached[]): Reached {
  const objects = new Map(parts.flatMap((part) => part.objects).map((object) => [identityOf(object.item), object]));
  return {
    objects: [...objects.values()].slice(0, MAX_OBJECTS),
    left: [...new Set(parts.flatMap((part) => part.left))],
  };
}

function identityOf({ data, file, line }: PlacedMap): string {
  const { name, namespace } = mapAt(data, 'metadata');
  return JSON.stringify([file, line, data.kind, name ?? data.releaseName ?? data.name, namespace]);
}

/** With `behavior: merge`, a generated object is merged over the existing object. */
function overExisting(generated: readonly Values[], objects: readonly Resource[]): readonly Values[] {
  const isMerged = generated.some(({ behavior }) => behavior === 'merge');
  const existing = new Map(isMerged ? objects.map(({ item: { data } }) => [nameOf(data), data]) : []);
  return generated.map(({ behavior, ...object }) =>
    behavior === 'merge' ? mergeValues(existing.get(nameOf(object)) ?? {}, object) : object,
  );
}

function withoutReplaced(objects: readonly Resource[], generated: readonly Values[]): readonly Resource[] {
  if (generated.length === 0) return objects;
  const names = new Set(generated.map(nameOf));
  return objects.filter(({ item: { data } }) => !names.has(nameOf(data)));
}

function nameOf(data: Values): string {
  return JSON.stringify([data.kind, mapAt(data, 'metadata').name]);
}

/** Returns the charts that a kustomization renders, including its deprecated field, which has other names. */
function chartsIn(data: Values): readonly Values[] {
  const { chartHome } = mapAt(data, 'helmGlobals');
  const older = listAt(data, 'helmChartInflationGenerator').filter(isMap);
  return [
    ...listAt(data, 'helmCharts').filter(isMap),
    ...older.map(({ chartName, chartVersion, releaseNamespace, values, valuesLocal, ...chart }) => ({
      ...chart,
      ...{ name: chartName, version: chartVersion, namespace: releaseNamespace },
      ...{ valuesFile: values, valuesInline: valuesLocal },
    })),
  ].map((chart) => ({ chartHome, ...chart }));
}

function pathIn(folder: string, given: string): string {
  return posix.join(folder, given).replace(/(?<=.)\/+$/, '');
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === undefined || value === '' || (isMap(value) && Object.keys(value).length === 0);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes('\n') ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Returns the first document in the file of a kustomization. An unreadable document may change any object. */
export function kustomizationMap(file: string, [document]: readonly FileDocument[]): PlacedMap {
  return { data: isMap(document?.data) ? document.data : { unreadable: true }, file, line: 1 };
}
