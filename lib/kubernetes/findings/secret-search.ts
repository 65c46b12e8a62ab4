import { HELM_YAML } from '../../../operator/api/kubernetes/values-document';
import { parseDocuments } from '../../../operator/api/kubernetes/yaml-documents';
import { holdsPrivateKey, holdsUrlCredentials } from './secret-texts';

/** A secret in data that must not be in Git. */
export interface FoundSecret {
  /** Keys and indexes that lead to it. */
  readonly path: readonly string[];
  readonly is: 'private key' | 'credentials';
}

/** Keys of a Secret with a private key in any encoding. */
const KEY_NAMES: readonly string[] = ['tls.key', 'ca.key'];
/** Keys of chart values with a private key. */
const VALUE_NAMES: readonly string[] = ['keyPEM'];
const DATA_FIELDS: readonly string[] = ['data', 'stringData', 'binaryData'];
const DATA_KINDS: readonly unknown[] = ['Secret', 'ConfigMap'];
const LIST_KINDS: readonly unknown[] = ['SecretList', 'ConfigMapList'];

/** A manifest within a string, of a kind with data. */
const MANIFEST = /\bkind["']?\s*:\s*["']?(?:Secret|ConfigMap|List)/;
/** A key in a manifest that is YAML only after rendering. */
const KEY_IN_TEXT = /["']?(?:tls|ca)\.key["']?\s*:[ \t]*(?:[|>][^\n]*\n\s*)?["']?[A-Za-z0-9+/=-]{8}/;
/** Maximum nesting of manifests within strings of manifests. */
const MOST_LAYERS = 3;

/**
 * Returns private keys and credentials in plain data of any shape: objects, chart values, lists of objects within them,
 * and manifests as text.
 */
export function secretsIn(data: unknown): readonly FoundSecret[] {
  const search = new Search(MOST_LAYERS, isDefinition(data));
  search.visit(data, 'value');
  return search.found;
}

/** Whether data is the definition of a kind: its descriptions may contain example keys or URLs. */
function isDefinition(data: unknown): boolean {
  return isMap(data) && data.kind === 'CustomResourceDefinition';
}

/** The position of a value in an object with data. */
type Place = 'value' | 'list item' | 'data field';

class Search {
  readonly found: FoundSecret[] = [];
  private readonly path: (string | number)[] = [];

  constructor(
    private readonly layers: number,
    private readonly withoutDescriptions: boolean,
  ) {}

  visit(value: unknown, place: Place): void {
    if (typeof value === 'string') this.visitText(undefined, value);
    else if (Array.isArray(value)) this.visitList(value, place);
    else if (isMap(value)) this.visitMap(value, place);
  }

  private visitList(list: readonly unknown[], place: Place): void {
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      if (typeof item === 'string') this.visitText(index, item);
      else this.enter(index, item, place);
    }
  }

  private visitMap(map: Readonly<Record<string, unknown>>, place: Place): void {
    for (const key of Object.keys(map)) {
      const value = map[key];
      if (key.length > 24 && holdsPrivateKey(key)) this.report('(a key)', 'private key');
      if (this.withoutDescriptions && key === 'description') continue;
      if (typeof value === 'string') this.visitMember(key, value, place);
      else if (typeof value === 'object' && value !== null) this.enter(key, value, placeBelow(key, map, place));
    }
  }

  private visitMember(key: string, text: string, place: Place): void {
    if (isNamed(key, place) && text.trim() !== '') this.report(key, 'private key');
    else this.visitText(key, text);
  }

  /** Builds no path for valid strings, which nearly all are. */
  private visitText(key: string | number | undefined, text: string): void {
    if (text.length < 9) return;
    if (holdsPrivateKey(text) || (this.layers > 0 && holdsManifestWithKey(text, this.layers))) {
      this.report(key, 'private key');
    } else if (holdsUrlCredentials(text)) this.report(key, 'credentials');
  }

  private enter(key: string | number, value: unknown, place: Place): void {
    if (typeof value !== 'object' || value === null) return;
    this.path.push(key);
    this.visit(value, place);
    this.path.pop();
  }

  private report(key: string | number | undefined, is: FoundSecret['is']): void {
    this.found.push({ path: [...this.path, ...(key === undefined ? [] : [key])].map(String), is });
  }
}

function placeBelow(key: string, { kind }: Readonly<Record<string, unknown>>, place: Place): Place {
  if (DATA_FIELDS.includes(key) && (place === 'list item' || DATA_KINDS.includes(kind))) return 'data field';
  return key === 'items' && LIST_KINDS.includes(kind) ? 'list item' : 'value';
}

function isNamed(key: string, place: Place): boolean {
  return place === 'data field' ? KEY_NAMES.includes(key) : VALUE_NAMES.includes(key);
}

function holdsManifestWithKey(text: string, layers: number): boolean {
  if (text.length < 24 || !text.includes('kind') || !MANIFEST.test(text)) return false;
  const documents = documentsIn(text);
  if (documents === undefined) return KEY_IN_TEXT.test(text);
  const search = new Search(layers - 1, false);
  for (const data of documents) search.visit(data, 'value');
  return search.found.some(({ is }) => is === 'private key');
}

/** Returns the documents of a string; undefined if it is not YAML, such as an unrendered template. */
function documentsIn(text: string): readonly unknown[] | undefined {
  try {
    const documents = parseDocuments(text, HELM_YAML);
    if (documents.some(({ errors }) => errors.length > 0)) return undefined;
    return documents.map((document) => document.toJS() as unknown);
  } catch {
    return undefined;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
