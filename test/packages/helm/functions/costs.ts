import { filesObject } from '#helm/chart/files-object';
import { helmFunctions } from '#helm/functions/helm-functions';
import { valuesObject } from '#helm/functions/values-object';
import { invoke, LimitError, RenderBudget } from '#helm/go/budget';
import { bytesObject } from '#helm/go/typed-values';
import { FunctionError, type GoFunction, GoInt, type GoParameterType, type GoValue } from '#helm/go/values';
import { builtinFunctions } from '#helm/template/builtin-functions';

/** The cost of a call. */
export interface Cost {
  readonly name: string;
  readonly args: string;
  readonly microseconds: number;
  readonly steps: number;
}

type Named = readonly [name: string, value: GoValue];

/** Texts that are the worst case of some function. */
function textsOf(length: number): readonly Named[] {
  const unit = (text: string) => text.repeat(Math.ceil(length / text.length));
  return Object.entries({
    letters: unit('a'),
    upper: unit('A'),
    accents: unit('ä'),
    ideographs: unit('漢'),
    emoji: unit('😀'),
    strays: unit('\udc80'),
    digits: unit('1'),
    zeros: unit('0'),
    'digits, then none': `${unit('1')}x`,
    spaces: unit(' '),
    'spaces, then none': `${unit(' ')}x`,
    'spaces before NEL': `\u0085${unit(' ')}x`,
    tabs: unit('\t'),
    lines: unit('a\n'),
    'empty lines': unit('\n'),
    words: unit('ab '),
    camels: unit('aB'),
    underscores: unit('1_'),
    dashes: unit('a-'),
    slashes: unit('/'),
    'slashes, then none': `${unit('/')}x`,
    dots: unit('../'),
    versions: `1.2.3-${unit('1.')}1`,
    constraints: unit('>1 <2 '),
    'any constraints': unit('1 - 2-a '),
    alternatives: unit('1||'),
    commas: unit('a,'),
    quotes: unit('"'),
    apostrophes: unit("'"),
    backslashes: unit('\\'),
    percents: unit('%'),
    directives: unit('%['),
    escapes: unit('%41'),
    url: `http://[${unit('%25')}%E2%80%A8]/`,
    ports: `http://a${unit(':1')}`,
    controls: unit('\u0001'),
    html: unit('<'),
    base64: unit('QUJD'),
    base32: unit('IFBEGRCF'),
    bad64: unit('Q=\n'),
    brackets: unit('['),
    braces: unit('{'),
    'JSON objects': `[${unit('{},')}1]`,
    'JSON texts': `[${unit('"",')}1]`,
    'JSON keys': `{${Array.from({ length: length / 12 }, (_, i) => `"k${i}":1`).join()}}`,
    'no JSON': `[${unit('1 ,')}x`,
    'YAML empty': unit('- {}\n'),
    'YAML flow': `[${unit('{},')}a]`,
    'YAML quoted': unit('- "\\u0041"\n'),
    'YAML folded': unit('- >-\n a\n'),
    'YAML question': Array.from({ length: length / 12 }, (_, i) => `? k${i}\n: a\n`).join(''),
    'YAML anchors': unit('- &a b\n- *a\n'),
    'YAML error': `${unit('a: b\n')}"`,
    'YAML indented flow': `# x\n${' '.repeat(length / 2)}\n[\n${'a,\n'.repeat(length / 6)}]`,
    'YAML tabs': unit('- "\t"\n'),
    'YAML colons': unit('a: '),
    'TOML keys': Array.from({ length: length / 10 }, (_, i) => `k${i} = 1\n`).join(''),
    'TOML tables': Array.from({ length: length / 10 }, (_, i) => `[k${i}]\n`).join(''),
    'TOML inline': `a = {${Array.from({ length: length / 10 }, (_, i) => `k${i} = 1`).join()}}`,
    'TOML list': `a = [${unit('1,')}]`,
    'TOML dotted': `a${unit('.a')} = 1`,
    months: unit('Jan'),
    fractions: unit('.0'),
    layout: unit('Monday January 2006 '),
    durations: unit('1h'),
    'regex star': 'x*y|x',
    'regex classes': '(a|b|[c-z])*?[^x]{1,30}',
    x: unit('x'),
    small: 'a',
    one: '1',
    zone: 'Europe/Berlin',
    PEM: Buffer.from(`-----BEGIN CERTIFICATE-----\n${unit('QUJD')}\n-----END CERTIFICATE-----`).toString('base64'),
  });
}

