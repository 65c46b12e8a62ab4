import { redact } from '#base/findings/redaction';
import { secretReplacer } from '#base/secrets/secret-walk';
import type { Values } from '#base/values';

const MARK = /<(hidden|private key|credentials) \d+>/g;

/**
 * Removes secrets from data. Each is replaced by its own mark (`<hidden 1>`), so that comparing sealed data still shows
 * differences.
 */
export class Seal {
  private readonly marks = new Map<string, string>();

  /** Returns the data with marks for secrets. */
  readonly data = secretReplacer(({ is, text }) => {
    const mark = this.marks.get(`${is} ${text}`) ?? `<${is} ${this.marks.size + 1}>`;
    this.marks.set(`${is} ${text}`, mark);
    return mark;
  });

  /** Returns an object with marks for secrets. Its large members are searched when they are first read. */
  object(object: Values): Values {
    const late = LARGE.filter((key) => typeof object[key] === 'object' && object[key] !== null);
    const sealed = this.data({ ...object, ...Object.fromEntries(late.map((key) => [key, null])) });
    // The kind, too, decides which parts of a member are secret.
    for (const key of late) defineLate(sealed, key, () => this.data({ kind: object.kind, [key]: object[key] })[key]);
    return sealed;
  }
}

const LARGE: readonly string[] = ['spec', 'data'];

/** Defines a member that is computed when it is first read. */
function defineLate(object: object, key: string, compute: () => unknown): void {
  const define = (how: PropertyDescriptor) =>
    Object.defineProperty(object, key, { ...how, enumerable: true, configurable: true });
  define({
    get: () => {
      const value = compute();
      define({ value, writable: true });
      return value;
    },
  });
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
