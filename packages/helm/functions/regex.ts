import { checkLength } from '../go/budget';
import { define } from '../go/define';
import { canBackquote, quote } from '../go/quote';
import { compileRegex, type Match, type Regex } from '../go/regex';
import { stringList } from '../go/typed-values';
import { FunctionError, type GoFunction, type GoFunctions, type GoValue } from '../go/values';

function part(text: string, [start, end]: readonly [number, number] = [-1, -1]): string {
  return start < 0 ? '' : text.slice(start, end);
}

type Search = (regex: Regex, text: string) => GoValue;

/** Wraps a function that reports an invalid expression in the words of Go's `regexp.MustCompile`. */
function panicking(call: GoFunction): GoFunction {
  return {
    ...call,
    call: (args, budget) => {
      try {
        return call.call(args, budget);
      } catch (error) {
        if (!(error instanceof FunctionError) || !error.message.startsWith('error parsing regexp')) throw error;
        const expression = String(args[0]);
        const quoted = canBackquote(expression) ? `\`${expression}\`` : quote(expression);
        throw new FunctionError(`regexp: Compile(${quoted}): ${error.message}`);
      }
    },
  };
}

const searching = (search: Search): GoFunction =>
  define(['string', 'string'], ([expression, text], budget) => search(compileRegex(expression, budget), text));

type CountedSearch = (regex: Regex, text: string, count: number) => GoValue;

const counted = (search: CountedSearch): GoFunction =>
  define(['string', 'string', 'int'], ([expression, text, count], budget) =>
    search(compileRegex(expression, budget), text, count),
  );

type Replacement = (match: Match, regex: Regex, text: string) => string;

const replacing = (replacementBy: (template: string) => Replacement): GoFunction =>
  define(['string', 'string', 'string'], ([expression, text, template], budget) => {
    const regex = compileRegex(expression, budget);
    const replacement = replacementBy(template);
    let replaced = '';
    let end = 0;
    for (const match of regex.matches(text, -1)) {
      const [[from, to] = [0, 0]] = match;
      const added = text.slice(end, from) + replacement(match, regex, text);
      budget.spend((template.length + added.length) / 10);
      checkLength(replaced.length + added.length);
      replaced += added;
      end = to;
    }
    return replaced + text.slice(end);
  });

const REFERENCE = /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu;

const expand =
  (template: string): Replacement =>
  (match, regex, text) =>
    template.replace(REFERENCE, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare;
      return name === undefined ? '$' : part(text, groupOf(name, match, regex));
    });

/** Returns the group with a number or name; undefined if there is none. */
function groupOf(name: string, match: Match, { namedGroups }: Regex): Match[number] | undefined {
  if (/^(0|[1-9]\d{0,8})$/.test(name)) return match[Number(name)];
  const groups = namedGroups.get(name) ?? [];
  return groups.map((group) => match[group]).find((group) => group !== undefined && group[0] >= 0);
}

function findAll(regex: Regex, text: string, count: number): GoValue {
  const found = regex.matches(text, count).map(([whole]) => part(text, whole));
  return stringList(found.length === 0 ? undefined : found);
}

function split(regex: Regex, text: string, count: number): GoValue {
  if (count === 0) return stringList(undefined);
  if (regex.pattern !== '' && text === '') return stringList(['']);
  const parts: string[] = [];
  let start = 0;
  let end = 0;
  for (const [[from, to] = [0, 0]] of regex.matches(text, count)) {
    if (count > 0 && parts.length >= count - 1) break;
    end = from;
    if (to !== 0) parts.push(text.slice(start, from));
    start = to;
  }
  if (end !== text.length) parts.push(text.slice(start));
  return stringList(parts);
}

const match = searching((regex, text) => regex.test(text));

/** An invalid expression matches nothing. */
const matchOrFalse: GoFunction = {
  ...match,
  call: (args, budget) => {
    try {
      return match.call(args, budget);
    } catch (error) {
      if (error instanceof FunctionError) return false;
      throw error;
    }
  },
};

const find = searching((regex, text) => part(text, regex.matches(text, 1)[0]?.[0]));

/** Functions of regular expressions, with Go's syntax: linear time, no back references. */
export const regexFunctions: GoFunctions = new Map(
  Object.entries({
    regexMatch: matchOrFalse,
    mustRegexMatch: match,
    regexFind: panicking(find),
    mustRegexFind: find,
    regexFindAll: panicking(counted(findAll)),
    mustRegexFindAll: counted(findAll),
    regexReplaceAll: panicking(replacing(expand)),
    mustRegexReplaceAll: replacing(expand),
    regexReplaceAllLiteral: panicking(replacing((template) => () => template)),
    mustRegexReplaceAllLiteral: replacing((template) => () => template),
    regexSplit: panicking(counted(split)),
    mustRegexSplit: counted(split),
    regexQuoteMeta: define(['string'], ([text]) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
  }),
);