function otherValues(length: number): readonly Named[] {
  const count = Math.ceil(length / 20);
  const texts = Array.from({ length: count }, (_, i) => `x${i}`);
  const prefix = 'a'.repeat(Math.ceil(length / 100));
  const long = Array.from({ length: 100 }, (_, i) => `${prefix}${String.fromCharCode(0x100 + i)}`);
  let nested: GoValue = 'x';
  for (let level = 0; level < 150; level += 1) nested = new Map([['a', nested]]);
  let tall: GoValue = 'a\n'.repeat(length / 20);
  for (let level = 0; level < 150; level += 1) tall = new Map([[`k${level}`.padEnd(20, 'k'), tall]]);
  let shared: GoValue = 'x';
  for (let level = 0; level < 12; level += 1) shared = [shared, shared];
  return [
    ['texts', texts],
    ['long texts', long],
    ['numbers', Array.from({ length: count }, (_, i) => new GoInt(BigInt(i)))],
    ['lists', Array.from({ length: count }, () => [])],
    ['map', new Map(texts.map((text) => [text, text]))],
    ['map of long keys', new Map(long.map((text) => [text, text]))],
    ['map of maps', new Map(texts.map((text) => [text, new Map([['a', 1]])]))],
    ['nested', nested],
    ['tall', tall],
    ['shared', shared],
    ['bytes', bytesObject(new Uint8Array(length))],
    ['values', valuesObject(new Map(texts.map((text) => [text, text])))],
    ['files', filesObject(texts.map((name) => ({ name, data: new Uint8Array(10) })))],
    ['date', helmFunctions.get('toDate')?.call(['2006-01-02', '2024-01-01'], new RenderBudget())],
  ];
}

const INTEGERS: readonly bigint[] = [1n, 3n, 1_000_000n, -1n, 0n];

function valuesFor(type: GoParameterType, texts: readonly Named[], others: readonly Named[]): readonly Named[] {
  switch (type) {
    case 'string':
      return texts;
    case 'int':
    case 'int64':
      return INTEGERS.map((value) => [String(value), new GoInt(value, type)] as const);
    case 'float64':
      return [['1.5', 1.5]];
    case 'bool':
      return [['true', true]];
    case 'map':
      return others.filter(([, value]) => value instanceof Map);
    case 'list':
    case 'strings':
      return others.filter(([, value]) => Array.isArray(value));
    default:
      return [...texts, ...others];
  }
}

/** The arguments to try: each value with small ones, and with itself. */
function argumentsFor(
  { parameters, rest }: GoFunction,
  texts: readonly Named[],
  others: readonly Named[],
): readonly (readonly Named[])[] {
  const types = [...parameters, ...(rest === undefined ? [] : parameters.length === 0 ? [rest, rest] : [rest])];
  if (types.length === 0) return [[]];
  const choices = types.map((type) => valuesFor(type, texts, others));
  const tried = choices.flatMap((values, at) =>
    values.flatMap((value) => {
      const withSmall = choices.map((all, index) =>
        index === at ? value : (all.find(([name]) => name === 'small' || name === '1') ?? all[0]),
      );
      const withSame = choices.map((all, index) =>
        index === at ? value : (all.find(([name]) => name === value[0]) ?? all[2] ?? all[0]),
      );
      // The worst case of a function with two texts is often two equal ones.
      return (typeof value[1] === 'string' && types.length > 1 ? [withSame] : [withSmall, withSame]) as Named[][];
    }),
  );
  const unique = new Map(tried.map((args) => [args.map(([name]) => name).join(', '), args]));
  for (const [pattern, text] of [
    ['regex star', 'x'],
    ['regex classes', 'x'],
    ['regex star', 'letters'],
  ]) {
    if (types[0] !== 'string' || types[1] !== 'string') continue;
    const args = choices.map(
      (all, index) =>
        all.find(([name]) => name === (index === 0 ? pattern : index === 1 ? text : 'small')) ?? all.at(-2) ?? all[0],
    ) as Named[];
    unique.set(`${pattern}, ${text}`, args);
  }
  return [...unique.values()];
}

/** The steps that an error counts as. An error ends a render, so it may take as long as many steps. */
const STEPS_OF_ERROR = 1_000;

/** Enough steps to measure each call. */
const MAX_STEPS = 100_000;

/** Calls a function and returns the cost. */
export function costOf({ name, fn, args }: TriedCall, times = 1): Cost {
  const budget = new RenderBudget({ steps: MAX_STEPS });
  const values = args.map(([, value]) => value);
  let error = 0;
  const started = process.cpuUsage();
  try {
    for (let call = 0; call < times; call += 1) invoke(fn, values, budget);
  } catch (thrown) {
    error = STEPS_OF_ERROR;
    if (!(thrown instanceof LimitError || thrown instanceof FunctionError)) {
      throw new Error(`${name}: ${args.map(([one]) => one)}: ${thrown}`, { cause: thrown });
    }
  }
  const { user, system } = process.cpuUsage(started);
  return { name, args: args.map(([one]) => one).join(', '), microseconds: user + system, steps: budget.spent + error };
}

export interface TriedCall {
  readonly name: string;
  readonly fn: GoFunction;
  readonly args: readonly Named[];
}

/** Returns all calls to try, for each function of templates. */
export function allCalls(
  length: number,
): readonly { readonly name: string; readonly fn: GoFunction; readonly args: readonly Named[] }[] {
  const [texts, others] = [textsOf(length), otherValues(length)];
  const methods = others.flatMap(([of, value]) =>
    typeof value === 'object' && value !== null && 'methods' in value
      ? [...value.methods].map(([name, fn]) => [`${of}.${name}`, fn] as const)
      : [],
  );
  // Some functions have two names.
  const functions = new Map([...builtinFunctions, ...helmFunctions, ...methods].map(([name, fn]) => [fn, name]));
  return [...functions].flatMap(([fn, name]) => argumentsFor(fn, texts, others).map((args) => ({ name, fn, args })));
}
