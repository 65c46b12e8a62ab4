import { CHARACTERS_PER_STEP, checkDepth, invoke, LimitError, RenderBudget, sortTexts } from './budget';
import { type FormatFlags, formatInteger, formatString, noFlags, pad } from './format';
import { stringOf } from './go-string';
import { parseFormat } from './printf';
import { elementsOf, entriesOf, isGoObject, NIL_LIST, NilMap, typeOf } from './reflect';
import { type Budget, GoInt, type GoObject, type GoValue } from './values';
import { formatScalar, type Scalar } from './verbs';

/** Returns a value as `%v` prints it. */
export function goPrint(value: GoValue, budget?: Budget): string {
  if (typeof value === 'string') return value;
  const printer = new Printer(budget);
  printer.printArgument(value, 'v');
  return printer.text;
}

/** Prints arguments as `print` does: with a space between two arguments if neither is a string. */
export function goSprint(args: readonly GoValue[], budget?: Budget): string {
  const printer = new Printer(budget);
  args.forEach((argument, index) => {
    if (index > 0 && typeof argument !== 'string' && typeof args[index - 1] !== 'string') printer.write(' ');
    printer.printArgument(argument, 'v');
  });
  return printer.text;
}

/** Prints arguments as `println` does. */
export function goSprintln(args: readonly GoValue[], budget?: Budget): string {
  const printer = new Printer(budget);
  args.forEach((argument, index) => {
    if (index > 0) printer.write(' ');
    printer.printArgument(argument, 'v');
  });
  printer.write('\n');
  return printer.text;
}

/** Prints arguments as `printf` does. */
export function goSprintf(format: string, args: readonly GoValue[], budget?: Budget): string {
  const printer = new Printer(budget);
  const extra = parseFormat(format, args, {
    write: (text) => printer.write(text),
    print: (argument, verb, flags) => {
      printer.flags = flags;
      printer.printArgument(argument, verb);
    },
  });
  printer.flags = noFlags();
  if (extra.length > 0) printer.printExtra(extra);
  return printer.text;
}

/** Maximum number of characters that one call prints: more than any manifest has. */
const MAX_LENGTH = 2 ** 26;

/** The verbs that print the result of the method String. */
const STRING_VERBS = 'vsxXq';

/** Printed for the address of a value: in Go, addresses differ between renders. */
const ADDRESS = 0xc000000000n;

class Printer {
  text = '';
  flags: FormatFlags = noFlags();
  /** True while an operand is printed in the error of an unsuitable verb: its methods are not used then. */
  private isErroring = false;

  constructor(private readonly budget: Budget = new RenderBudget()) {}

  write(text: string): void {
    this.budget.spend(1 + text.length / CHARACTERS_PER_STEP);
    this.text += text;
    if (this.text.length > MAX_LENGTH) throw new LimitError(`a value takes more than ${MAX_LENGTH} characters`);
  }

  printArgument(argument: GoValue, verb: string): void {
    if (argument !== undefined && argument !== null) this.printPresent(argument, verb);
    else if (verb === 'v' || verb === 'T') this.write(pad('<nil>', this.flags));
    else this.badVerb(undefined, verb);
  }

  private printPresent(argument: GoValue, verb: string): void {
    if (verb === 'T') this.write(formatString(typeOf(argument), this.flags));
    else if (verb === 'p') this.printPointer(argument, verb);
    else this.printValue(argument, verb, 0);
  }

  /** Prints the arguments that the directives of a format do not use. */
  printExtra(args: readonly GoValue[]): void {
    this.write('%!(EXTRA ');
    args.forEach((argument, index) => {
      if (index > 0) this.write(', ');
      if (argument !== undefined && argument !== null) this.write(`${typeOf(argument)}=`);
      this.printArgument(argument, 'v');
    });
    this.write(')');
  }

  private printValue(value: GoValue, verb: string, depth: number): void {
    checkDepth(depth);
    if (value === undefined || value === null) this.write(this.flags.sharpV ? 'interface {}(nil)' : '<nil>');
    else if (typeof value !== 'object' || value instanceof GoInt) this.printScalar(value, verb);
    else if (verb === 'w') this.badVerb(value, verb);
    else if (!isGoObject(value) || !this.printByMethod(value, verb)) this.printComposite(value, verb, depth);
  }

  private printScalar(value: Scalar, verb: string): void {
    const text = formatScalar(value, verb, this.flags);
    if (text === undefined) this.badVerb(value, verb);
    else this.write(text);
  }

