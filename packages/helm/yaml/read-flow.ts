import { stepsToMake } from '../go/budget';
import type { Budget, GoValue } from '../go/values';
import { keyOf, notPlain, plainValue } from './plain-scalar';

const LIST = /\[ */y;
const LIST_END = /\]/y;
const MAP = /\{ */y;
const MAP_END = /\}/y;
/** A key, which must be a string. After a key without quotes, a space is required. */
const KEY = /("[^"\\]{0,200}"|'[^']{0,200}'): *|([A-Za-z0-9_./][A-Za-z0-9_./-]{0,200}): +/y;
const SCALAR = /("[^"\\]*"|'[^']*')|(?!-[ ,\]}])[A-Za-z0-9_./-]+/y;
const SEPARATOR = / *(?:, *|(?=[\]}]))/y;

/** Maximum nesting. The complete reader reads deeper lists and maps, and reports its limit. */
const DEEPEST = 100;

/** Reads a list or map in brackets on one line. @throws NotPlainError for anything else in it */
export function readFlow(text: string, budget: Budget): GoValue {
  return new FlowReader(text, budget).read();
}

class FlowReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly budget: Budget,
  ) {}

  read(): GoValue {
    const value = this.readValue(0);
    return this.at === this.text.length ? value : notPlain();
  }

  private readValue(depth: number): GoValue {
    if (depth > DEEPEST) notPlain();
    if (this.take(LIST) !== null) return this.readList(depth);
    if (this.take(MAP) !== null) return this.readMap(depth);
    const [plain, quoted] = this.take(SCALAR) ?? notPlain();
    return quoted === undefined ? plainValue(plain) : quoted.slice(1, -1);
  }

  private readList(depth: number): GoValue {
    const items: GoValue[] = [];
    while (this.take(LIST_END) === null) {
      items.push(this.readValue(depth + 1));
      this.take(SEPARATOR) ?? notPlain();
    }
    this.budget.spend(1 + stepsToMake(items));
    return items;
  }

  private readMap(depth: number): GoValue {
    const entries = new Map<string, GoValue>();
    while (this.take(MAP_END) === null) {
      const [, quoted, plain = ''] = this.take(KEY) ?? notPlain();
      entries.set(keyOf(quoted ?? plain), this.readValue(depth + 1));
      this.take(SEPARATOR) ?? notPlain();
    }
    this.budget.spend(stepsToMake(entries));
    return entries;
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match !== null) this.at = pattern.lastIndex;
    return match;
  }
}
