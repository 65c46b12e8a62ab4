import { type Document, visit } from 'yaml';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import { HELM_YAML, parseValues } from '#base/values-document';
import { readWrittenYaml } from '#base/written-yaml';
import { parseDocuments } from '#base/yaml-documents';
import { Seal } from '#kubernetes/findings/sealed-data';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { unescapeTemplate } from '../charts/template-escape';
import { ARGOCD_SOURCE } from '../charts/umbrella';

/** One of the charts of an umbrella chart. */
export interface ChartDependency {
  readonly name: string;
  readonly version: string;
  /** URL of the chart's repository; empty if the file has none. */
  readonly repository: string;
}

/** The content of a file of the output. */
export type FileContents =
  | { readonly is: 'object'; readonly object: KubernetesObject }
  /** The values of the charts of an umbrella chart, by chart. */
  | { readonly is: 'values'; readonly values: Readonly<Record<string, Values>>; readonly data: Value }
  /** The charts of an umbrella chart. */
  | { readonly is: 'charts'; readonly charts: readonly ChartDependency[]; readonly data: Value }
  /** How Argo CD renders an umbrella chart. */
  | { readonly is: 'source'; readonly data: Value }
  | { readonly is: 'unreadable'; readonly reason: string };

/** Maximum number of cached texts per kind of file. The clusters of a fleet share nearly all texts. */
const MAX_KEPT = 20_000;

/** Reads files, each text once, and removes secrets from the result. */
export class FileReader {
  private readonly seal = new Seal();
  private readonly unsealed = new WeakMap<KubernetesObject, Values>();
  private readonly known: Readonly<Record<FileKind, Map<string, FileContents>>> = {
    charts: new Map(),
    values: new Map(),
    source: new Map(),
    template: new Map(),
    manifest: new Map(),
  };

  read(path: string, text: string): FileContents {
    const kind = kindOf(path);
    const known = this.known[kind];
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MAX_KEPT) known.clear();
    const contents = this.contents(kind, text);
    known.set(text, contents);
    return contents;
  }

  /**
   * Returns a part of the values that an object has as text under a key of its data. Only this part is searched for
   * secrets.
   */
  valuesIn<Part>(object: KubernetesObject, key: string, select: (values: Values) => Part): Part {
    const text = valueAt(this.unsealed.get(object) ?? {}, `data.${key}`);
    return this.seal.data(select((typeof text === 'string' ? readValues(text) : undefined) ?? {}));
  }

  private contents(kind: FileKind, text: string): FileContents {
    const read = dataIn(kind === 'template' ? unescapeTemplate(text) : text);
    if (typeof read === 'string') return { is: 'unreadable', reason: read };
    if (kind === 'manifest' || kind === 'template') return this.object(read.content);
    const data = this.seal.data(read.content);
    if (kind === 'charts') return { is: 'charts', charts: chartsIn(data), data };
    if (kind === 'values') return { is: 'values', values: valuesOfCharts(data), data };
    return { is: 'source', data };
  }

  private object(content: Value): FileContents {
    const object = isMap(content) ? this.seal.object(content) : undefined;
    if (!isMap(content) || !isObject(object)) return { is: 'unreadable', reason: 'it is not a Kubernetes object' };
    this.unsealed.set(object, content);
    return { is: 'object', object };
  }
}

/** Reads a text of values as Helm does; undefined if it cannot. */
export function readValues(text: string): Values | undefined {
  const written = readWrittenYaml(text)?.content;
  if (isMap(written)) return written;
  try {
    return parseValues(text);
  } catch {
    return undefined;
  }
}

type FileKind = 'charts' | 'values' | 'source' | 'template' | 'manifest';

function kindOf(path: string): FileKind {
  if (/^[^/]+\/Chart\.yaml$/.test(path)) return 'charts';
  if (/^[^/]+\/values\.yaml$/.test(path)) return 'values';
  if (path.endsWith(`/${ARGOCD_SOURCE}`)) return 'source';
  return /^[^/]+\/templates\//.test(path) ? 'template' : 'manifest';
}

/** Returns the content of a text with one document, or the reason why it cannot be read. */
function dataIn(text: string): { readonly content: Value } | string {
  return readWrittenYaml(text) ?? parsed(text);
}

function parsed(text: string): { readonly content: Value } | string {
  const documents = documentsIn(text);
  if (typeof documents === 'string') return documents;
  if (documents.length === 0) return 'it is empty';
  const [error] = documents.flatMap(({ errors }) => errors);
  // The message of an error may quote the text, which may contain secrets; its code and line do not.
  if (error !== undefined) return `${error.code} in line ${text.slice(0, error.pos[0]).split('\n').length}`;
  const [document, second] = documents;
  if (document === undefined || second !== undefined) return 'it has more than one document';
  return contentIn(document);
}

function documentsIn(text: string): readonly Document.Parsed[] | string {
  try {
    return parseDocuments(text, HELM_YAML);
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

function contentIn(document: Document): { readonly content: Value } | string {
  try {
    const content: Value = document.toJS();
    // JSON.stringify throws for a value that contains itself, which can be neither compared nor written.
    if (hasAliases(document)) JSON.stringify(content);
    return { content };
  } catch {
    return 'an alias refers to no anchor, or to a value that contains it';
  }
}

function hasAliases(document: Document): boolean {
  let found = false;
  visit(document, {
    Alias: () => {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

function isObject(data: Values | undefined): data is Values & KubernetesObject {
  if (data === undefined) return false;
  const { apiVersion, kind, metadata } = data;
  return typeof apiVersion === 'string' && typeof kind === 'string' && isMetadata(metadata);
}

function isMetadata(metadata: Value | undefined): boolean {
  if (!isMap(metadata) || !isText(metadata.name)) return false;
  const { namespace, labels = {}, annotations = {} } = metadata;
  return (namespace === undefined || isText(namespace)) && [labels, annotations].every(isTexts);
}

function isTexts(map: Value): boolean {
  return isMap(map) && Object.values(map).every((text) => typeof text === 'string');
}

function chartsIn(data: Value): readonly ChartDependency[] {
  const dependencies = isMap(data) && Array.isArray(data.dependencies) ? data.dependencies : [];
  return dependencies.flatMap((chart: Value) => {
    const { name, version, repository } = isMap(chart) ? chart : {};
    return isText(name) && isText(version) ? [{ name, version, repository: isText(repository) ? repository : '' }] : [];
  });
}

function valuesOfCharts(data: Value): Readonly<Record<string, Values>> {
  return Object.fromEntries(
    Object.entries(isMap(data) ? data : {}).flatMap(([chart, values]) => (isMap(values) ? [[chart, values]] : [])),
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
