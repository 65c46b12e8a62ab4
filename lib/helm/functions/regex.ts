import type { RE2JS } from 're2js';
import { checkLength, define, spendText } from '../go/define';
import { NIL_LIST, stringList } from '../go/typed-values';
import { canBackquote, quote } from '../template/quote';
import type { Budget, GoFunction, GoFunctions, GoValue } from '../template/values';
import { FunctionError } from '../template/values';

/** A match and its groups, by positions; a group that took no part has -1. */
type Match = readonly (readonly [start: number, end: number])[];

/** Compiles an expression. Errors: it is none, in the words of Go. */
function compile(expression: string): RE2JS {
  // Most charts are rendered without it.
  const { RE2JS, RE2JSSyntaxException } = require('re2js') as typeof import('re2js');
  try {
    return RE2JS.compile(expression);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw new FunctionError(error.message);
    throw error;
  }
}

/** The matches of an expression, at most `count`, where an empty one right behind another does not count. */
function matchesOf(regex: RE2JS, text: string, count: number, budget: Budget): Match[] {
  const matcher = regex.matcher(text);
  const groups = regex.groupCount();
  const matches: Match[] = [];
  let end = -1;
  while ((count < 0 || matches.length < count) && matcher.find()) {
    budget.spend(1);
    const isEmptyBehind = matcher.start() === matcher.end() && matcher.start() === end;
    if (!isEmptyBehind) {
      matches.push(Array.from({ length: groups + 1 }, (_, i) => [matcher.start(i), matcher.end(i)] as const));
    }
    end = matcher.end();
  }
  return matches;
}

/** Compiles an expression to search a text with, which takes time in proportion to the product of both. */
function compileFor(text: string, expression: string, budget: Budget): RE2JS {
  budget.spend(1 + Math.ceil(expression.length / 10));
  const regex = compile(expression);
  budget.spend(Math.ceil((text.length * regex.programSize()) / 1000));
  return regex;
}

function part(text: string, [start, end]: readonly [number, number] = [-1, -1]): string {
  return start < 0 ? '' : text.slice(start, end);
}

type Search = (regex: RE2JS, text: string, budget: Budget) => GoValue;

/** A function whose Go original reports an expression that is none with the words of `regexp.MustCompile`. */
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
  define(['string', 'string'], ([expression, text], budget) => {
    return search(compileFor(text, expression, budget), text, budget);
  });

type CountedSearch = (regex: RE2JS, text: string, count: number, budget: Budget) => GoValue;

const counted = (search: CountedSearch): GoFunction =>
  define(['string', 'string', 'int'], ([expression, text, count], budget) => {
    return search(compileFor(text, expression, budget), text, count, budget);
  });

type Replacement = (match: Match, regex: RE2JS, text: string) => string;

const replacing = (replacementBy: (template: string) => Replacement): GoFunction =>
  define(['string', 'string', 'string'], ([expression, text, template], budget) => {
    const regex = compileFor(text, expression, budget);
    const replacement = replacementBy(template);
    let replaced = '';
    let end = 0;
    for (const match of matchesOf(regex, text, -1, budget)) {
      const [[from, to] = [0, 0]] = match;
      const added = text.slice(end, from) + replacement(match, regex, text);
      spendText(budget, added.length);
      checkLength(replaced.length + added.length);
      replaced += added;
      end = to;
    }
    return replaced + text.slice(end);
  });

const REFERENCE = /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu;

/** Puts the groups of a match into a template: `$1`, `${1}`, `$name`, and `$$` for a dollar. */
const expand =
  (template: string): Replacement =>
  (match, regex, text) =>
    template.replace(REFERENCE, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare;
      return name === undefined ? '$' : part(text, match[groupNumber(name, regex)]);
    });

/** The number of a group; -1 for a name that no group has. */
function groupNumber(name: string, regex: RE2JS): number {
  if (/^(0|[1-9]\d{0,8})$/.test(name)) return Number(name);
  return Object.hasOwn(regex.namedGroups(), name) ? (regex.namedGroups()[name] ?? -1) : -1;
}

function findAll(regex: RE2JS, text: string, count: number, budget: Budget): GoValue {
  const found = matchesOf(regex, text, count, budget).map(([whole]) => part(text, whole));
  return stringList(found.length === 0 ? (NIL_LIST as readonly string[]) : found);
}

function split(regex: RE2JS, text: string, count: number, budget: Budget): GoValue {
  if (count === 0) return stringList(NIL_LIST as readonly string[]);
  if (regex.pattern() !== '' && text === '') return stringList(['']);
  const parts: string[] = [];
  let start = 0;
  let end = 0;
  for (const [[from, to] = [0, 0]] of matchesOf(regex, text, count, budget)) {
    if (count > 0 && parts.length >= count - 1) break;
    end = from;
    if (to !== 0) parts.push(text.slice(start, from));
    start = to;
  }
  if (end !== text.length) parts.push(text.slice(start));
  return stringList(parts);
}

const match = define(['string', 'string'], ([expression, text], budget) => {
  return compileFor(text, expression, budget).matcher(text).find();
});

/** An expression that is none matches nothing. */
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

const find = searching((regex, text, budget) => part(text, matchesOf(regex, text, 1, budget)[0]?.[0]));

/** Functions of regular expressions, which are those of Go: linear in time, without references back. */
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
    regexQuoteMeta: define(['string'], ([text], budget) => {
      spendText(budget, text.length * 2);
      return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
    }),
  }),
);
