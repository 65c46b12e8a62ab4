import type { RE2JS } from 're2js';
import { grouped } from '#base/grouped';
import { type Budget, FunctionError } from './values';

/** The positions of a match and of its groups; -1 for a group that did not match. */
export type Match = readonly (readonly [start: number, end: number])[];

/** A regular expression of Go that spends steps: for its compilation, and for each character that it reads. */
export interface Regex {
  readonly pattern: string;
  /** The groups of each name: Go uses the first one that matched. */
  readonly namedGroups: ReadonlyMap<string, readonly number[]>;
  /** Whether it matches a part of a text. */
  readonly test: (text: string) => boolean;
  /** Returns at most `count` matches, without empty matches directly after another match. */
  readonly matches: (text: string, count: number) => Match[];
}

/** Steps for each character of an expression. Counts such as `{1,1000}` may compile to hundreds of instructions. */
const STEPS_TO_COMPILE = { plain: 4, counted: 40 };

const STEPS_PER_INSTRUCTION = 4;

const INSTRUCTIONS_PER_STEP = 64;

/** Compiles an expression. @throws FunctionError in the words of Go if it is invalid */
export function compileRegex(expression: string, budget: Budget): Regex {
  const each = expression.includes('{') ? STEPS_TO_COMPILE.counted : STEPS_TO_COMPILE.plain;
  budget.spend(each * (10 + expression.length));
  // Loaded on demand: most charts need no regular expressions.
  const { RE2JS: Engine, RE2JSSyntaxException } = require('re2js') as typeof import('re2js');
  try {
    const regex = Engine.compile(uniqueNames(expression));
    budget.spend(STEPS_PER_INSTRUCTION * regex.programSize());
    return meteredRegex(regex, budget);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw new FunctionError(error.message);
    throw error;
  }
}

/** Renames further groups of a name: Go permits them, but the engine does not. */
function uniqueNames(expression: string): string {
  const seen = new Map<string, number>();
  return expression.replace(/\\[\s\S]|\(\?P?<(\w+)>/g, (found, name: string | undefined) => {
    if (name === undefined) return found;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? found : `(?P<${name}${AGAIN}${count}>`;
  });
}

/** Separates the name of a group from the number of earlier groups with this name. */
const AGAIN = '_again_';

function nameOf(groups: Readonly<Record<string, number>>, group: number): string {
  const [name = ''] = Object.entries(groups).find(([, index]) => index === group) ?? [];
  return name.replace(new RegExp(`${AGAIN}\\d+$`), '');
}

/** Makes an expression spend steps of a budget. */
export function meteredRegex(regex: RE2JS, budget: Budget): Regex {
  const steps = 0.1 + regex.programSize() / INSTRUCTIONS_PER_STEP;
  const matcherOf = (text: string) => {
    budget.spend(4 + steps);
    // The engine's types require a string; the methods of MeteredText are all that it uses.
    return regex.matcher(new MeteredText(text, steps, budget) as unknown as string);
  };
  return {
    pattern: regex.pattern(),
    namedGroups: grouped(
      Object.values(regex.namedGroups()).map((group) => [nameOf(regex.namedGroups(), group), group]),
    ),
    test: (text) => matcherOf(text).find(),
    matches: (text, count) => {
      const matcher = matcherOf(text);
      const groups = regex.groupCount();
      const found: Match[] = [];
      let end = -1;
      while ((count < 0 || found.length < count) && matcher.find()) {
        budget.spend(4 * (1 + groups));
        const isEmptyBehind = matcher.start() === matcher.end() && matcher.start() === end;
        if (!isEmptyBehind) {
          found.push(Array.from({ length: groups + 1 }, (_, i) => [matcher.start(i), matcher.end(i)] as const));
        }
        end = matcher.end();
      }
      return found;
    },
  };
}

/** A text that spends steps for each character that a matcher reads. For each match, it may read the whole rest. */
class MeteredText {
  readonly length: number;
  /** The matcher recognizes strings by this tag. */
  readonly [Symbol.toStringTag] = 'String';

  constructor(
    private readonly text: string,
    private readonly steps: number,
    private readonly budget: Budget,
  ) {
    this.length = text.length;
  }

  charCodeAt(index: number): number {
    this.budget.spend(this.steps);
    return this.text.charCodeAt(index);
  }

  indexOf(part: string, from: number): number {
    const index = this.text.indexOf(part, from);
    this.budget.spend(((index < 0 ? this.length : index) - from) / 100);
    return index;
  }

  substring(start: number, end: number): string {
    return this.text.substring(start, end);
  }

  toString(): string {
    return this.text;
  }
}
