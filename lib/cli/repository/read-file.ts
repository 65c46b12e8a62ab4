import { type Document, LineCounter, type Node } from 'yaml';
import type { FilePlace } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { isObject, objectOf } from '#base/is-object';
import { segmentsOf } from '#base/value-path';
import { HELM_YAML } from '#base/values-document';
import { parseDocuments } from '#base/yaml-documents';
import { nearestNode } from '#base/yaml-node';
import { expandList } from '../../gitops/tree/list-objects';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { CLI_FINDINGS } from '../findings';
import { keysInText } from './keys-in-text';
import { isReleaseKind } from './sources/objects';
import { PLACEHOLDER, VARIABLE } from './variables';

/** An object of a file. It may be incomplete. */
export interface FoundObject {
  readonly object: KubernetesObject;
  readonly source: FilePlace;
  /**
   * Returns the line of a field, or of what there is of the way to it.
   *
   * @default - the file was rendered
   */
  readonly lineOf?: (path: readonly string[]) => number;
}

/** What fills in parts of an object: a template, Flux, or another program. */
type Filled = 'placeholder' | 'substitution' | 'template';

/** Why a file, or a document of one, is not read. */
export type Unread = Filled | 'kustomization' | 'chart' | 'too-large';

/** What is not read, and why. */
export interface Skipped {
  readonly source: FilePlace;
  readonly why: Unread;
  /** In the words of the parser. */
  readonly reason?: string;
}

/** The objects of a file, and what it has besides. */
export interface ReadFile {
  readonly objects: readonly FoundObject[];
  readonly skipped: readonly Skipped[];
  /** What is wrong with the file, or with Lists. */
  readonly problems: readonly { readonly problem: Problem; readonly source: FilePlace }[];
}

const NOTHING: ReadFile = { objects: [], skipped: [], problems: [] };

/** Both stand in every manifest, whether it is YAML or JSON. */
const TYPED = [/\bapiVersion\b/, /\bkind\b/];

