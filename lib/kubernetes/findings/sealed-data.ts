import { stringify } from 'yaml';
import { HELM_YAML } from '../../../operator/api/kubernetes/values-document';
import { parseDocuments } from '../../../operator/api/kubernetes/yaml-documents';
import { type HiddenKind, redact } from './redaction';
import { isNameOfSecrets, isSecret, isSecretFlag, SECRET_NAMES } from './secret-names';

/** A line of YAML, INI, properties or a file of variables: a name and a value, possibly quoted. */
const LINE =
  /^([ \t]*(?:#[ \t]*)?(?:export[ \t]+|set[ \t]+|- )?["']?)([\w.$/-]*\w)(["']?[ \t]*(?::[ \t]+|=(?!=)[ \t]*)["']*)(?![|>][-+\d]*[ \t\r]*$)([^\s"'].*?)(["']*,?[ \t\r]*)$/gm;
/** A flag and its value, in a command line. */
const FLAG = new RegExp(
  `((?<![\\w-])--?[\\w.-]{0,64}${SECRET_NAMES}[ \\t]+)(?![-<|&;$])("[^"\\n]*"|'[^'\\n]*'|[^\\s"']+)`,
  'gi',
);
/** A Secret in a string that cannot be parsed, such as an unrendered template. */
const SECRET_MANIFEST = /\bkind\\?["']?[ \t]*:[ \t]*\\?["']?Secret\b/;
const BASE64 = /^[A-Za-z0-9+/_-]{16,}={0,2}$/;
const READABLE = /^[\t\n\r\x20-\x7e\x80-\xff]+$/;

/** The members that name a variable, a header or a parameter, next to its value. */
const NAME_MEMBERS: readonly string[] = ['name', 'key', 'header'];
const VALUE_MEMBERS: readonly string[] = ['value', 'stringValue', 'default', 'defaultValue'];
/** The private members of a JSON Web Key (RFC 7518). */
const JWK_SECRETS: readonly string[] = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

/** Maximum depth of strings within strings, such as a kubeconfig in base64 in a manifest in an annotation. */
const MOST_LAYERS = 6;
/** Longer strings are programs and archives. */
const MOST_READ = 1_000_000;

/** The mark of a secret. */
const MARK = /<(hidden|private key|credentials) \d+>/g;

type Members = Readonly<Record<string, unknown>>;

/** The context of a value: whether all of it is secret, and how many strings it is nested in. */
interface Place {
  readonly isSecret: boolean;
  readonly layers: number;
}

/**
 * Removes secrets from data. Each is replaced by its own mark (`<hidden 1>`), so that comparing sealed data still shows
 * differences.
 */
export class Seal {
  private readonly marks = new Map<string, string>();

  /**
   * Returns a copy with marks for secrets: in members and arguments, in strings that are manifests or files, and in
   * base64 of these.
   */
  data<Data>(data: Data): Data {
    return this.value(data, { isSecret: false, layers: MOST_LAYERS }) as Data;
  }

  private value(value: unknown, place: Place): unknown {
    if (typeof value === 'string') return place.isSecret ? this.hidden(value) : this.text(value, place.layers);
    if (typeof value === 'number') return place.isSecret ? this.hidden(`the number ${value}`) : value;
    if (Array.isArray(value)) return this.list(value, place);
    return typeof value === 'object' && value !== null ? this.map(value as Members, place) : value;
  }

  private list(list: readonly unknown[], place: Place): readonly unknown[] {
    return list.map((item, index) => {
      return this.value(item, isSecretFlag(list[index - 1], item) ? { ...place, isSecret: true } : place);
    });
  }

  private map(map: Members, place: Place, kind = map.kind): unknown {
    return Object.fromEntries(
      Object.keys(map).map((key) => [redact(key, this.mark), this.member(map, key, { place, kind })]),
    );
  }

  private member(
    map: Members,
    key: string,
    { place, kind }: { readonly place: Place; readonly kind: unknown },
  ): unknown {
    const value = map[key];
    if (kind === 'SecretList' && key === 'items' && Array.isArray(value)) {
      return value.map((item) => (isMembers(item) ? this.map(item, place, 'Secret') : this.value(item, place)));
    }
    const isOfSecret = kind === 'Secret' && (key === 'data' || key === 'stringData');
    return this.value(value, isOfSecret || isSecretMember(map, key) ? { ...place, isSecret: true } : place);
  }

  private text(text: string, layers: number): string {
    if (layers === 0 || text.length < 5) return this.lines(text);
    if (this.isEncodedSecret(text, layers)) return this.hidden(text);
    if (text.length > MOST_READ || !isStructured(text)) return this.lines(text);
    const read = this.manifests(text, layers - 1);
    if (read === undefined && SECRET_MANIFEST.test(text)) return this.hidden(text);
    return this.lines(read ?? text);
  }

  /** Whether a string contains a secret in base64, in lines or in one. */
  private isEncodedSecret(text: string, layers: number): boolean {
    const compact = text.includes('\n') ? text.replace(/\s+/g, '') : text;
    if (text.length > MOST_READ || !BASE64.test(compact)) return false;
    const bytes = Buffer.from(compact, 'base64');
    if (!READABLE.test(bytes.toString('latin1'))) return false;
    const decoded = bytes.toString('utf8');
    return this.text(decoded, layers - 1) !== decoded;
  }

  /** Returns the text without secret members; undefined if it is not YAML or JSON of maps and lists. */
  private manifests(text: string, layers: number): string | undefined {
    const contents = contentsOf(text);
    if (contents === undefined) return undefined;
    const sealed = contents.map((content) => this.value(content, { isSecret: false, layers }));
    if (JSON.stringify(sealed) === JSON.stringify(contents)) return text;
    if (contents.length > 1 || !/^\s*[{[]/.test(text)) {
      return sealed.map((content) => stringify(content, { lineWidth: 0 })).join('---\n');
    }
    return JSON.stringify(sealed[0], undefined, text.trim().includes('\n') ? 2 : undefined);
  }

  private lines(text: string): string {
    const lines = text
      .replace(LINE, (whole, ...[start, name, sign, value, end]: readonly string[]) =>
        isSecret(name ?? '', value ?? '') ? `${start}${name}${sign}${this.hidden(value ?? '')}${end}` : whole,
      )
      .replace(FLAG, (whole, flag: string, value: string) =>
        isSecret(flag.trim(), value) ? `${flag}${this.hidden(value)}` : whole,
      );
    return redact(lines, this.mark);
  }

  private hidden(text: string): string {
    return text === '' ? text : this.mark('hidden', text);
  }

  private readonly mark = (kind: HiddenKind, secret: string): string => {
    const known = this.marks.get(`${kind} ${secret}`) ?? `<${kind} ${this.marks.size + 1}>`;
    this.marks.set(`${kind} ${secret}`, known);
    return known;
  };
}

/**
 * Returns the data for readers: with one mark for all secrets of a kind, and without keys or passwords in its strings.
 */
export function unmarked<Data>(data: Data): Data {
  const clean = (text: string) => redact(text.replace(MARK, '<$1>'));
  return mapped(data, clean) as Data;
}

/** Returns true for sealed data with a mark. */
export function hasMark(data: unknown): boolean {
  let found = false;
  mapped(data, (text) => {
    found ||= text.search(MARK) !== -1;
    return text;
  });
  return found;
}

function mapped(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [map(key), mapped(of, map)]));
}

/** Returns true for a text in brackets, or of lines, with something like a member in it. */
function isStructured(text: string): boolean {
  return /^\s*[{[]/.test(text) || (text.includes('\n') && /[:=]/.test(text));
}

function isSecretMember(map: Members, key: string): boolean {
  const value = map[key];
  if (Array.isArray(value)) {
    return (isNameOfSecrets(key) || isSecret(key, 'any 1')) && value.every((item) => typeof item !== 'object');
  }
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value);
  if (isSecret(key, text) || (JWK_SECRETS.includes(key) && typeof map.kty === 'string')) return true;
  return VALUE_MEMBERS.includes(key) && NAME_MEMBERS.some((member) => isSecret(String(map[member] ?? ''), text));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the documents of a string, if each is an acyclic map or list. */
function contentsOf(text: string): readonly object[] | undefined {
  try {
    const documents = parseDocuments(text, HELM_YAML);
    if (documents.some(({ errors }) => errors.length > 0)) return undefined;
    const contents: unknown[] = documents.map((document) => JSON.parse(JSON.stringify(document.toJS()) ?? 'null'));
    const found = contents.filter((content) => content !== null);
    return found.every((content) => typeof content === 'object') && found.length > 0 ? (found as object[]) : undefined;
  } catch {
    return undefined;
  }
}
