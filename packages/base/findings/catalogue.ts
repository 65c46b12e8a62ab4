import type { Problem, Severity } from './problem';

/** A sentence, or a function that builds it from the parameters of a finding. */
export type Text = string | ((parameters: never) => string);

/** A kind of finding. */
export interface Entry {
  readonly severity: Severity;
  /** The mistake or the risk, which names the user's object. */
  readonly what: Text;
  /** The consequence for the mesh. */
  readonly why: Text;
  /** The fix, as an imperative. */
  readonly fix: Text;
  /**
   * Set if the finding rests on the absence of an object, or of a request for injection. Where only a part of a cluster
   * is read, the object may exist, and other programs may inject all pods.
   *
   * @default - it rests on data that was read
   */
  readonly ofAbsence?: 'object' | 'injection';
}

/** An entry of a catalogue, with its code. */
export interface CatalogueEntry extends Entry {
  /** The code in kebab-case. It never changes its meaning. */
  readonly code: string;
  readonly cause?: string;
}

/**
 * The parameters of sentences, as they are shown: names, values, numbers and places, or a reason in the words of
 * another program. A parameter is never a part of a sentence: cases that differ in words are separate causes.
 */
type Parameters = Readonly<Record<string, string | number>>;

type Details = Pick<Problem, 'about' | 'place'>;

/** The parameters that a sentence needs; unknown if it needs none. */
export type ParametersOf<T> = T extends (parameters: infer P) => string ? P : unknown;
type EntryParameters<E extends Entry> = ParametersOf<E['what']> & ParametersOf<E['why']> & ParametersOf<E['fix']>;

type Factory<Code extends string, E extends Entry> = ((
  ...args: unknown extends EntryParameters<E>
    ? [parameters?: Readonly<Record<string, never>>, details?: Details]
    : [parameters: EntryParameters<E>, details?: Details]
) => Problem & { readonly code: Code }) & { readonly entry: CatalogueEntry };

/** The name of a key's factory: `anchor-not-ca` is `anchorNotCa`, `ca-unclear/none` is `caUnclearNone`. */
type Camel<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Camel<Head>}${Capitalize<Camel<Tail>>}`
  : S extends `${infer Head}/${infer Tail}`
    ? `${Head}${Capitalize<Tail>}`
    : S;

type CodeOf<Key extends string> = Key extends `${infer Code}/${string}` ? Code : Key;

/** Factories of findings, by their keys in camel case. */
export type Catalogue<C extends Readonly<Record<string, Entry>>> = {
  readonly [Key in keyof C & string as Camel<Key>]: Factory<CodeOf<Key>, C[Key]>;
};

/** The codes of a catalogue. */
export type CodesOf<C extends Readonly<Record<string, (...args: never) => { readonly code: string }>>> = ReturnType<
  C[keyof C]
>['code'];

/**
 * Returns a factory for each finding of an area, by code. Rules return the result of a factory; only the catalogue
 * contains sentences. A code with several causes has an entry for each, `code/cause`, in the catalogue of the area
 * whose rule finds it.
 *
 * @example
 * const PKI = catalogue({
 *   'anchor-not-ca': {
 *     severity: 'error',
 *     what: ({ name }: { name: string }) => `${name} is not a CA certificate`,
 *     why: 'Proxies accept no chain that ends in it',
 *     fix: 'give the certificate of the CA that signs the identity issuer',
 *   },
 * });
 * PKI.anchorNotCa({ name: 'trustAnchor.pem' });
 */
export function catalogue<const C extends Readonly<Record<string, Entry>>>(entries: C): Catalogue<C> {
  return Object.fromEntries(
    Object.entries(entries).map(([key, entry]) => {
      const [code = key, cause] = key.split('/');
      return [camelCase(key), factoryOf({ code, ...(cause !== undefined && { cause }), ...entry })];
    }),
  ) as unknown as Catalogue<C>;
}

/** Returns the entries of a catalogue, in its order. */
export function entriesOf(of: Readonly<Record<string, { readonly entry: CatalogueEntry }>>): readonly CatalogueEntry[] {
  return Object.values(of).map(({ entry }) => entry);
}

function camelCase(key: string): string {
  return key.replace(/[-/](.)/g, (_, letter: string) => letter.toUpperCase());
}

function factoryOf(entry: CatalogueEntry) {
  const { severity, code, cause, what, why, fix, ofAbsence } = entry;
  const make = (parameters: Parameters = {}, { about, place }: Details = {}): Problem => ({
    severity,
    code,
    ...(cause !== undefined && { cause }),
    what: textOf(what, parameters),
    why: textOf(why, parameters),
    fix: textOf(fix, parameters),
    parameters,
    ...(ofAbsence !== undefined && { ofAbsence }),
    ...(about !== undefined && { about }),
    ...(place !== undefined && { place }),
  });
  return Object.assign(make, { entry });
}

/** Returns a sentence with the values of its parameters. */
export function textOf(text: Text, parameters: Parameters): string {
  return typeof text === 'string' ? text : (text as (parameters: Parameters) => string)(parameters);
}

/**
 * Returns the sentence of an entry with the names of its parameters, in brackets, instead of their values. Parameters
 * in `given` keep their values.
 */
export function textWithNames(
  text: Text,
  [opening, closing]: readonly [string, string] = ['<', '>'],
  given: Parameters = {},
): string {
  return textOf(text, new Proxy(given, { get: (_, name: string) => given[name] ?? `${opening}${name}${closing}` }));
}
