import { posix } from 'node:path';
import { isMap, type Values } from '#base/values';
import { HELM_YAML } from '#base/values-document';
import { parseDocuments } from '#base/yaml-documents';
import { type KubernetesObject, namespaceOf } from '../../kubernetes/kubernetes-object';
import type { Reference } from '../../kubernetes/references';
import { listAt, text } from '../migrate/sources/source';
import { generatedObject } from '../migrate/sources/values-from';
import { changedBy } from './kustomized-object';
import { PATCHES, type Selector, selectorsOf } from './kustomized-patches';
import type { NotRead } from './unread';

/** How a kustomization applies a file. */
interface Application {
  /** The path of the file, below the folder of the outermost kustomization. */
  readonly at: string;
  /** The kustomizations, the innermost first. */
  readonly by: readonly Values[];
  /** What the outermost kustomization, and those in it, generate. */
  readonly beside: readonly KubernetesObject[];
  /** What it may change in other ways: such an object is not read, and other ones only by themselves. */
  readonly patched: readonly Selector[] | undefined;
  /** Keeps the paths of files with objects that are not read. */
  readonly hides: Set<string>;
}

/** What the kustomizations among files do with these. */
export interface Kustomized {
  /** By path; empty for a file that is not read. Other files are read as they are. */
  readonly applications: ReadonlyMap<string, readonly Application[]>;
  /** ConfigMaps and Secrets. */
  readonly generated: readonly Reference[];
  readonly unread: readonly NotRead[];
}

/** The path of a file of Kustomize. */
export const KUSTOMIZATION = /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/;

interface Kustomization {
  readonly file: string;
  readonly folder: string;
  /** undefined if it is not a map in YAML. */
  readonly data: Values | undefined;
}

/** The fields that are read here, and those without an effect on objects. */
const READ: ReadonlySet<string> = new Set([
  ...[
    'apiVersion',
    'kind',
    'metadata',
    'buildMetadata',
    'configurations',
    'crds',
    'openapi',
    'sortOptions',
    'validators',
  ],
  ...['resources', 'bases', 'namespace', 'labels', 'commonLabels', 'commonAnnotations', 'images', 'replicas'],
  ...['configMapGenerator', 'secretGenerator', 'generatorOptions', 'components', ...PATCHES],
]);

/** The fields whose texts are names, which may be those of folders. */
const NO_PATHS: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'namespace', 'namePrefix', 'nameSuffix'],
  ...['labels', 'commonLabels', 'commonAnnotations', 'images', 'replicas'],
]);

/** Each may list the one before it twice. */
const MAX_VISITS = 10_000;

/** Of components in components: each may list another one twice. */
const MAX_DEPTH = 8;

/**
 * Decides which files kustomizations apply, and how: each that no other one refers to, with all that it refers to. Of one
 * with patches, the objects that these do not select are read. One that changes objects in other ways is named, and what
 * it refers to is read only if another one applies it.
 */
export function kustomizationsIn(files: ReadonlyMap<string, string>): Kustomized {
  const all = new Map(
    [...files].flatMap(([file, content]) => {
      if (!KUSTOMIZATION.test(file)) return [];
      const folder = posix.dirname(file);
      return [[folder, { file, folder, data: dataIn(content) }]];
    }),
  );
  if (all.size === 0) return { applications: new Map(), generated: [], unread: [] };
  const walk = new Walk(files, all);
  const referenced = new Set([...all.values()].flatMap((one) => walk.referencesOf(one)));
  const roots = [...all.values()].filter(({ folder }) => !referenced.has(folder));
  for (const root of roots) walk.visit(root, { root: root.folder, outer: [], beside: [] });
  // Those of a circle refer to each other.
  for (const one of all.values())
    if (!walk.applications.has(one.file)) walk.leave(one, walk.isOver ? 'kustomization' : 'circle');
  return { applications: walk.applications, generated: walk.generated, unread: [...walk.left.values()] };
}