/** An action of a Helm or Go template. */
const TEMPLATE = /\{\{/;

/**
 * Reads the Kubernetes objects of a file: YAML or JSON, of one or several documents. Other files, such as values of a
 * chart, have none.
 */
export function readFile(file: string, text: string): ReadFile {
  if (!TYPED.every((word) => word.test(text))) return withKeys(NOTHING, { file }, text);
  const lines = lineStarts(text);
  let documents: readonly Document.Parsed[];
  try {
    documents = parseDocuments(text, HELM_YAML);
  } catch (error) {
    return withKeys(refuse({ file }, text, error instanceof Error ? error.message : String(error)), { file }, text);
  }
  const read = documents.map((document) => {
    const [start = 0, , end = text.length] = document.range;
    const at = { file, line: lines.linePos(start).line };
    return withKeys(readDocument(document, { file, text, lines }), at, text.slice(start, end));
  });
  return {
    objects: read.flatMap(({ objects }) => objects),
    problems: read.flatMap(({ problems }) => problems),
    // A template that is not rendered may have an error in each line.
    skipped: firstOf(read.flatMap(({ skipped }) => skipped)),
  };
}

/** Rules for objects find the keys in objects. */
function withKeys(read: ReadFile, at: FilePlace, text: string): ReadFile {
  if (read.objects.length > 0) return read;
  return { ...read, problems: [...read.problems, ...keysInText(at, text)] };
}

/** Returns a counter of the lines of a text. */
export function lineStarts(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

function firstOf(skipped: readonly Skipped[]): readonly Skipped[] {
  return skipped.filter(({ why }, index) => skipped.findIndex((one) => one.why === why) === index);
}

interface Place {
  readonly file: string;
  readonly text: string;
  readonly lines: LineCounter;
}

function readDocument(document: Document.Parsed, { file, text, lines }: Place): ReadFile {
  const at = (node: unknown): FilePlace => {
    const offset = (node as Node | undefined)?.range?.[0];
    return offset === undefined ? { file } : { file, line: lines.linePos(offset).line };
  };
  const [start = 0, , end = text.length] = document.range;
  const own = text.slice(start, end);
  if (!TYPED.every((word) => word.test(own))) return NOTHING;
  const [error] = document.errors;
  if (error !== undefined) {
    // Its message may quote a secret.
    return refuse({ file, line: lines.linePos(error.pos[0]).line }, own, error.code.toLowerCase().replaceAll('_', ' '));
  }
  const object: unknown = document.toJS({ maxAliasCount: -1 });
  if (!isObject(object) || !isManifest(object)) return NOTHING;
  const source = at(document.contents);
  const filled = filledLater(readBeforeFilling(object), object.kind === 'Secret');
  if (filled !== undefined) return { ...NOTHING, skipped: [{ source, why: filled }] };
  const whole = withoutNulls(object) as unknown as KubernetesObject;
  const lineOf = lineFinder(own, lines.linePos(start).line);
  const items = expandList(whole, NO_DEFAULTS);
  if (items === undefined) return { ...NOTHING, objects: [{ object: applied(whole), source, lineOf }] };
  const placed = items.map((item) => {
    const way = segmentsOf(item.place);
    return {
      ...item,
      source: at(nearestNode(document, way)),
      lineOf: (path: readonly string[]) => lineOf([...way, ...path]),
    };
  });
  return {
    ...NOTHING,
    objects: placed.flatMap((item) => ('object' in item ? [{ ...item, object: applied(item.object) }] : [])),
    problems: placed.flatMap((item) => ('problem' in item ? [item] : [])),
  };
}

/** Parses the document once more, for the few with findings: the tree of a parser takes many times the text. */
export function lineFinder(text: string, firstLine: number): (path: readonly string[]) => number {
  let parsed: readonly [Document.Parsed, LineCounter] | undefined;
  return (path) => {
    parsed ??= [parseDocuments(text, HELM_YAML)[0] as Document.Parsed, lineStarts(text)];
    const [document, lines] = parsed;
    return firstLine - 1 + lines.linePos(nearestNode(document, path).range?.[0] ?? 0).line;
  };
}

/** Files of tools, such as Kustomization, have a type, too, but no metadata. */
function isManifest({ apiVersion, kind, metadata, items }: Readonly<Record<string, unknown>>): boolean {
  if (apiVersion === undefined || kind === undefined) return false;
  const isNamedLater = isObject(metadata) && metadata.name === undefined && metadata.generateName !== undefined;
  return items !== undefined || (metadata !== undefined && !isNamedLater);
}

/** What API servers write into metadata, and drop if they read it. */
const SET_BY_SERVER = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'];

/** Returns what is applied of an object: without what only the cluster knows, and what sops has encrypted. */
function applied(object: KubernetesObject): KubernetesObject {
  const { status: _, sops, ...rest } = object;
  const metadata = omit(objectOf(rest.metadata), SET_BY_SERVER) as unknown as KubernetesObject['metadata'];
  const read = sops === undefined ? rest : omit(rest, ['data', 'stringData']);
  return { ...read, metadata } as KubernetesObject;
}

function omit(object: Readonly<Record<string, unknown>>, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Of a release, other fields are its values, and its version. */
function readBeforeFilling(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!(hasTemplates(object) || isReleaseKind(object))) return object;
  const { metadata, spec } = object;
  return { metadata, ...(!hasTemplates(object) && { namespace: objectOf(spec).targetNamespace }) };
}

const NO_DEFAULTS = { namespace: undefined, labels: {} };

/** API groups of controllers with templates of their own: these are complete with them. */
const WITH_TEMPLATES: ReadonlySet<string> = new Set([
  'argoproj.io',
  'external-secrets.io',
  'kyverno.io',
  'monitoring.coreos.com',
]);

function hasTemplates({ apiVersion }: Readonly<Record<string, unknown>>): boolean {
  return WITH_TEMPLATES.has(String(apiVersion).replace(/\/.*$/s, ''));
}

function refuse(source: FilePlace, text: string, reason: string): ReadFile {
  const why = filledText(text);
  if (why !== undefined) return { ...NOTHING, skipped: [{ source, why }] };
  return { ...NOTHING, problems: [{ source, problem: CLI_FINDINGS.fileUnreadableManifest({ reason }) }] };
}

/** Fields with texts of other programs, in which braces and dollars are theirs. */
const FOREIGN: ReadonlySet<string> = new Set(['annotations', 'args', 'command', 'data', 'env', 'stringData', 'values']);

/** Annotations that rules read. */
const OF_LINKERD = /^(?:[^/]+\.)?linkerd\.io\//;

/** Returns what fills in parts of an object before it is applied; undefined if it is complete. */
function filledLater(value: unknown, isSecret = false): Filled | undefined {
  if (typeof value === 'string') return filledText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    // An action without quotes is a map whose key is a map.
    if (key.startsWith('{')) return 'template';
    // Data of a Secret is in base64, in which neither can be.
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

/** Returns a copy without the members that are null, which the API server drops when it decodes an object. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === null ? [] : [[key, withoutNulls(member)] as const])),
  );
}
