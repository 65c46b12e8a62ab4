import { FunctionError } from '../go/values';

/** Prefix of a text that replaces a date, because the package reads dates only to the millisecond. */
export const DATE_MARK = '\ue000date:';

const DATE =
  /(?<=[=,[\s])(?:\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?=[ \t]*(?:[,\]}#\r\n]|$))/;
/** A string without its closing quotes extends to the end of the text, so that each character is read once. */
const BASIC = /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}|"""[\s\S]*|"(?:[^"\\\n]|\\.)*"?/;
const LITERAL = /'''(?:[^']|'(?!''))*'{3,5}|'''[\s\S]*|'[^'\n]*'?/;
const TOKEN = new RegExp(`${BASIC.source}|${LITERAL.source}|#[^\\n]*|${DATE.source}|[[\\]{},=\\n]`, 'g');

/**
 * Replaces the dates in a text of TOML by marked strings. Refuses syntax of TOML 1.1, because the package reads 1.1,
 * and Helm reads 1.0.
 *
 * @throws FunctionError for escapes, dates and inline tables of TOML 1.1, in the words of BurntSushi/toml
 */
export function markDates(text: string, isDate: (text: string) => boolean): string {
  const place = new TomlPlace(text);
  return text.replace(TOKEN, (token, index: number) => {
    place.next(token, index);
    if (token.startsWith('"')) checkEscapes(token, place);
    if (!/^\d/.test(token)) return token;
    if (!isDate(token)) throw place.error(`invalid datetime: "${token}"`);
    return `"${DATE_MARK}${token}"`;
  });
}

function checkEscapes(token: string, place: TomlPlace): void {
  for (const [, letter = ''] of token.matchAll(/\\([\s\S])/g)) {
    if (letter === 'x' || letter === 'e') throw place.error(`invalid escape in string '\\${letter}'`);
  }
}

/** Tracks the line and the last key before a token, which errors name. */
class TomlPlace {
  private line = 1;
  private table: readonly string[] = [];
  private key: string | undefined;
  private keyStart = 0;
  /** Brackets and braces around the token. */
  private readonly open: { readonly bracket: string; readonly keys: readonly string[] }[] = [];
  private before = '';

  constructor(private readonly text: string) {}

  next(token: string, index: number): void {
    if (token === '=') this.key = this.text.slice(this.keyStart, index).trim();
    else if (token === '\n' || token === ',' || token === '{') this.separate(token, index);
    else if (token === '[' && this.key !== undefined) this.open.push({ bracket: token, keys: this.keys() });
    else if (token === ']' && this.key === undefined)
      this.table = [this.text.slice(this.keyStart, index).replace(/^[\s[]+|\]+$/g, '')];
    else if (token === ']' || token === '}') this.close(token);
    if (token !== '\n' && !token.startsWith('#')) this.before = token;
    this.line += token === '\n' ? 0 : token.split('\n').length - 1;
  }

  private separate(token: string, index: number): void {
    const isInBraces = this.open.at(-1)?.bracket === '{';
    if (token === '\n' && isInBraces) throw this.error('newlines not allowed within inline tables');
    if (token === '{') {
      this.open.push({ bracket: token, keys: this.keys() });
      this.key = undefined;
    }
    if (token === '\n') this.line += 1;
    if (isInBraces || token !== ',') this.keyStart = index + 1;
    if (token === '\n' && this.open.length === 0) this.key = undefined;
  }

  private close(token: string): void {
    if (token === '}' && this.before === ',') throw this.error('trailing comma not allowed in inline tables');
    const { keys } = this.open.pop() ?? {};
    if (token === '}') this.key = keys?.at(-1);
  }

  private keys(): readonly string[] {
    const around = this.open.findLast(({ bracket }) => bracket === '{')?.keys ?? this.table;
    return this.key === undefined ? around : [...around, this.key];
  }

  error(reason: string): FunctionError {
    const key = this.keys().join('.');
    return new FunctionError(`toml: line ${this.line}${key === '' ? '' : ` (last key "${key}")`}: ${reason}`);
  }
}