function dataIn(content: string): Values | undefined {
  try {
    const [document] = parseDocuments(content, HELM_YAML);
    const data: unknown = document?.errors.length === 0 ? document.toJS() : undefined;
    return isMap(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

interface Visit {
  readonly root: string;
  /** The kustomizations around it, the outermost last. */
  readonly outer: readonly Kustomization[];
  /** The paths of files that are not read, if a kustomization around it is not read. */
  readonly hides?: Set<string> | undefined;
  readonly beside: KubernetesObject[];
}

/** What a kustomization does to objects, with its components. */
interface Changes {
  readonly by: readonly Values[];
  /** undefined if every object is read as a part of the whole. */
  readonly patched: readonly Selector[] | undefined;
}

class Walk {
  readonly applications = new Map<string, Application[]>();
  readonly generated: Reference[] = [];
  readonly left = new Map<string, NotRead & { readonly hides?: Set<string> }>();
  private readonly changes = new Map<Kustomization, Changes | undefined>();
  private visits = 0;

  constructor(
    private readonly files: ReadonlyMap<string, string>,
    private readonly all: ReadonlyMap<string, Kustomization>,
  ) {}

  /** Returns the paths, of files and of folders, that a kustomization refers to anywhere. */
  referencesOf({ data, folder }: Kustomization): readonly string[] {
    const paths = Object.entries(data ?? {}).flatMap(([field, value]) => (NO_PATHS.has(field) ? [] : textsIn(value)));
    const targets = paths.flatMap((given) => {
      // `key=path` of a generator.
      const path = posix.join(folder, given.replace(/^[^=/]*=/, ''));
      const target = path.replace(/(?<=.)\/$/, '');
      return target !== folder && (this.files.has(target) || this.all.has(target)) ? [target] : [];
    });
    return [...new Set(targets)];
  }

  get isOver(): boolean {
    return this.visits > MAX_VISITS;
  }

  visit(one: Kustomization, { root, outer, hides: around, beside }: Visit): void {
    if (outer.includes(one)) {
      this.leave(one, 'circle');
      return;
    }
    const isRead = around === undefined && ++this.visits <= MAX_VISITS;
    const own = isRead ? this.changesOf(one) : undefined;
    this.applicationsOf(one.file);
    const hides = around ?? this.hiddenBy(one, own);
    if (this.isOver) return;
    if (own === undefined) this.hide(one, { root, outer: [one, ...outer], hides, beside });
    else this.apply(one, { root, outer: [one, ...outer], hides, beside });
  }

  private hiddenBy(one: Kustomization, changes: Changes | undefined): Set<string> {
    if (changes === undefined) return this.leave(one, 'kustomization');
    return changes.patched === undefined ? new Set() : this.leave(one, 'patches');
  }

  private hide(one: Kustomization, visit: Visit & { readonly hides: Set<string> }): void {
    const resources = new Set(this.resourcesOf(one, false));
    for (const path of this.referencesOf(one)) {
      const inner = this.all.get(path);
      if (inner !== undefined) this.visit(inner, visit);
      else {
        this.applicationsOf(path);
        if (resources.has(path)) visit.hides.add(path);
      }
    }
  }

  private apply(one: Kustomization, visit: Visit & { readonly hides: Set<string> }): void {
    const { root, outer, hides, beside } = visit;
    const changes = outer.flatMap((each) => this.changesOf(each) ?? []);
    const by = changes.flatMap((each) => each.by);
    const isPatched = changes.some(({ patched }) => patched !== undefined);
    const patched = isPatched ? changes.flatMap((each) => each.patched ?? []) : undefined;
    const resources = new Set(this.resourcesOf(one, true));
    for (const path of this.referencesOf(one)) {
      const inner = this.all.get(path);
      const isApplied = resources.has(path);
      if (inner !== undefined) this.visit(inner, { ...visit, hides: isApplied ? undefined : hides });
      else {
        const applied = this.applicationsOf(path);
        if (isApplied) applied.push({ at: below(root, path), by, beside, patched, hides });
      }
    }
    const generated = this.generatedBy(one, by);
    beside.push(...generated);
    this.generated.push(...generated.map(referenceTo));
  }

  private changesOf(one: Kustomization): Changes | undefined {
    if (!this.changes.has(one)) this.changes.set(one, this.readChanges(one, []));
    return this.changes.get(one);
  }

  /** Returns what a kustomization does to objects; undefined if it may do anything. */
  private readChanges({ data, folder }: Kustomization, around: readonly string[]): Changes | undefined {
    if (data === undefined || !isPlain(data) || around.includes(folder) || around.length > MAX_DEPTH) return undefined;
    const components = listAt(data, 'components').map((path) => {
      const component = typeof path === 'string' ? this.all.get(pathIn(folder, path)) : undefined;
      return component && this.readChanges(component, [...around, folder]);
    });
    const own = selectorsOf(data, (path) => this.files.get(posix.join(folder, path)));
    const known = components.flatMap((one) => one ?? []);
    if (own === undefined || known.length < components.length) return undefined;
    const isAlone = data.kind === 'Component' || components.length > 0 || own.length > 0;
    return {
      by: [...known.flatMap(({ by }) => by), data],
      patched: isAlone ? [...known.flatMap(({ patched = [] }) => patched), ...own] : undefined,
    };
  }

  private generatedBy({ data = {}, folder }: Kustomization, by: readonly Values[]): readonly KubernetesObject[] {
    const files = { get: (path: string) => this.files.get(posix.join(folder, path)) };
    return (['ConfigMap', 'Secret'] as const).flatMap((kind) =>
      listAt(data, kind === 'Secret' ? 'secretGenerator' : 'configMapGenerator').flatMap((generator) => {
        if (!isMap(generator) || text(generator.name) === undefined) return [];
        return [changedBy(generatedObject(kind, generator, files) as unknown as KubernetesObject, by)];
      }),
    );
  }

  /** Returns the paths of the files that are not read because of a kustomization, to be added to. */
  leave({ file }: Kustomization, why: 'circle' | 'kustomization' | 'patches'): Set<string> {
    this.applicationsOf(file);
    const key = `${file} ${why}`;
    const hides = this.left.get(key)?.hides ?? new Set<string>();
    this.left.set(key, { source: { file }, why, hides });
    return hides;
  }

  private applicationsOf(path: string): Application[] {
    const known = this.applications.get(path) ?? [];
    this.applications.set(path, known);
    return known;
  }

  /** Those that are not here are named, if the kustomization is read. */
  private resourcesOf({ data = {}, file, folder }: Kustomization, isRead: boolean): readonly string[] {
    return ['resources', 'bases', 'components']
      .flatMap((field) => listAt(data, field))
      .flatMap((given) => {
        if (typeof given !== 'string') return [];
        const path = pathIn(folder, given);
        if (path !== folder && (this.files.has(path) || this.all.has(path))) return [path];
        const why = path === folder ? 'circle' : 'elsewhere';
        if (isRead) this.left.set(`${file} ${why} ${given}`, { source: { file }, why, reason: given });
        return [];
      });
  }
}

/** Returns the path of a file or a folder. */
function pathIn(folder: string, given: string): string {
  return posix.join(folder, given).replace(/(?<=.)\/$/, '');
}

function isPlain(data: Values): boolean {
  return Object.entries(data).every(([field, value]) => READ.has(field) || isEmpty(value));
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

function below(folder: string, path: string): string {
  return folder === '.' || path.startsWith(`${folder}/`) ? path : `${folder}/${path.replace(/^(?:\.\.\/)+/, '')}`;
}

function referenceTo(object: KubernetesObject): Reference {
  const kind = object.kind === 'Secret' ? 'Secret' : 'ConfigMap';
  return { kind, namespace: namespaceOf(object), name: object.metadata.name };
}
