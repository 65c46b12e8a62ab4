import type { FilePlace } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { isObject, objectOf } from '#base/is-object';
import { listItems } from '#base/list-items';
import { isMap, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { CLI_FINDINGS } from '../findings';
import { documentsIn, type FileDocument, type FoundObject, lineFinder } from './documents';
import { keysInText } from './keys-in-text';
import { isReleaseKind } from './sources/objects';
import { PLACEHOLDER, VARIABLE } from './variables';

/** How parts of an object are filled in later: by a template, by Flux, or by another program. */
type Filled = 'placeholder' | 'substitution' | 'template';

/** Why a file, or a document of one, is not read. */
export type Unread = Filled | 'kustomization' | 'chart' | 'too-large';

/** A file or document that is not read, and why. */
export interface Skipped {
  readonly source: FilePlace;
  readonly why: Unread;
  /** The message of the parser. */
  readonly reason?: string;
}

/** The objects of a file, its skipped documents, and its problems. */
export interface ReadFile {
  readonly objects: readonly FoundObject[];
  readonly skipped: readonly Skipped[];
  /** Problems of the file, or of Lists in it. */
  readonly problems: readonly { readonly problem: Problem; readonly source: FilePlace }[];
}

const NOTHING: ReadFile = { objects: [], skipped: [], problems: [] };

/** Every manifest contains both words, in YAML and in JSON. */
const TYPED = [/\bapiVersion\b/, /\bkind\b/];

const TEMPLATE = /\{\{/;

/**
 * Reads the Kubernetes objects of a file: YAML or JSON, of one or several documents. Other files, such as values of a
 * chart, have none.
 */
export function readFile(file: string, text: string): ReadFile {
  if (!isTyped(text)) return { ...NOTHING, problems: keysInText({ file }, text) };
  const read = documentsIn(text).map((document) => {
    const own = isTyped(document.text) ? readDocument(file, document) : NOTHING;
    // Rules for objects report the private keys in objects.
    if (own.objects.length > 0) return own;
    return { ...own, problems: [...own.problems, ...keysInText({ file, line: document.firstLine }, document.text)] };
  });
  return {
    objects: read.flatMap(({ objects }) => objects),
    problems: read.flatMap(({ problems }) => problems),
    // Each reason once, because an unrendered template may have an error in each line.
    skipped: firstOf(read.flatMap(({ skipped }) => skipped)),
  };
}

/** Returns the content of a file with other places. */
export function movedTo({ objects, skipped, problems }: ReadFile, place: (source: FilePlace) => FilePlace): ReadFile {
  const moved = <T extends { readonly source: FilePlace }>(one: T): T => ({ ...one, source: place(one.source) });
  return { objects: objects.map(moved), skipped: skipped.map(moved), problems: problems.map(moved) };
}

function isTyped(text: string): boolean {
  return TYPED.every((word) => word.test(text));
}

function firstOf(skipped: readonly Skipped[]): readonly Skipped[] {
  return skipped.filter(({ why }, index) => skipped.findIndex((one) => one.why === why) === index);
}

function readDocument(file: string, document: FileDocument): ReadFile {
  const { text, firstLine, line, data, maps, others, unreadable: reason } = document;
  const source = { file, ...(line !== undefined && { line }) };
  if (reason !== undefined) {
    const why = filledText(text);
    if (why !== undefined) return { ...NOTHING, skipped: [{ source, why }] };
    return { ...NOTHING, problems: [{ source, problem: CLI_FINDINGS.fileUnreadableManifest({ reason }) }] };
  }
  if (!isMap(data) || !isManifest(data)) return NOTHING;
  const why = filledIn(data);
  if (why !== undefined) return { ...NOTHING, skipped: [{ source, why }] };
  const lineOf = lineFinder(text, firstLine);
  return {
    ...NOTHING,
    objects: maps.map((map) => ({
      object: applied(withoutNulls(map.data) as KubernetesObject),
      source: { file, line: map.line },
      lineOf: (path) => lineOf([...map.path, ...path]),
    })),
    problems: others.map(({ problem, line: own }) => ({ problem, source: { file, line: own } })),
  };
}

/** Returns a copy without null members, which the API server drops when it decodes an object. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === null ? [] : [[key, withoutNulls(member)] as const])),
  );
}

/** Files of tools, such as Kustomization, have a type, too, but no metadata. */
function isManifest({ apiVersion, kind, metadata, items }: Values): boolean {
  if (apiVersion === undefined || kind === undefined) return false;
  const isNamedLater = isMap(metadata) && metadata.name === undefined && metadata.generateName !== undefined;
  return items !== undefined || (metadata !== undefined && !isNamedLater);
}

/** Fields of metadata that the API server sets, and ignores in manifests. */
const SET_BY_SERVER = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'];

/** Returns an object without fields that the API server sets, and without data that sops has encrypted. */
function applied(object: KubernetesObject): KubernetesObject {
  const { status: _, sops, ...rest } = object;
  const metadata = omit(objectOf(rest.metadata), SET_BY_SERVER) as unknown as KubernetesObject['metadata'];
  const read = sops === undefined ? rest : omit(rest, ['data', 'stringData']);
  return { ...read, metadata } as KubernetesObject;
}

function omit(object: Readonly<Record<string, unknown>>, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Returns the fields that must be complete. The other fields of a release, its values and version, are read apart. */
function readBeforeFilling(object: Values): Readonly<Record<string, unknown>> {
  if (!(hasTemplates(object) || isReleaseKind(object))) return object;
  const { metadata, spec } = object;
  return { metadata, ...(!hasTemplates(object) && { namespace: objectOf(spec).targetNamespace }) };
}

/** API groups of controllers with their own templates: objects with these templates are complete. */
const WITH_TEMPLATES: ReadonlySet<string> = new Set([
  'argoproj.io',
  'external-secrets.io',
  'kyverno.io',
  'monitoring.coreos.com',
]);

function hasTemplates({ apiVersion }: Values): boolean {
  return WITH_TEMPLATES.has(String(apiVersion).replace(/\/.*$/s, ''));
}

/** Returns how parts of an object, or of the objects of a List, are filled in before it is applied. */
function filledIn(value: unknown): Filled | undefined {
  if (!isMap(value)) return filledLater(value);
  const items = listItems(value);
  if (items === undefined) return filledLater(readBeforeFilling(value), value.kind === 'Secret');
  return filledLater({ ...value, items: [] }) ?? items.map(filledIn).find((why) => why !== undefined);
}

/** Fields with texts for other programs, which may use braces and dollar signs. */
const FOREIGN: ReadonlySet<string> = new Set(['annotations', 'args', 'command', 'data', 'env', 'stringData', 'values']);

/** Annotations that rules read. */
const OF_LINKERD = /^(?:[^/]+\.)?linkerd\.io\//;

/** Returns how parts of an object are filled in before it is applied; undefined if it is complete. */
function filledLater(value: unknown, isSecret = false): Filled | undefined {
  if (typeof value === 'string') return filledText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    // YAML reads a template action without quotes as a map with a map as its key.
    if (key.startsWith('{')) return 'template';
    // The data of a Secret is in base64, which contains neither braces nor dollar signs.
    const isForeign = FOREIGN.has(key) && !(isSecret && key === 'data');
    const read = key === 'annotations' ? annotationsOfLinkerd(member) : member;
    if (isForeign && key !== 'annotations') continue;
    const found = filledLater(read);
    if (found !== undefined) return found;
  }
  return undefined;
}

function annotationsOfLinkerd(annotations: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(objectOf(annotations)).filter(([key]) => OF_LINKERD.test(key)));
}

function filledText(text: string): Filled | undefined {
  if (VARIABLE.test(text)) return 'substitution';
  if (PLACEHOLDER.test(text)) return 'placeholder';
  return TEMPLATE.test(text) ? 'template' : undefined;
}
