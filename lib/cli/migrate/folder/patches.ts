import { JsonPatch } from 'cdk8s';
import { isMap, overlayValues, type Value, type Values } from '#base/values';
import { HELM_YAML } from '#base/values-document';
import { parseDocuments } from '#base/yaml-documents';
import { mapAt, text } from '../sources/source';
import type { PlacedMap } from './documents';

/** A patch of a kustomization. */
export interface Patch {
  readonly target: Values | undefined;
  /** The patch itself, in YAML; undefined if its file is not there. */
  readonly content: string | undefined;
  /** The file and the path in it. */
  readonly place: string;
}

/** Objects after patches, and the places of the patches that could not be applied. */
export interface Patched {
  readonly objects: readonly PlacedMap[];
  readonly left: readonly string[];
}

/** Applies the patches of a kustomization in order: operations of RFC 6902, and merges. */
export function applyPatches(objects: readonly PlacedMap[], patches: readonly Patch[]): Patched {
  let patched = objects;
  const left: string[] = [];
  for (const patch of patches) {
    const next = applied(patched, patch);
    if (next !== undefined) patched = next;
    else if (concernsMesh(patch)) left.push(patch.place);
  }
  return { objects: patched, left };
}

/** The kinds of which the program is made. */
const OF_PROGRAM = [
  ...['HelmRelease', 'Application', 'ApplicationSet', 'HelmChart', 'HelmChartConfig', 'Kustomization'],
  ...['Certificate', 'Issuer', 'ClusterIssuer', 'Bundle', 'Namespace', 'ConfigMap', 'Secret'],
];

/** Whether it can change what becomes a program. */
function concernsMesh({ target, content = '' }: Patch): boolean {
  const [, own] = /^kind: *["']?(\w+)/m.exec(content) ?? [];
  const kind = text(target?.kind) ?? own;
  return kind === undefined || OF_PROGRAM.includes(kind);
}

/** undefined if the patch cannot be applied to one of its objects. */
function applied(objects: readonly PlacedMap[], { target, content }: Patch): readonly PlacedMap[] | undefined {
  const documents = content === undefined ? undefined : documentsOf(content);
  if (documents === undefined) return undefined;
  try {
    return documents.reduce<readonly PlacedMap[]>((before, document) => {
      const selects = selectorOf(target ?? targetOf(document));
      return before.flatMap((object) => (selects(object.data) ? changed(object, document) : [object]));
    }, objects);
  } catch {
    // Operations that do not fit, and selectors that are not supported.
    return undefined;
  }
}

function documentsOf(content: string): readonly unknown[] | undefined {
  try {
    const documents = parseDocuments(content, HELM_YAML);
    if (documents.some(({ errors }) => errors.length > 0)) return undefined;
    return documents.map((document): unknown => JSON.parse(JSON.stringify(document.toJS() ?? null)));
  } catch {
    return undefined;
  }
}

/** A merge names its object itself. */
function targetOf(document: unknown): Values {
  const { kind, metadata } = isMap(document) ? document : ({} as Values);
  const { name, namespace } = isMap(metadata) ? metadata : ({} as Values);
  if (text(kind) === undefined || text(name) === undefined) throw new TypeError('a patch without a target');
  return { kind, name, ...(namespace !== undefined && { namespace }) };
}

function changed(object: PlacedMap, document: unknown): readonly PlacedMap[] {
  if (Array.isArray(document)) {
    const operations = (document as readonly Values[]).map(operationOf);
    const data: unknown = JsonPatch.apply(structuredClone(object.data), ...operations);
    if (!isMap(data)) throw new TypeError('a patch replaces its object');
    return [{ ...object, data }];
  }
  if (!isMap(document)) return [object];
  const { $patch, apiVersion: _, kind: __, metadata, ...rest } = document;
  if ($patch === 'delete') return [];
  if ($patch !== undefined || hasDirective(rest)) throw new TypeError('a directive');
  const { name: ___, ...others } = isMap(metadata) ? metadata : ({} as Values);
  return [{ ...object, data: overlayValues(object.data, { ...rest, metadata: others }) }];
}

function operationOf({ op, path, value }: Values): JsonPatch {
  if (typeof path !== 'string') throw new TypeError('an operation without a path');
  if (op === 'remove') return JsonPatch.remove(path);
  if (op === 'add') return JsonPatch.add(path, value);
  if (op === 'replace') return JsonPatch.replace(path, value);
  if (op === 'test') return JsonPatch.test(path, value);
  throw new TypeError('an operation that is not supported');
}

function hasDirective(value: Value | undefined): boolean {
  if (Array.isArray(value)) return (value as readonly Value[]).some(hasDirective);
  return isMap(value) && Object.entries(value).some(([key, member]) => key.startsWith('$') || hasDirective(member));
}

/** @throws TypeError for a selector that is not supported */
function selectorOf({ kind, name, namespace, labelSelector, annotationSelector }: Values): (object: Values) => boolean {
  const [isNamed, isPlaced] = [patternOf(name), patternOf(namespace)];
  const [labels, annotations] = [pairsOf(labelSelector), pairsOf(annotationSelector)];
  return (object) => {
    const metadata = mapAt(object, 'metadata');
    const has = (field: string, pairs: ReadonlyMap<string, string>) =>
      [...pairs].every(([key, value]) => mapAt(metadata, field)[key] === value);
    return (
      (kind === undefined || kind === object.kind) &&
      isNamed(metadata.name) &&
      (metadata.namespace === undefined || isPlaced(metadata.namespace)) &&
      has('labels', labels) &&
      has('annotations', annotations)
    );
  };
}

/** Of regular expressions, those of names and `.*`, between which `|` may be. */
function patternOf(pattern: Value | undefined): (value: Value | undefined) => boolean {
  if (pattern === undefined || pattern === null || pattern === '') return () => true;
  if (typeof pattern !== 'string') throw new TypeError('a name that is no text');
  const choices = pattern.replace(/^\^|\$$/g, '').split('|');
  if (!choices.every((choice) => /^(?:[\w.-]|\.\*)*$/.test(choice))) throw new TypeError('a pattern');
  return (value) => choices.some((choice) => isMatch(String(value), choice.split('.*')));
}

/** Each part follows the one before it; the first begins the text, and the last ends it. */
function isMatch(value: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return value === first;
  let at = value.startsWith(first) ? first.length : -1;
  for (const part of others) {
    if (at < 0) return false;
    const found = value.indexOf(part, at);
    at = found < 0 ? -1 : found + part.length;
  }
  return at >= 0 && value.length - last.length >= at && value.endsWith(last);
}

function pairsOf(selector: Value | undefined): ReadonlyMap<string, string> {
  if (selector === undefined || selector === null || selector === '') return new Map();
  const pairs = String(selector)
    .split(',')
    .map((pair) => /^([^=!\s]+)==?([^=!\s]*)$/.exec(pair.trim()));
  if (pairs.includes(null)) throw new TypeError('a selector');
  return new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}
