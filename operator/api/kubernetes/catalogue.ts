import type { Problem } from './problem';

/** A sentence, or a function that makes it from the parameters of a finding. */
type Text = string | ((parameters: never) => string);

/** A kind of finding. */
export interface Entry {
  /** A note is a remark of a command, on what it leaves out for instance: nothing stops, nothing is acknowledged. */
  readonly severity: 'error' | 'warning' | 'note';
  /** The mistake or the risk, about the user's thing by its name. */
  readonly what: Text;
  /** The consequence for the mesh. */
  readonly why: Text;
  /** The remedy: an imperative. */
  readonly fix: Text;
}

/** An entry of a catalogue, with its code. */
export interface CatalogueEntry extends Entry {
  /** Kebab-case. It never changes its meaning. */
  readonly code: string;
}

/** The parameters of sentences: texts and numbers as the sentences show them. */
type Parameters = Readonly<Record<string, string | number>>;

/** The parts of a finding that no sentence shows. */
type Details = Pick<Problem, 'about' | 'place'>;

type ParametersOf<T> = T extends (parameters: infer P) => string ? P : unknown;
type EntryParameters<E extends Entry> = ParametersOf<E['what']> & ParametersOf<E['why']> & ParametersOf<E['fix']>;

/** Makes a finding of one kind. */
type Factory<Code extends string, E extends Entry> = ((
  ...args: unknown extends EntryParameters<E>
    ? [parameters?: Readonly<Record<string, never>>, details?: Details]
    : [parameters: EntryParameters<E>, details?: Details]
) => Problem & { readonly code: Code }) & { readonly entry: CatalogueEntry };

/** A key as the name of its factory: `anchor-not-ca` is `anchorNotCa`, `ca-unclear/none` is `caUnclearNone`. */
type Camel<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Camel<Head>}${Capitalize<Camel<Tail>>}`
  : S extends `${infer Head}/${infer Tail}`
    ? `${Head}${Capitalize<Tail>}`
    : S;

/** The code of a key: what stands before its cause. */
type CodeOf<Key extends string> = Key extends `${infer Code}/${string}` ? Code : Key;

/** Factories of findings, by their keys in camel case. */
export type Catalogue<C extends Readonly<Record<string, Entry>>> = {
  readonly [Key in keyof C & string as Camel<Key>]: Factory<CodeOf<Key>, C[Key]>;
};

/**
 * Makes the factories of a room's findings from their entries, by code. Rules return what a factory makes; nothing else
 * holds a sentence. A code with several causes has an entry for each: `code/cause`.
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
    Object.entries(entries).map(([key, entry]) => [camelCase(key), factoryOf({ code: codeOf(key), ...entry })]),
  ) as unknown as Catalogue<C>;
}

/** The entries of a catalogue, in its order. */
export function entriesOf(of: Readonly<Record<string, { readonly entry: CatalogueEntry }>>): readonly CatalogueEntry[] {
  return Object.values(of).map(({ entry }) => entry);
}

function camelCase(key: string): string {
  return key.replace(/[-/](.)/g, (_, letter: string) => letter.toUpperCase());
}

function codeOf(key: string): string {
  return key.replace(/\/.*/, '');
}

function factoryOf(entry: CatalogueEntry) {
  const { code, what, why, fix } = entry;
  const make = (parameters: Parameters = {}, { about, place }: Details = {}): Problem => ({
    code,
    what: textOf(what, parameters),
    why: textOf(why, parameters),
    fix: textOf(fix, parameters),
    parameters,
    ...(about !== undefined && { about }),
    ...(place !== undefined && { place }),
  });
  return Object.assign(make, { entry });
}

function textOf(text: Text, parameters: Parameters): string {
  return typeof text === 'string' ? text : (text as (parameters: Parameters) => string)(parameters);
}

/** The sentence of an entry with the names of its parameters, in brackets, in the place of their values. */
export function textWithNames(text: Text, [opening, closing]: readonly [string, string] = ['<', '>']): string {
  return textOf(text, new Proxy({}, { get: (_, name) => `${opening}${String(name)}${closing}` }));
}
