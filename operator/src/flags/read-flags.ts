import { type Command, Option } from 'commander';
import type { Flag } from './flag';

/** Flags by their names in camel case: `webhookPort` is `--webhook-port`, and the variable WEBHOOK_PORT. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** The values of flags, by their names. */
export type FlagValues<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

/** The values of a command line's flags, or all its problems. */
export type ReadFlags<F extends Flags> = { readonly values: FlagValues<F> } | { readonly problems: readonly string[] };

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Adds flags to a command, for {@link readFlags}. */
export function addFlags(command: Command, flags: Flags): Command {
  command.allowUnknownOption().allowExcessArguments();
  command.configureHelp({ optionTerm: (option) => withRequiredValue(option.flags) });
  for (const [name, flag] of Object.entries(flags)) {
    const option = new Option(`--${kebabCase(name)} [${flag.placeholder}]`, descriptionOf(name, flag));
    const { separator } = flag;
    if (separator !== undefined) {
      option.argParser((text, before) => (before === undefined ? text : `${before}${separator}${text}`));
    }
    command.addOption(option);
    if (flag.boolean) command.addOption(new Option(`--no-${kebabCase(name)}`).hideHelp());
  }
  return command;
}

/** Returns the values of a parsed command's flags: from the flag, else from a non-empty variable, else the default. */
export function readFlags<F extends Flags>(command: Command, flags: F, environment: Environment): ReadFlags<F> {
  const problems = command.args.map((argument) => `unknown argument '${argument}'`);
  const given: Readonly<Record<string, unknown>> = command.opts();
  const values = Object.entries(flags).map(([name, flag]) => {
    const [source, text] =
      name in given ? [`--${kebabCase(name)}`, given[name]] : fromEnvironment(name, flag, environment);
    if (text === undefined) return [name, flag.default];
    const read = parse(flag, text);
    if ('expected' in read) problems.push(`${source}: expected ${read.expected}, got ${shown(text)}`);
    return [name, 'value' in read ? read.value : flag.default];
  });
  return problems.length > 0 ? { problems } : { values: Object.fromEntries(values) as FlagValues<F> };
}

/** Returns the arguments with two dashes before each long flag; Go programs accept one as well. */
export function withTwoDashes(args: readonly string[]): string[] {
  return args.map((argument) => (/^-[a-z][-a-z]+/.test(argument) ? `-${argument}` : argument));
}

/** commander gives true for a flag without a value, and false for its negation. */
function parse(flag: Flag<unknown>, given: unknown) {
  if (typeof given === 'string') return flag.parse(given);
  return flag.boolean ? { value: given } : { expected: 'a value' };
}

function shown(given: unknown): string {
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

/** Shows values as required. For commander every value is optional, so that a missing one is a problem like others. */
function withRequiredValue(flags: string): string {
  return flags.replace(/\[(?!boolean)(.*)\]$/, '<$1>');
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function variableName(name: string): string {
  return kebabCase(name).replaceAll('-', '_').toUpperCase();
}
