import type { JsonPatch } from 'cdk8s';
import { isMap, overlayValues, type Value, type Values } from '#base/values';
import { isBuiltIn } from '#kubernetes/objects/api-groups';
import { isClusterScoped } from '#linkerd/api-groups';
import { documentsIn, type PlacedMap, typeOf } from './documents';
import { inside, listAt, mapAt, placeText, text } from './sources/source';
import { strategicMerge } from './strategic-merge';

/** An object with the changes of kustomizations. */
export interface Resource {
  readonly item: PlacedMap;
  /** The object as in its file: patches may select it by its original name. */
  readonly original: Values;
  /** The name with prefixes and suffixes; absent without any. Within a build, names are compared without them. */
  readonly renamed?: string | undefined;
  readonly isGenerated?: boolean;
  /** The files of kustomizations that may change the object in an unsupported way. */
  readonly unsure: readonly string[];
}

/** A patch, a replacement or a transformer of a kustomization. */
export interface Patch {
  /** The file and the path in it. */
  readonly place: string;
  readonly steps: readonly Step[];
}

interface Step {
  /** The selected kind, if the step names one. */
  readonly kind?: string | undefined;
  readonly selects: (one: Resource) => boolean;
  /** Absent for an unsupported step. Returns undefined for an object that the step deletes. */
  readonly change?: (data: Values) => Values | undefined;
}

/** Whether a patch may change every object. */
export function isOfAny({ steps }: Patch): boolean {
  return steps.some(({ selects, change }) => selects === ANY && change === undefined);
}

const ANY = () => true;
const UNKNOWN: readonly Step[] = [{ selects: ANY }];

type ReadText = (path: string) => string | undefined;

/** Returns the patches in a field of a kustomization. An unreadable patch may change any object. */
export function patchesOf({ data, file, line }: PlacedMap, field: string, read: ReadText): readonly Patch[] {
  const entries: unknown = data[field] ?? [];
  const at = inside({ file: `${file}:${line}`, path: '' }, field);
  if (!Array.isArray(entries))
    return [{ place: placeText(at), steps: isMap(entries) && isEmpty(entries) ? [] : UNKNOWN }];
  const stepsOf = field === 'replacements' ? replaced : field === 'transformers' ? transformed : patched;
  return (entries as readonly Value[]).map((entry, index) => {
    const place = placeText(inside(at, index));
    try {
      return { place, steps: stepsOf(entry, read) };
    } catch {
      return { place, steps: UNKNOWN };
    }
  });
}

function isEmpty(map: Values): boolean {
  return Object.keys(map).length === 0;
}

/** Applies a patch to all objects that it selects. If that is not possible, marks these objects. */
export function applyPatch(
  objects: readonly Resource[],
  { steps }: Patch,
  by: string,
): { readonly objects: readonly Resource[]; readonly isApplied: boolean } {
  try {
    return { objects: steps.reduce(applied, objects), isApplied: true };
  } catch {
    // An operation does not fit the object, or is not supported.
    const selected = (one: Resource) => steps.some(({ selects }) => selects(one));
    return { objects: objects.map((one) => (selected(one) ? unsure(one, by) : one)), isApplied: false };
  }
}

/** Marks an object that a kustomization may change. */
export function unsure(one: Resource, by: string): Resource {
  return { ...one, unsure: [...one.unsure, by] };
}

function applied(objects: readonly Resource[], { selects, change }: Step): readonly Resource[] {
  if (change === undefined) throw new TypeError('not known');
  return objects.flatMap((one) => {
    const data = selects(one) ? change(one.item.data) : one.item.data;
    return data === undefined ? [] : data === one.item.data ? [one] : [{ ...one, item: { ...one.item, data } }];
  });
}

