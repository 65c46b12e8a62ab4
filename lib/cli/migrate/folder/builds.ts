import { posix } from 'node:path';
import type { Problem } from '#base/findings/problem';
import { isMap, mergeValues, type Value, type Values } from '#base/values';
import { CLI_FINDINGS } from '../../findings';
import { KUSTOMIZATION } from '../../lint/kustomizations';
import { inside, listAt, mapAt, placeText, text } from '../sources/source';
import { generatedObjects } from '../sources/values-from';
import type { PlacedMap } from './documents';
import { applyPatches, type Patch } from './patches';
import type { RepositoryFiles } from './repository-files';

/** What one kustomization, or one file that is in none, applies to a cluster. */
export interface Build {
  /** The file with which it begins. */
  readonly home: string;
  readonly objects: readonly PlacedMap[];
  readonly notes: readonly Problem[];
}

interface Reached {
  readonly objects: readonly PlacedMap[];
  readonly notes: readonly Problem[];
  readonly files: ReadonlySet<string>;
}

const NOTHING: Reached = { objects: [], notes: [], files: new Set() };

/** Of one build; a cluster has fewer. */
const MAX_OBJECTS = 50_000;

/** Returns what the kustomizations and files of a repository apply, each with all that it includes. */
export function buildsOf(maps: readonly PlacedMap[], files: RepositoryFiles): readonly Build[] {
  const builder = new Builder(maps, files);
  const units = builder.units();
  const included = new Set(units.flatMap(([home, { files: reached }]) => [...reached].filter((file) => file !== home)));
  const roots = units.filter(([home]) => !included.has(home));
  const covered = new Set(roots.flatMap(([home, { files: reached }]) => [home, ...reached]));
  const cyclic = units.filter(([home, { files: reached }]) => {
    if (covered.has(home)) return false;
    for (const file of [home, ...reached]) covered.add(file);
    return true;
  });
  return [...roots, ...cyclic].map(([home, { objects, notes }]) => ({ home, objects, notes }));
}

class Builder {
  private readonly byFile = new Map<string, PlacedMap[]>();
  private readonly inFolder = new Map<string, Set<string>>();
  private readonly reached = new Map<string, Reached>();

  constructor(
    maps: readonly PlacedMap[],
    private readonly files: RepositoryFiles,
  ) {
    for (const map of maps) {
      const known = this.byFile.get(map.file);
      if (known === undefined) this.byFile.set(map.file, [map]);
      else known.push(map);
    }
    for (const file of this.byFile.keys()) {
      for (let path = file; path !== '.' && path !== '/'; path = posix.dirname(path)) {
        const folder = posix.dirname(path);
        const known = this.inFolder.get(folder);
        if (known?.has(path) === true) break;
        if (known === undefined) this.inFolder.set(folder, new Set([path]));
        else known.add(path);
      }
    }
  }

  /** The kustomizations, then the other files. */
  units(): readonly (readonly [home: string, reached: Reached])[] {
    const all = [...this.byFile.keys()];
    const kustomizations = all.filter((file) => KUSTOMIZATION.test(file));
    const others = all.filter((file) => !KUSTOMIZATION.test(file));
    return [
      ...kustomizations.map((file) => [file, this.folder(posix.dirname(file))] as const),
      ...others.map((file) => [file, this.file(file)] as const),
    ];
  }

  private file(path: string): Reached {
    return this.expanded(join([{ objects: this.byFile.get(path) ?? [], notes: [], files: new Set([path]) }]));
  }

  /** A folder without a kustomization has all that is below it, as Flux applies it. */
  private folder(path: string): Reached {
    const known = this.reached.get(path);
    if (known !== undefined) return known;
    // Of a cycle, as one of Flux that applies itself, the rest is reached from elsewhere.
    this.reached.set(path, NOTHING);
    const inside = [...(this.inFolder.get(path) ?? [])];
    const [kustomization] = inside.filter((file) => KUSTOMIZATION.test(file));
    const result =
      kustomization === undefined
        ? join(inside.map((each) => (this.byFile.has(each) ? this.file(each) : this.folder(each))))
        : this.kustomization(kustomization);
    this.reached.set(path, result);
    return result;
  }

  private kustomization(file: string): Reached {
    const [own] = this.byFile.get(file) ?? [];
    if (own === undefined) return NOTHING;
    const { data } = own;
    const folder = posix.dirname(file);
    const resources = ['resources', 'bases', 'components'].flatMap((key) => listAt(data, key));
    const included = join([
      // The files of patches are no objects.
      { ...NOTHING, files: new Set([file, ...patchFiles(data).map((path) => posix.join(folder, path))]) },
      ...resources.map((resource) => this.resource(posix.join(folder, String(resource)))),
    ]);
    const generated = generatedObjects(data, { get: (path) => this.files.valuesAt(path, file) }).map((object) =>
      overExisting(object, included.objects),
    );
    const charts = listAt(data, 'helmCharts').filter(isMap);
    const objects = [
      ...withoutReplaced(included.objects, generated),
      ...generated.map((object) => ({ ...own, data: object })),
      ...charts.map((chart) => ({ ...own, data: { apiVersion: 'builtin', kind: INFLATION, ...chart } })),
    ];
    const patches = patchesOf(own, (path) => this.files.valuesAt(path, file));
    return this.changed(
      { ...included, objects: objects.map((object) => inNamespace(object, data.namespace)) },
      patches,
    );
  }

  private resource(path: string): Reached {
    const whole = path.replace(/(?<=.)\/+$/, '');
    if (this.byFile.has(whole)) return this.file(whole);
    return this.inFolder.has(whole) ? this.folder(whole) : NOTHING;
  }

