import { compareStrings } from '../go/go-string';
import { basePath } from '../go/path';
import { trimSpace } from '../go/unicode';
import { type Budget, FunctionError, type GoValue } from '../go/values';
import { readYaml } from '../yaml/read-yaml';
import { installRank, UNKNOWN_RANK } from './install-order';
import { FieldError, StructFields } from './struct-fields';

interface PrintedDocument {
  /** The path of the template: `chart/templates/service.yaml`. */
  readonly source: string;
  readonly text: string;
  /** The line of the template's output, from 1, at which the document begins. */
  readonly line: number;
}

/** A document that a template prints. */
export interface Manifest extends PrintedDocument {
  readonly kind: string;
  readonly value: GoValue;
}

type HookEvent =
  | 'pre-install'
  | 'post-install'
  | 'pre-delete'
  | 'post-delete'
  | 'pre-upgrade'
  | 'post-upgrade'
  | 'pre-rollback'
  | 'post-rollback'
  | 'test';

/** A document that Helm applies at events of the release, and not with its other objects. */
export interface HookManifest extends Manifest {
  readonly name: string;
  readonly events: readonly HookEvent[];
  readonly weight: number;
  readonly deletePolicies: readonly string[];
}

/** All documents of a chart, in Helm's install order. */
export interface SortedManifests {
  readonly manifests: readonly Manifest[];
  readonly hooks: readonly HookManifest[];
}

/** A document that Helm cannot read. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';

  constructor(
    readonly manifest: PrintedDocument,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${manifest.source}: ${reason}`, options);
  }
}

/** The events of hooks, by annotation. Helm 2 names the event of tests `test-success`. */
const EVENTS: ReadonlyMap<string, HookEvent> = new Map<string, HookEvent>([
  ['pre-install', 'pre-install'],
  ['post-install', 'post-install'],
  ['pre-delete', 'pre-delete'],
  ['post-delete', 'post-delete'],
  ['pre-upgrade', 'pre-upgrade'],
  ['post-upgrade', 'post-upgrade'],
  ['pre-rollback', 'pre-rollback'],
  ['post-rollback', 'post-rollback'],
  ['test', 'test'],
  ['test-success', 'test'],
]);

/** Each document takes a few hundred bytes, however short it is. */
const STEPS_PER_DOCUMENT = 20;

/**
 * Splits the output of templates into documents, and sorts them as Helm does. Notes and partials are left out.
 *
 * @throws ManifestError if a document is not YAML, or its apiVersion, kind or metadata have another type
 */
export function sortManifests(printed: ReadonlyMap<string, string>, budget: Budget): SortedManifests {
  const [manifests, hooks]: [Manifest[], HookManifest[]] = [[], []];
  for (const source of [...printed.keys()].sort(compareStrings)) {
    const text = printed.get(source) ?? '';
    if (source.endsWith('NOTES.txt') || basePath(source).startsWith('_')) continue;
    for (const document of splitManifests(text)) {
      budget.spend(STEPS_PER_DOCUMENT);
      addManifest({ source, ...document }, documentOf({ source, ...document }, budget), manifests, hooks);
    }
  }
  return { manifests: inInstallOrder(manifests), hooks: inInstallOrder(hooks) };
}

/** Sorts hooks as Helm runs them at an event: by weight, then by name. */
export function inHookOrder(hooks: readonly HookManifest[]): readonly HookManifest[] {
  return hooks.toSorted((a, b) => a.weight - b.weight || compareStrings(a.name, b.name));
}

function inInstallOrder<M extends Manifest>(manifests: readonly M[]): readonly M[] {
  return manifests.toSorted(({ kind: a }, { kind: b }) => {
    const [left, right] = [installRank(a), installRank(b)];
    return left === right && left === UNKNOWN_RANK ? compareStrings(a, b) : left - right;
  });
}

function addManifest(document: PrintedDocument, value: GoValue, manifests: Manifest[], hooks: HookManifest[]): void {
  const { kind, name, annotations } = headOf(document, value);
  const manifest = { ...document, kind, value };
  const hook = annotations.get('helm.sh/hook');
  if (hook === undefined) {
    manifests.push(manifest);
    return;
  }
  const events = listIn(hook).map((event) => EVENTS.get(event));
  // Helm drops hooks with an unknown event.
  if (!events.every((event) => event !== undefined)) return;
  const weight = annotations.get('helm.sh/hook-weight') ?? '';
  const policies = annotations.get('helm.sh/hook-delete-policy');
  hooks.push({
    ...manifest,
    name,
    events,
    weight: /^[+-]?\d{1,15}$/.test(weight) ? Number(weight) : 0,
    deletePolicies: policies === undefined ? [] : listIn(policies),
  });
}

function listIn(annotation: string): readonly string[] {
  return annotation.split(',').map((part) => trimSpace(part).toLowerCase());
}

interface ManifestHead {
  readonly kind: string;
  readonly name: string;
  readonly annotations: ReadonlyMap<string, string>;
}

function headOf(document: PrintedDocument, value: GoValue): ManifestHead {
  try {
    const fields = StructFields.of(value);
    // Read only for its check: Helm refuses an apiVersion that is not a string.
    fields.text('apiVersion');
    const metadata = fields.struct('metadata');
    return { kind: fields.text('kind'), name: metadata.text('name'), annotations: metadata.textMap('annotations') };
  } catch (error) {
    if (error instanceof FieldError) throw new ManifestError(document, error.message, { cause: error });
    throw error;
  }
}

/**
 * Returns the value of a document.
 *
 * @throws ManifestError if it is not YAML
 */
export function documentOf(document: PrintedDocument, budget: Budget): GoValue {
  try {
    // Helm prints a line break after each document, so a block scalar at its end has one, too.
    return readYaml(`${document.text}\n`, budget);
  } catch (error) {
    if (error instanceof FunctionError) throw new ManifestError(document, error.message, { cause: error });
    throw error;
  }
}

const WHITE = new Set('\t\n\f\r ');

/**
 * Splits a text into documents as Helm does, at each line that begins with `---`, whatever follows it
 * (`(?:^|\s*\n)---\s*`). Empty documents are dropped.
 */
export function splitManifests(text: string): readonly { readonly text: string; readonly line: number }[] {
  const documents: { text: string; line: number }[] = [];
  const trimmed = trimSpace(text);
  let line = 1 + linesBefore(text, text.indexOf(trimmed));
  let counted = 0;
  const add = (start: number, end: number) => {
    if (start >= end) return;
    const document = trimSpace(trimmed.slice(start, end));
    line += linesBefore(trimmed.slice(counted, start), Number.POSITIVE_INFINITY);
    counted = start;
    documents.push({ text: document, line });
  };
  let start = 0;
  let marker = trimmed.startsWith('---') ? 0 : trimmed.indexOf('\n---');
  while (marker !== -1) {
    let before = marker;
    while (before > start && WHITE.has(trimmed.charAt(before - 1))) before -= 1;
    add(start, before);
    start = marker + (trimmed.charAt(marker) === '\n' ? 4 : 3);
    while (start < trimmed.length && WHITE.has(trimmed.charAt(start))) start += 1;
    marker = trimmed.indexOf('\n---', start);
  }
  add(start, trimmed.length);
  return documents;
}

function linesBefore(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