function patched(entry: Value, read: ReadText): readonly Step[] {
  const { target, path, patch } = isMap(entry) ? entry : { target: undefined, path: undefined, patch: entry };
  const content = text(path) === undefined ? contentOf(patch, read) : read(String(path));
  const documents = content === undefined ? undefined : contentsIn(content);
  if (isMap(target)) return targeted(target, documents);
  if (documents === undefined) throw new TypeError('not there');
  return documents.map((document) => {
    const { kind, apiVersion } = isMap(document) ? document : ({} as Values);
    const { name, namespace } = isMap(document) ? mapAt(document, 'metadata') : {};
    if (text(kind) === undefined || text(name) === undefined) throw new TypeError('a merge that names no object');
    const names = (data: Values) =>
      mapAt(data, 'metadata').name === name && isSameOrAbsent(mapAt(data, 'metadata').namespace, namespace);
    return {
      kind: text(kind),
      selects: ({ item: { data }, original }) =>
        data.kind === kind && isSameOrAbsent(data.apiVersion, apiVersion) && (names(data) || names(original)),
      change: (data) => changed(data, document),
    };
  });
}

function targeted(target: Values, documents: readonly unknown[] | undefined): readonly Step[] {
  const kind = text(target.kind);
  const { selects, isExact } = selectorOf(target);
  if (documents === undefined || !isExact) return [{ kind, selects }];
  return documents.map((document) => ({ kind, selects, change: (data) => changed(data, document) }));
}

/** Returns the text of a patch, which is inline or in a file. */
function contentOf(patch: Value | undefined, read: ReadText): string | undefined {
  if (typeof patch !== 'string') return isMap(patch) || Array.isArray(patch) ? JSON.stringify(patch) : undefined;
  return read(patch) ?? patch;
}

/** Reads only the targets of replacements, because the replacing value is in another object. */
function replaced(entry: Value, read: ReadText): readonly Step[] {
  const path = isMap(entry) ? text(entry.path) : undefined;
  const all = path === undefined ? [entry] : contentsIn(read(path) ?? '5').flat();
  return all.flatMap((one) => {
    if (!isMap(one)) throw new TypeError('not a replacement');
    return listAt(one, 'targets').map((target) => {
      if (!(isMap(target) && isMap(target.select))) throw new TypeError('not a target');
      return { kind: text(target.select.kind), selects: selectorOf(target.select).selects };
    });
  });
}

/** Reads configurations in a file, or inline. Each has a target, or the kinds of objects with fields to change. */
function transformed(entry: Value, read: ReadText): readonly Step[] {
  return contentsIn(read(String(entry)) ?? String(entry)).map((document) => {
    if (!isMap(document) || text(document.kind) === undefined) throw new TypeError('not a transformer');
    const { target, replica, fieldSpecs } = document;
    if (isMap(target)) return { kind: text(target.kind), selects: selectorOf(target).selects };
    if (isMap(replica)) return { selects: ({ item, original }) => [item.data, original].some(named(replica.name)) };
    const kinds = (Array.isArray(fieldSpecs) ? fieldSpecs : [{}]).map(
      (spec: unknown) => isMap(spec) && text(spec.kind),
    );
    if (kinds.some((kind) => typeof kind !== 'string')) throw new TypeError('of any object');
    return { selects: ({ item: { data } }) => kinds.includes(String(data.kind)) };
  });
}

function named(name: unknown): (data: Values) => boolean {
  return (data) => mapAt(data, 'metadata').name === name;
}

/** @throws TypeError if a text is not YAML */
function contentsIn(content: string): readonly unknown[] {
  const documents = documentsIn(content);
  if (documents.some(({ unreadable }) => unreadable !== undefined)) throw new TypeError('not YAML');
  return documents.flatMap(({ data }) => (data === null ? [] : [data]));
}

/** @throws TypeError if the patch cannot be applied */
function changed(data: Values, document: unknown): Values | undefined {
  if (Array.isArray(document)) {
    const { JsonPatch: of } = require('cdk8s') as typeof import('cdk8s');
    const operations = (document as readonly unknown[]).map((one) => operationOf(isMap(one) ? one : {}, of));
    const after: unknown = of.apply(structuredClone(data), ...operations);
    if (!isMap(after)) throw new TypeError('a patch replaces its object');
    return after;
  }
  if (!isMap(document)) throw new TypeError('not a patch');
  const { $patch, apiVersion: _, kind: __, metadata: _metadata, ...rest } = document;
  if ($patch === 'delete') return undefined;
  const { name: ___, namespace: ____, ...others } = mapAt(document, 'metadata');
  const merge: Values = { ...rest, ...(!isEmpty(others) && { metadata: others }) };
  if ($patch !== undefined) throw new TypeError('a directive');
  if (isBuiltIn(typeOf(data))) return strategicMerge(data, merge);
  if (hasDirective(merge)) throw new TypeError('a directive');
  return overlayValues(data, merge);
}

