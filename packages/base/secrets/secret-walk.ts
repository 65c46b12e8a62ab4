import { stringify } from 'yaml';
import { RecentMap } from '../remembered';
import { dataOfYaml } from '../yaml-data';
import { SECRET_MANIFEST, type SecretKind } from './secret-forms';
import { isNameOfSecrets, isSecret, isSecretFlag } from './secret-names';
import { replaceSecrets, secretSpans, type Wanted } from './secret-spans';

/** A secret that data contains. */
export interface FoundSecret {
  readonly is: SecretKind;
  /** The keys and indexes of the text that contains it. */
  readonly path: readonly string[];
}

interface VisitedSecret extends FoundSecret {
  readonly text: string;
}

/** Keys of a Secret or ConfigMap, and of chart values, with a private key in any encoding. */
const KEY_NAMES: readonly string[] = ['tls.key', 'ca.key'];
const VALUE_NAMES: readonly string[] = ['keyPEM'];
/** The private members of a JSON Web Key (RFC 7518). */
const JWK_SECRETS: readonly string[] = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];
const SHAPED_NAMES = /(?:auth|(?:private|shared)[-_.]?key)$/i;
const DATA_FIELDS: readonly string[] = ['data', 'stringData', 'binaryData'];
const NAME_MEMBERS: readonly string[] = ['name', 'key', 'header'];
const VALUE_MEMBERS: readonly string[] = ['value', 'stringValue', 'default', 'defaultValue'];

const MAX_LAYERS = 6;
/** Longer strings are programs and archives. */
const MAX_READ = 1_000_000;

type Members = Readonly<Record<string, unknown>>;

interface Place {
  readonly is?: SecretKind;
  /** The kind of the object whose `data` this is, or of the items of this list. */
  readonly dataOf?: string;
  readonly itemsOf?: string;
  /** True within a CustomResourceDefinition, whose descriptions may contain example keys and URLs. */
  readonly isDefinition?: boolean;
  readonly layers: number;
}

const WHOLE: Place = { layers: MAX_LAYERS };

/** Returns the private keys and credentials in objects and values that must not be in Git. */
export function secretsIn(data: unknown): readonly FoundSecret[] {
  const found = new Map<string, FoundSecret>();
  const walk = new Walk('refused', ({ is, path, text }) => {
    const key = path.join('\0');
    if (found.get(key)?.is !== 'private key') found.set(key, { path, is });
    return text;
  });
  walk.value(data, WHOLE);
  return [...found.values()];
}

/**
 * Returns a function that replaces the secrets in plain data of any shape: in members, arguments and texts, also in
 * texts of manifests and in base64. It returns a copy of the data, or the same data if it has no secrets. Texts, maps
 * and lists without secrets are cached, because most data repeats them: do not change data after a search.
 *
 * @param replace - returns the text to put in place of a secret
 */
export function secretReplacer(replace: (secret: VisitedSecret) => string): <Data>(data: Data) => Data {
  const walk = new Walk('all', replace, { texts: new RecentMap(({ length }) => length), parts: new WeakMap() });
  return <Data>(data: Data) => walk.value(data, WHOLE) as Data;
}

/** Data without secrets. Each bit stands for a number of layers to decode, because each number is another search. */
interface Clean {
  readonly texts: RecentMap<number>;
  readonly parts: WeakMap<object, number>;
}

class Walk {
  private readonly path: (string | number)[] = [];
  private visits = 0;

  constructor(
    private readonly wanted: Wanted,
    private readonly visit: (secret: VisitedSecret) => string,
    private readonly clean?: Clean,
  ) {}

  value(value: unknown, place: Place): unknown {
    if (typeof value === 'string')
      return place.is === undefined ? this.text(value, place) : this.whole(value, place.is);
    if (typeof value === 'number') return place.is === undefined ? value : this.whole(`the number ${value}`, place.is);
    return typeof value === 'object' && value !== null ? this.part(value, place) : value;
  }

  private part(part: object, place: Place): unknown {
    const { is, dataOf, itemsOf, isDefinition, layers } = place;
    const layer = is || dataOf || itemsOf || isDefinition ? 0 : 1 << layers;
    const clean = this.clean?.parts.get(part) ?? 0;
    if ((clean & layer) !== 0) return part;
    const { visits } = this;
    const walked = Array.isArray(part) ? this.list(part, place) : this.map(part as Members, place);
    if (layer !== 0 && visits === this.visits) this.clean?.parts.set(part, clean | layer);
    return walked;
  }

