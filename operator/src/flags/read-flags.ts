import { parseArgs } from 'node:util';
import type { Flag } from './flag';

/** Flags by their names in camel case: `webhookPort` is `--webhook-port`, and the variable WEBHOOK_PORT. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** The values of flags, by their names. */
export type FlagValues<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

/** The values of a command line's flags, or all its problems. */
export type ReadFlags<F extends Flags> = { readonly values: FlagValues<F> } | { readonly problems: readonly string[] };

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The flags of a command line: texts, or true and false for a flag without a value and for its negation. */
interface GivenFlags {
  readonly values: ReadonlyMap<string, string | boolean>;
  readonly unknown: readonly string[];
  readonly help: boolean;
}

const HELP = 'help';

/** Parses `--flag=value`, `--flag value`, `--flag`, and `--no-flag` of a boolean; also with one dash, as in Go. */
export function parseFlags(args: readonly string[], flags: Flags): GivenFlags {
  const entries: [name: string, value: string | boolean][] = [];
  const unknown: string[] = [];
  const twoDashes = args.map((argument) => (/^-[a-z][-a-z]+/.test(argument) ? `-${argument}` : argument));
  const { tokens } = parseArgs({ args: twoDashes, strict: false, allowPositionals: true, tokens: true });
  /** The preceding flag, if it has no value yet. */
  let open: [string, string | boolean] | undefined;
  for (const token of tokens) {
    const before = open;
    open = undefined;
    if (token.kind === 'option-terminator') continue;
    const entry = token.kind === 'option' ? entryOf(token, flags) : undefined;
    if (entry !== undefined) entries.push(entry);
    else if (token.kind === 'positional' && before !== undefined) before[1] = token.value;
    else unknown.push(args[token.index] ?? '');
    if (entry?.[1] === true) open = entry;
  }
  const values = joined(entries, flags);
  return { values, unknown, help: values.has(HELP) };
}

/** undefined if the argument sets no flag. */
function entryOf(
  { name: option, value }: { readonly name: string; readonly value?: string | undefined },
  flags: Flags,
): [name: string, value: string | boolean] | undefined {
  if (option === HELP || option === 'h') return [HELP, true];
  const named = (text: string) => Object.keys(flags).find((name) => kebabCase(name) === text);
  const name = named(option);
  if (name !== undefined) return [name, value ?? true];
  const negated = option.startsWith('no-') && value === undefined ? named(option.slice('no-'.length)) : undefined;
  return negated !== undefined && flags[negated]?.boolean ? [negated, false] : undefined;
}

function joined(
  entries: readonly (readonly [name: string, value: string | boolean])[],
  flags: Flags,
): ReadonlyMap<string, string | boolean> {
  const values = new Map<string, string | boolean>();
  for (const [name, value] of entries) {
    const [before, separator] = [values.get(name), flags[name]?.separator];
    const isJoined = separator !== undefined && typeof before === 'string' && typeof value === 'string';
    values.set(name, isJoined ? `${before}${separator}${value}` : value);
  }
  return values;
}

/** Returns the values of a command line's flags: from the flag, else from a non-empty variable, else the default. */
export function readFlags<F extends Flags>(given: GivenFlags, flags: F, environment: Environment): ReadFlags<F> {
  const problems = given.unknown.map((argument) => `unknown argument '${argument}'`);
  const values = Object.entries(flags).map(([name, flag]) => {
    const own = given.values.get(name);
    const [source, text] = own === undefined ? fromEnvironment(name, flag, environment) : [`--${kebabCase(name)}`, own];
    if (text === undefined) return [name, flag.default];
    const read = parse(flag, text);
    if ('expected' in read) problems.push(`${source}: expected ${read.expected}, got ${shown(text)}`);
    return [name, 'value' in read ? read.value : flag.default];
  });
  return problems.length > 0 ? { problems } : { values: Object.fromEntries(values) as FlagValues<F> };
}

/** Returns a line for each flag: its value, its variable and its default. */
export function helpOf(flags: Flags): string {
  const terms = Object.entries(flags).map(([name, flag]) => {
    const value = flag.boolean ? `[${flag.placeholder}]` : `<${flag.placeholder}>`;
    return [`--${kebabCase(name)} ${value}`, descriptionOf(name, flag)] as const;
  });
  return inColumns([...terms, ['-h, --help', 'show this help']]);
}

/** Formats terms and their descriptions in two columns. */
export function inColumns(rows: readonly (readonly [term: string, description: string])[]): string {
  const width = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, description]) => `  ${term.padEnd(width)}  ${description}\n`).join('');
}

function parse(flag: Flag<unknown>, given: string | boolean) {
  if (typeof given === 'string') return flag.parse(given);
  return flag.boolean ? { value: given } : { expected: 'a value' };
}

function shown(given: string | boolean): string {
  return typeof given === 'string' ? `'${given}'` : 'none';
}

function fromEnvironment(
  name: string,
  flag: Flag<unknown>,
  environment: Environment,
): readonly [string, string | undefined] {
  const variable = variableName(name);
  return [variable, flag.variable === false ? undefined : environment[variable] || undefined];
}

function descriptionOf(name: string, flag: Flag<unknown>): string {
  const { description, variable, unit = '' } = flag;
  const value = Array.isArray(flag.default) ? flag.default.join(',') : (flag.default ?? '');
  const hints = [
    ...(variable === false ? [] : [variableName(name)]),
    ...(value === '' ? [] : [`default ${value}${unit}`]),
  ];
  return hints.length === 0 ? description : `${description} (${hints.join(', ')})`;
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function variableName(name: string): string {
  return kebabCase(name).replaceAll('-', '_').toUpperCase();
}
