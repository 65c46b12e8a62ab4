import { goDurationMs } from '#base/go-duration';
import { durationFactory } from '#kubernetes/options/duration-like';

/** A part of the printed program: plain data, or an expression. */
export type Code =
  | string
  | number
  | boolean
  | null
  | Name
  | Call
  | readonly Code[]
  | { readonly [key: string]: Code | undefined };

/** A variable of the printed program. */
export class Name {
  constructor(readonly name: string) {}
}

/** A call, such as `Duration.hours(12)` or `new Viz(scope, …)`. */
export class Call {
  readonly args: readonly Code[];

  /** @param callee - the called function or class, as in the program: `Duration.hours`, `new Viz` */
  constructor(
    readonly callee: string,
    ...args: readonly Code[]
  ) {
    this.args = args;
  }

  /** Returns the import that the callee needs. */
  get root(): string {
    return this.callee.replace(/^new /, '').replace(/\..*/, '');
  }
}

/** `const name = call;`, with remarks above it. */
export interface Statement {
  readonly name: string;
  readonly call: Call;
  readonly remarks?: readonly string[];
}

const WIDTH = 100;
/** Texts of three lines or more, such as certificates, that need no escapes in a template literal. */
const LINES = /^(?:(?:[\x20-#%-[\]-_a-~]|\$(?!\{))*\n){2}(?:[\n\x20-#%-[\]-_a-~]|\$(?!\{))+$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Formats an expression; `pad` is the indentation of its continuation lines. */
export function printCode(code: Code, pad = ''): string {
  if (code instanceof Name) return code.name;
  if (code instanceof Call) return `${code.callee}(${code.args.map((arg) => printCode(arg, pad)).join(', ')})`;
  if (typeof code === 'string') return LINES.test(code) ? `\`${code}\`` : quoted(code);
  if (typeof code !== 'object' || code === null) return String(code);
  const members = isList(code)
    ? code.map((item) => (padding: string) => printCode(item, padding))
    : Object.entries(code).flatMap(([key, value]) =>
        value === undefined ? [] : [(padding: string) => member(key, value, padding)],
      );
  return isList(code) ? enclosed(members, ['[', ']'], pad) : enclosed(members, ['{ ', ' }'], pad);
}

/** Returns the classes and functions that an expression calls. */
export function calledIn(code: Code): readonly string[] {
  if (code instanceof Call) return [code.root, ...code.args.flatMap(calledIn)];
  if (code instanceof Name || typeof code !== 'object' || code === null) return [];
  return (isList(code) ? code : Object.values(code)).flatMap((inside) =>
    inside === undefined ? [] : calledIn(inside),
  );
}

function isList(code: object): code is readonly Code[] {
  return Array.isArray(code);
}

function enclosed(
  members: readonly ((pad: string) => string)[],
  [open, close]: readonly [string, string],
  pad: string,
): string {
  if (members.length === 0) return `${open.trim()}${close.trim()}`;
  const inline = `${open}${members.map((print) => print(pad)).join(', ')}${close}`;
  if (pad.length + inline.length <= WIDTH && !inline.includes('\n')) return inline;
  const inner = `${pad}  `;
  return [open.trim(), ...members.map((print) => `${inner}${print(inner)},`), `${pad}${close.trim()}`].join('\n');
}

function member(key: string, value: Code, pad: string): string {
  if (value instanceof Name && value.name === key) return key;
  // `__proto__` is an ordinary key only in brackets.
  const name = key === '__proto__' ? `['${key}']` : IDENTIFIER.test(key) ? key : quoted(key);
  return `${name}: ${printCode(value, pad)}`;
}

function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return text.includes("'") && !text.includes('"') ? JSON.stringify(text) : `'${inside.replaceAll("'", "\\'")}'`;
}

/**
 * Returns cdk8s' code for a duration in Go's syntax; undefined if the duration is invalid, or not a whole number of
 * milliseconds.
 */
export function durationCode(text: string): Call | undefined {
  const milliseconds = goDurationMs(text);
  if (milliseconds === undefined || milliseconds < 0) return undefined;
  const made = durationFactory(milliseconds, 'hours');
  return made && new Call(`Duration.${made[1]}`, made[0]);
}
