import { posix } from 'node:path';
import { isMap, type Values } from '#base/values';
import { HELM_YAML } from '#base/values-document';
import { parseDocuments } from '#base/yaml-documents';
import { type KubernetesObject, namespaceOf } from '../../kubernetes/kubernetes-object';
import type { Reference } from '../../kubernetes/references';
import { listAt, text } from '../migrate/sources/source';
import { generatedObject } from '../migrate/sources/values-from';
import { changedBy } from './kustomized-object';
import type { NotRead } from './unread';

/** How a kustomization applies a file. */
interface Application {
  /** The path of the file, below the folder of the outermost kustomization. */
  readonly at: string;
  /** The kustomizations, the innermost first. */
  readonly by: readonly Values[];
  /** What the outermost kustomization, and those in it, generate. */
  readonly beside: readonly KubernetesObject[];
}

/** What the kustomizations among files do with these. */
export interface Kustomized {
  /** By path; empty for a file that is not read. Other files are read as they are. */
  readonly applications: ReadonlyMap<string, readonly Application[]>;
  /** ConfigMaps and Secrets. */
  readonly generated: readonly Reference[];
  readonly unread: readonly NotRead[];
}

const NAMES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

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
  ...['configMapGenerator', 'secretGenerator', 'generatorOptions'],
]);

/** The fields whose texts are names, which may be those of folders. */
const NO_PATHS: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'namespace', 'namePrefix', 'nameSuffix'],
  ...['labels', 'commonLabels', 'commonAnnotations', 'images', 'replicas'],
]);

/** Each may list the one before it twice. */
const MAX_VISITS = 10_000;

/**
 * Decides which files kustomizations apply, and how: each that no other one refers to, with all that it refers to. One
 * that changes objects in other ways is named, and what it refers to is read only if another one applies it.
 */
export function kustomizationsIn(files: ReadonlyMap<string, string>): Kustomized {
  const all = new Map(
    [...files].flatMap(([file, content]) => {
      if (!NAMES.includes(posix.basename(file))) return [];
      const folder = posix.dirname(file);
      return [[folder, { file, folder, data: dataIn(content) }]];
    }),
  );
  if (all.size === 0) return { applications: new Map(), generated: [], unread: [] };
  const walk = new Walk(files, all);
  const referenced = new Set([...all.values()].flatMap((one) => walk.referencesOf(one)));
  const roots = [...all.values()].filter(({ folder }) => !referenced.has(folder));
  for (const root of roots) walk.visit(root, { root: root.folder, outer: [], isRead: true, beside: [] });
  // Those of a circle refer to each other.
  for (const one of all.values()) if (!walk.applications.has(one.file)) walk.leave(one);
  return { ...walk, unread: [...walk.left.values()] };
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
  readonly isRead: boolean;
  readonly beside: KubernetesObject[];
}

class Walk {
  readonly applications = new Map<string, Application[]>();
  readonly generated: Reference[] = [];
  readonly left = new Map<string, NotRead>();
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

  visit(one: Kustomization, { root, outer, isRead, beside }: Visit): void {
    if (outer.includes(one)) return;
    const isOwn = isRead && isPlain(one.data) && ++this.visits <= MAX_VISITS;
    this.applicationsOf(one.file);
    if (isRead && !isOwn) this.leave(one);
    if (this.visits > MAX_VISITS) return;
    const around = [one, ...outer];
    const by = around.map(({ data }) => data ?? {});
    const resources = new Set(isOwn ? this.resourcesOf(one) : []);
    for (const path of this.referencesOf(one)) {
      const inner = this.all.get(path);
      if (inner !== undefined) this.visit(inner, { root, outer: around, isRead: resources.has(path), beside });
      else {
        const applied = this.applicationsOf(path);
        if (resources.has(path)) applied.push({ at: below(root, path), by, beside });
      }
    }
    if (!isOwn) return;
    const generated = this.generatedBy(one, by);
    beside.push(...generated);
    this.generated.push(...generated.map(referenceTo));
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

  leave({ file }: Kustomization): void {
    this.applicationsOf(file);
    this.left.set(file, { source: { file }, why: 'kustomization' });
  }

  private applicationsOf(path: string): Application[] {
    const known = this.applications.get(path) ?? [];
    this.applications.set(path, known);
    return known;
  }

  /** Those that are not here are named. */
  private resourcesOf({ data = {}, file, folder }: Kustomization): readonly string[] {
    return [...listAt(data, 'resources'), ...listAt(data, 'bases')].flatMap((given) => {
      if (typeof given !== 'string') return [];
      const path = posix.join(folder, given).replace(/(?<=.)\/$/, '');
      if (this.files.has(path) || this.all.has(path)) return [path];
      this.left.set(`${file} ${given}`, { source: { file }, why: 'elsewhere', reason: given });
      return [];
    });
  }
}

function isPlain(data: Values | undefined): boolean {
  if (data === undefined || data.kind === 'Component') return false;
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
