import { goDurationMs } from '#base/go-duration';

/** The value of a flag's text, or what was expected instead. */
export type Parsed<T> = { readonly value: T } | { readonly expected: string };

/** A flag of a command, with its environment variable. */
export interface Flag<T> {
  readonly description: string;
  /** The word for the value in the help: `port`. */
  readonly placeholder: string;
  /** The value if neither the flag nor the variable is set. */
  readonly default: T;
  readonly parse: (text: string) => Parsed<T>;
  /** Separator that joins repeated flags. @default - the last one counts */
  readonly separator?: string;
  /** Unit of the default in the help. @default - none */
  readonly unit?: string;
  /** False if another component reads the environment variable of this name. @default true */
  readonly variable?: boolean;
  /** Without a value the flag means true, and its negation is `--no-…`. @default - requires a value */
  readonly boolean?: true;
}

interface Described<T> {
  readonly description: string;
  readonly default: T;
}

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Kinds of flags. */
export const flag = {
  /** Any non-empty text. */
  text: <T extends string | undefined>(of: Described<T>): Flag<string | T> => ({
    ...of,
    placeholder: 'text',
    parse: (text) => (text === '' ? { expected: 'a text' } : { value: text }),
  }),

  /** The name of a namespace. */
  namespace: <T extends string | undefined>(of: Described<T>): Flag<string | T> => ({
    ...of,
    placeholder: 'name',
    parse: (text) => (DNS_LABEL.test(text) ? { value: text } : { expected: 'the name of a namespace' }),
  }),

  /** Go's spellings of true and false. */
  boolean: (of: Described<boolean>): Flag<boolean> => ({
    ...of,
    placeholder: 'boolean',
    boolean: true,
    parse: (text) => {
      if (/^(1|t|T|true|TRUE|True)$/.test(text)) return { value: true };
      return /^(0|f|F|false|FALSE|False)$/.test(text) ? { value: false } : { expected: 'true or false' };
    },
  }),

  /** A TCP port; 0 for any free one. */
  port: (of: Described<number>): Flag<number> => ({
    ...of,
    placeholder: 'port',
    parse: (text) => integerIn(text, { from: 0, to: 65_535, expected: 'a port (0 to 65535)' }),
  }),

  /** A whole number that is not negative. */
  count: (of: Described<number>): Flag<number> => ({
    ...of,
    placeholder: 'number',
    parse: (text) => integerIn(text, { from: 0, to: Number.MAX_SAFE_INTEGER, expected: 'a whole number from 0' }),
  }),

  /** A Go duration that is not negative (`1m30s`), in milliseconds. */
  durationMs: (of: Described<number>): Flag<number> => ({
    ...of,
    placeholder: 'duration',
    unit: 'ms',
    parse: (text) => {
      const value = goDurationMs(text);
      return value === undefined || value < 0 ? { expected: "a duration such as '10s' or '1m30s'" } : { value };
    },
  }),

  /** One of a few words. */
  oneOf: <const W extends string>(of: Described<W> & { readonly words: readonly W[] }): Flag<W> => ({
    description: of.description,
    default: of.default,
    placeholder: of.words.join('|'),
    parse: (text) => {
      const word = of.words.find((candidate) => candidate === text);
      return word === undefined ? { expected: `one of ${of.words.join(', ')}` } : { value: word };
    },
  }),

  /** Comma-separated strings; the flag may also be repeated. */
  list: (of: Described<readonly string[]>): Flag<readonly string[]> => ({
    ...of,
    placeholder: 'texts',
    separator: ',',
    parse: (text) => {
      const values = text.split(',').map((value) => value.trim());
      return values.includes('') ? { expected: 'comma-separated texts, none of them empty' } : { value: values };
    },
  }),

  /** Strings without white space; the flag may be repeated, and the variable separates them with white space. */
  words: (of: Described<readonly string[]> & { readonly placeholder: string }): Flag<readonly string[]> => ({
    ...of,
    separator: ' ',
    parse: (text) => ({ value: text.split(/\s+/).filter((word) => word !== '') }),
  }),
};

interface Range {
  readonly from: number;
  readonly to: number;
  readonly expected: string;
}

function integerIn(text: string, { from, to, expected }: Range): Parsed<number> {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= from && value <= to ? { value } : { expected };
}
