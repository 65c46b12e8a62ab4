import { isMap, type Values } from '#base/values';
import { HELM_YAML } from '#base/values-document';
import { parseDocuments } from '#base/yaml-documents';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { mapAt, text } from '../migrate/sources/source';

/** Whether a patch may change an object. */
export type Selector = (object: KubernetesObject) => boolean;

/** Fields with patches, and with replacements. */
export const PATCHES: readonly string[] = ['patches', 'patchesStrategicMerge', 'patchesJson6902', 'replacements'];

type ReadText = (path: string) => string | undefined;

/** Returns what the patches and replacements of a kustomization select; undefined if one of them may change any object. */
export function selectorsOf(data: Values, read: ReadText): readonly Selector[] | undefined {
  try {
    return PATCHES.flatMap((field) => listOf(data[field]).flatMap((entry) => ofEntry(field, entry, read)));
  } catch {
    return undefined;
  }
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new TypeError('not a list');
  return value;
}

function ofEntry(field: string, entry: unknown, read: ReadText): readonly Selector[] {
  if (field === 'replacements') return ofReplacement(entry, read);
  // A path, or the patch itself.
  if (typeof entry === 'string') return documentsIn(read(entry) ?? entry).map(ofMerge);
  if (!isMap(entry)) throw new TypeError('not a patch');
  if (isMap(entry.target)) return [selectorOf(entry.target)];
  return documentsIn(text(entry.patch) ?? read(text(entry.path) ?? '')).map(ofMerge);
}

function ofReplacement(entry: unknown, read: ReadText): readonly Selector[] {
  if (!isMap(entry)) throw new TypeError('not a replacement');
  const path = text(entry.path);
  const all = path === undefined ? [entry] : documentsIn(read(path)).flat();
  return all.flatMap((one) => {
    if (!isMap(one)) throw new TypeError('not a replacement');
    return listOf(one.targets).map((target) => {
      if (!(isMap(target) && isMap(target.select))) throw new TypeError('not a target');
      return selectorOf(target.select);
    });
  });
}

function documentsIn(content: string | undefined): readonly unknown[] {
  const documents = parseDocuments(content ?? '{', HELM_YAML);
  if (documents.some(({ errors }) => errors.length > 0)) throw new TypeError('not YAML');
  return documents.map((document): unknown => document.toJS()).filter((document) => document !== null);
}

/** A merge names its object. */
function ofMerge(document: unknown): Selector {
  if (!isMap(document)) throw new TypeError('not an object');
  const [kind, name] = [text(document.kind), text(mapAt(document, 'metadata').name)];
  if (kind === undefined || name === undefined) throw new TypeError('a merge without an object');
  return (object) => object.kind === kind && object.metadata.name === name;
}

/** Kind and name are regular expressions for the whole text. What else a target says could only select fewer objects. */
function selectorOf(target: Values): Selector {
  const [isKind, isName] = [matcherOf(target.kind), matcherOf(target.name)];
  return ({ kind, metadata }) => isKind(kind) && isName(metadata.name);
}

function matcherOf(pattern: unknown): (value: unknown) => boolean {
  if (pattern === undefined || pattern === null || pattern === '') return () => true;
  if (typeof pattern !== 'string') throw new TypeError('not a text');
  // Those of Go, in linear time: the pattern is a stranger's, and most repositories have none.
  const { RE2JS } = require('re2js') as typeof import('re2js');
  const regex = RE2JS.compile(pattern);
  return (value) => typeof value !== 'string' || regex.matches(value);
}