  private printComposite(value: GoValue, verb: string, depth: number): void {
    const entries = entriesOf(value);
    const elements = elementsOf(value);
    if (entries !== undefined) this.printMap(entries, typeOf(value), { verb, depth });
    else if (elements !== undefined) this.printList(elements, typeOf(value), { verb, depth });
    else if (isGoObject(value)) this.printStruct(value, verb, depth);
  }

  private printByMethod(value: GoObject, verb: string): boolean {
    const method = value.methods.get('String');
    if (method === undefined || this.isErroring || this.flags.sharpV || !STRING_VERBS.includes(verb)) return false;
    this.printScalar(String(invoke(method, [], this.budget)), verb);
    return true;
  }

  private printMap(entries: ReadonlyMap<string, GoValue>, type: string, { verb, depth }: Place): void {
    if (this.flags.sharpV && entries instanceof NilMap) {
      this.write(`${type}(nil)`);
      return;
    }
    this.write(this.flags.sharpV ? `${type}{` : 'map[');
    sortTexts([...entries.keys()], this.budget).forEach((key, index) => {
      if (index > 0) this.write(this.flags.sharpV ? ', ' : ' ');
      this.printValue(key, verb, depth + 1);
      this.write(':');
      this.printValue(entries.get(key), verb, depth + 1);
    });
    this.write(this.flags.sharpV ? '}' : ']');
  }

  private printList(elements: readonly GoValue[], type: string, { verb, depth }: Place): void {
    if (type === '[]uint8' && 'sqxX'.includes(verb)) {
      this.printScalar(stringOf(Uint8Array.from(elements, byteOf)), verb);
      return;
    }
    // Go prints the alias of the type of bytes, except for nested ones.
    const name = type === '[]uint8' && depth === 0 ? '[]byte' : type;
    if (this.flags.sharpV && elements === NIL_LIST) {
      this.write(`${name}(nil)`);
      return;
    }
    if (type === '[]uint8' && 'vd'.includes(verb) && isUnset(this.flags)) {
      this.write(`[${Uint8Array.from(elements, byteOf).join(' ')}]`);
      return;
    }
    this.write(this.flags.sharpV ? `${name}{` : '[');
    elements.forEach((element, index) => {
      if (index > 0) this.write(this.flags.sharpV ? ', ' : ' ');
      this.printValue(element, verb, depth + 1);
    });
    this.write(this.flags.sharpV ? '}' : ']');
  }

  private printStruct(value: GoObject, verb: string, depth: number): void {
    if (value.goKind === 'ptr' && depth > 0) {
      if ('vpbodxX'.includes(verb)) this.printPointer(value, verb);
      else this.badVerb(value, verb);
      return;
    }
    if (value.goKind === 'ptr') this.write('&');
    const named = this.flags.plusV || this.flags.sharpV;
    this.write(this.flags.sharpV ? `${value.goType.replace(/^\*/, '')}{` : '{');
    [...value.fields].forEach(([name, field], index) => {
      if (index > 0) this.write(this.flags.sharpV ? ', ' : ' ');
      if (named) this.write(`${name}:`);
      this.printValue(isGoObject(field) ? (field.copy ?? field) : field, verb, depth + 1);
    });
    this.write('}');
  }

  private printPointer(value: GoValue, verb: string): void {
    const isPointer = typeof value === 'object' && !(value instanceof GoInt);
    if (!isPointer || (isGoObject(value) && value.goKind === 'struct')) this.badVerb(value, verb);
    else if (this.flags.sharpV) this.write(`(${typeOf(value)})(0x${ADDRESS.toString(16)})`);
    else this.write(formatInteger(ADDRESS, 'x', { ...this.flags, sharp: !this.flags.sharp }));
  }

  private badVerb(value: GoValue, verb: string): void {
    this.write(`%!${verb}(`);
    if (value === undefined || value === null) {
      this.write('<nil>');
    } else {
      this.isErroring = true;
      this.write(`${typeOf(value)}=`);
      this.printValue(value, 'v', 0);
      this.isErroring = false;
    }
    this.write(')');
  }
}

function isUnset(flags: FormatFlags): boolean {
  return Object.values(flags).every((flag) => flag === false || flag === undefined);
}

interface Place {
  readonly verb: string;
  readonly depth: number;
}

function byteOf(element: GoValue): number {
  return element instanceof GoInt ? Number(element.value) : Number(element);
}