  private list(list: readonly unknown[], place: Place): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      const isArgument =
        this.wanted === 'all' && isSecretFlag(list[index - 1], typeof item === 'number' ? 'any 1' : item);
      const walked = this.enter(index, item, isArgument ? { ...place, is: 'hidden' } : place);
      if (walked === item) continue;
      copy ??= [...list];
      copy[index] = walked;
    }
    return copy ?? list;
  }

  private map(map: Members, { is, isDefinition, itemsOf, dataOf, layers }: Place): Members {
    const kind = typeof map.kind === 'string' ? map.kind : itemsOf;
    const inside = { is, dataOf, layers, isDefinition: isDefinition === true || kind === 'CustomResourceDefinition' };
    let copy: [string, unknown][] | undefined;
    const keys = Object.keys(map);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      const name = this.key(key);
      const value = inside.isDefinition && key === 'description' ? map[key] : this.member(map, key, inside, kind);
      if (copy === undefined && value === map[key] && name === key) continue;
      copy ??= keys.slice(0, index).map((one) => [one, map[one]]);
      copy.push([name, value]);
    }
    return copy === undefined ? map : Object.fromEntries(copy);
  }

  private member(map: Members, key: string, place: Place, kind: string | undefined): unknown {
    const { layers, isDefinition } = place;
    const value = map[key];
    // The keys of the value may be secret, too: `value: { hunter2: }`.
    if (this.wanted === 'all' && typeof value === 'object' && value !== null && isNamedSecret(map, key, 'any 1'))
      return this.enter(key, JSON.stringify(value), { layers, is: 'hidden' });
    const is =
      place.is ??
      kindOfMember(map, key, place) ??
      (this.wanted === 'all' && isHidden(map, key, kind) ? 'hidden' : undefined);
    return this.enter(key, value, { is, layers, isDefinition, ...placeOf(key, kind) });
  }

  private key(key: string): string {
    if (key.length < (this.wanted === 'all' ? 5 : 25)) return key;
    return this.enter('(a key)', key, { layers: 0 }) as string;
  }

  private enter(key: string | number, value: unknown, place: Place): unknown {
    this.path.push(key);
    const walked = this.value(value, place);
    this.path.pop();
    return walked;
  }

  private text(text: string, { layers }: Place): string {
    const [clean, layer] = [this.clean?.texts.get(text) ?? 0, 1 << layers];
    if ((clean & layer) !== 0) return text;
    const { visits } = this;
    const walked = this.newText(text, layers);
    if (visits === this.visits) this.clean?.texts.set(text, clean | layer);
    return walked;
  }

  private newText(text: string, layers: number): string {
    if (this.wanted === 'refused' || layers === 0 || text.length > MAX_READ || !isStructured(text)) {
      return this.spans(text);
    }
    const read = this.manifests(text, layers - 1);
    if (read === undefined && SECRET_MANIFEST.test(text)) return this.whole(text, 'hidden');
    return this.spans(read ?? text);
  }

  private spans(text: string): string {
    const spans = secretSpans(text, this.wanted);
    return spans.length === 0 ? text : replaceSecrets(text, spans, (is, secret) => this.whole(secret, is));
  }

  private whole(text: string, is: SecretKind): string {
    if (text.trim() === '') return text;
    this.visits += 1;
    return this.visit({ is, text, path: this.path.map(String) });
  }

  /** Returns the text without secret members; undefined if it is not YAML or JSON of maps and lists. */
  private manifests(text: string, layers: number): string | undefined {
    const contents = contentsOf(text);
    const walked = contents?.map((content) => this.value(content, { layers }));
    if (contents === undefined || walked === undefined) return undefined;
    if (walked.every((content, index) => content === contents[index])) return text;
    if (contents.length > 1 || !/^\s*[{[]/.test(text)) {
      return walked.map((content) => stringify(content, { lineWidth: 0 })).join('---\n');
    }
    return JSON.stringify(walked[0], undefined, text.trim().includes('\n') ? 2 : undefined);
  }
}

/** Returns the kind of a member that is secret as a whole, by its name; undefined if only a part may be secret. */
function kindOfMember(map: Members, key: string, { dataOf }: Place): SecretKind | undefined {
  const value = map[key];
  if (typeof value !== 'string') return undefined;
  if (VALUE_NAMES.includes(key) || (dataOf !== undefined && KEY_NAMES.includes(key))) return 'private key';
  if (JWK_SECRETS.includes(key) && typeof map.kty === 'string') return 'private key';
  return SHAPED_NAMES.test(key) ? secretSpans(`${key}: ${value}`, 'refused')[0]?.is : undefined;
}

function isHidden(map: Members, key: string, kind: string | undefined): boolean {
  const value = map[key];
  if (kind === 'Secret' && (key === 'data' || key === 'stringData')) return true;
  if (Array.isArray(value)) {
    return (isNameOfSecrets(key) || isSecret(key, 'any 1')) && value.every((item) => typeof item !== 'object');
  }
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value);
  return isSecret(key, text) || isNamedSecret(map, key, text);
}

/** Whether a member is secret by the name in the member next to it: `{ name: PASSWORD, value: … }`. */
function isNamedSecret(map: Members, key: string, text: string): boolean {
  return VALUE_MEMBERS.includes(key) && NAME_MEMBERS.some((member) => isSecret(textOf(map[member]), text));
}

function textOf(name: unknown): string {
  return typeof name === 'string' ? name : '';
}

function placeOf(key: string, kind: string | undefined): Pick<Place, 'dataOf' | 'itemsOf'> {
  if (DATA_FIELDS.includes(key) && (kind === 'Secret' || kind === 'ConfigMap')) return { dataOf: kind };
  return key === 'items' && kind?.endsWith('List') ? { itemsOf: kind.slice(0, -'List'.length) } : {};
}

function isStructured(text: string): boolean {
  return /^\s*[{[]/.test(text) || (text.includes('\n') && /[:=]/.test(text));
}

function contentsOf(text: string): readonly object[] | undefined {
  const found = dataOfYaml(text)?.filter((content) => content !== null) ?? [];
  return found.every((content) => typeof content === 'object') && found.length > 0 ? (found as object[]) : undefined;
}