  /** Adds what Kustomizations of Flux and Applications of Argo CD apply from folders of the repository. */
  private expanded(reached: Reached): Reached {
    const further = reached.objects.flatMap((object): readonly Reached[] => {
      const group = String(object.data.apiVersion).replace(/\/[^/]*$/, '');
      const spec = mapAt(object.data, 'spec');
      if (group === 'kustomize.toolkit.fluxcd.io' && object.data.kind === 'Kustomization') {
        const path = text(spec.path);
        return path === undefined ? [] : [this.applied(path, spec, { ...object, data: spec })];
      }
      if (group !== 'argoproj.io' || object.data.kind !== 'Application') return [];
      return [spec.source, ...listAt(spec, 'sources')].filter(isMap).map((source) => {
        const isChart = text(source.path) === undefined || this.files.chartAt(String(source.path)) !== undefined;
        const kustomize = mapAt(source, 'kustomize');
        return isChart ? NOTHING : this.applied(String(source.path), kustomize, { ...object, data: kustomize });
      });
    });
    return further.length === 0 ? reached : join([reached, ...further]);
  }

  private applied(path: string, { targetNamespace }: Values, patched: PlacedMap): Reached {
    const folder = this.files.folderAt(path);
    if (folder === undefined) return NOTHING;
    const reached = this.folder(folder);
    const objects = reached.objects.map((object) => inNamespace(object, targetNamespace));
    return this.changed(
      { ...reached, objects },
      patchesOf(patched, () => undefined),
    );
  }

  private changed(reached: Reached, patches: readonly Patch[]): Reached {
    if (patches.length === 0) return reached;
    const { objects, left } = applyPatches(reached.objects, patches);
    return {
      ...reached,
      objects,
      notes: [...reached.notes, ...left.map((place) => CLI_FINDINGS.notMigratedPatch({ place }))],
    };
  }
}

/** The kind of the charts that a kustomization renders by itself. */
export const INFLATION = 'HelmChartInflationGenerator';

/** Each object once, also if it is included on several ways. */
function join(parts: readonly Reached[]): Reached {
  const objects = new Map(parts.flatMap((part) => part.objects).map((object) => [identityOf(object), object]));
  return {
    objects: [...objects.values()].slice(0, MAX_OBJECTS),
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
    files: new Set(parts.flatMap(({ files }) => [...files])),
  };
}

function identityOf({ data, file, line }: PlacedMap): string {
  const { name, namespace } = mapAt(data, 'metadata');
  return JSON.stringify([file, line, data.kind, name ?? data.name, namespace]);
}

const IN_NO_NAMESPACE = ['Namespace', 'ClusterIssuer', 'Bundle', 'CustomResourceDefinition', INFLATION];

function inNamespace(object: PlacedMap, namespace: Value | undefined): PlacedMap {
  const { kind, metadata } = object.data;
  if (text(namespace) === undefined || !isMap(metadata) || IN_NO_NAMESPACE.includes(String(kind))) return object;
  return { ...object, data: { ...object.data, metadata: { ...metadata, namespace } } };
}

/** With `behavior: merge`, what a kustomization generates is merged over what is there. */
function overExisting(generated: Values, objects: readonly PlacedMap[]): Values {
  const { behavior, ...object } = generated;
  const name = mapAt(generated, 'metadata').name;
  const existing = objects.find(({ data }) => data.kind === object.kind && mapAt(data, 'metadata').name === name);
  return behavior === 'merge' && existing !== undefined ? mergeValues(existing.data, object) : object;
}

function withoutReplaced(objects: readonly PlacedMap[], generated: readonly Values[]): readonly PlacedMap[] {
  const names = new Set(
    generated.map(({ kind, metadata }) => JSON.stringify([kind, isMap(metadata) ? metadata.name : ''])),
  );
  return objects.filter(({ data }) => !names.has(JSON.stringify([data.kind, mapAt(data, 'metadata').name])));
}

function patchesOf({ data, file, line }: PlacedMap, read: (path: string) => string | undefined): readonly Patch[] {
  const at = (key: string, index: number) =>
    placeText(inside(inside({ file: `${file}:${line}`, path: '' }, key), index));
  const ofMaps = ['patches', 'patchesJson6902'].flatMap((key) =>
    listAt(data, key).map((patch, index): Patch => {
      const { target, path, patch: inline } = isMap(patch) ? patch : ({} as Values);
      const content = typeof path === 'string' ? read(path) : inline;
      const given = isMap(content) || Array.isArray(content) ? JSON.stringify(content) : text(content as Value);
      return { target: isMap(target) ? target : undefined, content: given, place: at(key, index) };
    }),
  );
  const merges = listAt(data, 'patchesStrategicMerge').map((patch, index): Patch => {
    const content = isMap(patch) ? JSON.stringify(patch) : (read(String(patch)) ?? inlineOf(String(patch)));
    return { target: undefined, content, place: at('patchesStrategicMerge', index) };
  });
  return [...merges, ...ofMaps];
}

function patchFiles(kustomization: Values): readonly string[] {
  const ofMaps = ['patches', 'patchesJson6902'].flatMap((key) => listAt(kustomization, key));
  const paths = [
    ...ofMaps.map((patch) => (isMap(patch) ? patch.path : undefined)),
    ...listAt(kustomization, 'patchesStrategicMerge'),
  ];
  return paths.flatMap((path) => (typeof path === 'string' && !path.includes('\n') ? [path] : []));
}

function inlineOf(patch: string): string | undefined {
  return patch.includes('\n') ? patch : undefined;
}