function operationOf({ op, path, value }: Values, of: typeof JsonPatch): JsonPatch {
  if (typeof path !== 'string') throw new TypeError('an operation without a path');
  if (op === 'remove') return of.remove(path);
  if (op === 'add') return of.add(path, value);
  if (op === 'replace') return of.replace(path, value);
  if (op === 'test') return of.test(path, value);
  throw new TypeError('an operation that is not supported');
}

function hasDirective(value: Value | undefined): boolean {
  if (Array.isArray(value)) return (value as readonly Value[]).some(hasDirective);
  return isMap(value) && Object.entries(value).some(([key, member]) => key.startsWith('$') || hasDirective(member));
}

/** Ignores an unsupported label selector: the other parts alone select at least the same objects. */
function selectorOf(target: Values): { readonly selects: Step['selects']; readonly isExact: boolean } {
  const [isKind, isName, isNamespace] = [target.kind, target.name, target.namespace].map(patternOf);
  const [isGroup, isVersion] = [target.group, target.version].map(patternOf);
  const [labels, annotations] = [pairsOf(target.labelSelector), pairsOf(target.annotationSelector)];
  const has = (metadata: Values, field: string, pairs: ReadonlyMap<string, string> | undefined) =>
    [...(pairs ?? [])].every(([key, value]) => mapAt(metadata, field)[key] === value);
  const selects: Step['selects'] = ({ item: { data }, original }) => {
    const [, group = '', version = ''] = /^(?:(.*)\/)?(.*)$/s.exec(String(data.apiVersion ?? '')) ?? [];
    const metadata = mapAt(data, 'metadata');
    return (
      isKind?.(data.kind) === true &&
      (data.apiVersion === undefined || (isGroup?.(group) === true && isVersion?.(version) === true)) &&
      [data, original].some((one) => isName?.(mapAt(one, 'metadata').name)) &&
      [data, original].some((one) => isNamespace?.(namespaceIn(one))) &&
      has(metadata, 'labels', labels) &&
      has(metadata, 'annotations', annotations)
    );
  };
  return { selects, isExact: labels !== undefined && annotations !== undefined };
}

/** Returns the namespace by which Kustomize selects an object. Only built-in kinds can be cluster-scoped for it. */
function namespaceIn(data: Values): string {
  const type = typeOf(data);
  return isBuiltIn(type) && isClusterScoped(type)
    ? '_non_namespaceable_'
    : (text(mapAt(data, 'metadata').namespace) ?? 'default');
}

/** Returns a predicate: does a regular expression match the whole text? */
function patternOf(pattern: unknown): (value: unknown) => boolean {
  if (pattern === undefined || pattern === null || pattern === '') return ANY;
  if (typeof pattern !== 'string') throw new TypeError('not a text');
  // RE2 has Go's syntax, and linear time for untrusted patterns. Loaded on demand: most repositories have no patterns.
  const { RE2JS } = require('re2js') as typeof import('re2js');
  const regex = RE2JS.compile(pattern);
  return (value) => typeof value === 'string' && regex.matches(value);
}

/** Returns undefined for an unsupported selector. */
function pairsOf(selector: Value | undefined): ReadonlyMap<string, string> | undefined {
  if (selector === undefined || selector === null || selector === '') return new Map();
  const pairs = String(selector)
    .split(',')
    .map((pair) => /^([^=!\s]+)==?([^=!\s]*)$/.exec(pair.trim()));
  return pairs.includes(null) ? undefined : new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}

function isSameOrAbsent(one: unknown, other: unknown): boolean {
  return one === undefined || other === undefined || one === other;
}
