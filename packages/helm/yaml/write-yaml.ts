import { STEPS_PER_LISTED_BYTE, spendToWrite, UNLIMITED } from '../go/budget';
import { formatFloat } from '../go/float-format';
import { elementsOf, entriesOf, isGoObject, NIL_LIST, NilMap } from '../go/reflect';
import { DeclaredFields } from '../go/struct-object';
import { bytesIn } from '../go/typed-values';
import { type Budget, FunctionError, GoInt, type GoObject, type GoValue } from '../go/values';
import { Emitter, type Place } from './emitter';
import { writeJson } from './json';
import type { GoYaml } from './resolve-scalar';

/** The maximum width of lines: `toYaml` folds longer texts, `toYamlPretty` does not. */
const WIDTHS = { v2: 80, v3: Number.POSITIVE_INFINITY } as const;

/** Writes a value as `toYaml` does, with sigs.k8s.io/yaml. @throws if JSON or YAML cannot represent it */
export function writeYaml(value: GoValue, budget: Budget): string {
  spendToWrite(value, budget);
  return new YamlWriter('v2').write(value);
}

/** Writes a value as `toYamlPretty` does, with go-yaml v3, which indents lists in maps. */
export function writePrettyYaml(value: GoValue, budget: Budget): string {
  spendToWrite(value, budget, STEPS_PER_LISTED_BYTE);
  return new YamlWriter('v3').write(value);
}

class YamlWriter {
  private readonly emitter: Emitter;

  constructor(private readonly goYaml: GoYaml) {
    this.emitter = new Emitter(goYaml, WIDTHS[goYaml]);
  }

  write(value: GoValue): string {
    this.writeNode(value, 'root');
    return this.emitter.finish();
  }

  private writeNode(value: GoValue, place: Place): void {
    if (isGoObject(value)) this.writeObject(value, place);
    else this.writePlain(value, place);
  }

  /** Writes a Go type: v2 via JSON, v3 by the names of its fields. */
  private writeObject(value: GoObject, place: Place): void {
    const bytes = this.goYaml === 'v2' ? bytesIn(value) : undefined;
    if (bytes !== undefined) this.emitter.text(Buffer.from(bytes).toString('base64'), place);
    else if (this.goYaml === 'v3' && value.goType === 'time.Time') this.emitter.plain(String(value.data), place);
    else if (this.goYaml === 'v3' && value.goType === '*chart.Dependency') {
      // This is the only type with YAML tags, which equal its JSON tags.
      this.writePlain(value.data, place);
    } else if (this.goYaml === 'v3' && value.fields.size > 0) {
      const entries = [...value.fields].map(([name, field]): [string, GoValue] => [name.toLowerCase(), field]);
      this.writePlain(new DeclaredFields(entries), place);
    } else this.writePlain(value.data, place);
  }

  private writePlain(value: GoValue, place: Place): void {
    const scalar = this.scalarOf(value);
    const elements = elementsOf(value);
    const entries = entriesOf(value);
    if (typeof value === 'string') this.emitter.text(this.textOf(value), place);
    else if (scalar !== undefined) this.emitter.plain(scalar, place);
    else if (elements?.length === 0) this.emitter.empty('[]');
    else if (elements !== undefined) this.writeList(elements, place);
    else if (entries?.size === 0) this.emitter.empty('{}');
    else if (entries !== undefined) this.writeMap(entries);
  }

  private scalarOf(value: GoValue): string | undefined {
    if (value === undefined || value === null) return 'null';
    if (value instanceof NilMap || value === NIL_LIST) {
      return this.goYaml === 'v2' ? 'null' : undefined;
    }
    if (typeof value === 'boolean') return String(value);
    if (value instanceof GoInt) return value.value.toString();
    return typeof value === 'number' ? this.numberOf(value) : undefined;
  }

  /** Formats a number. Via JSON, a whole number becomes an integer if it fits into 64 bits. */
  private numberOf(value: number): string {
    if (this.goYaml === 'v3') return special(value) ?? formatFloat(value, 'g', -1);
    if (!Number.isFinite(value)) throw new FunctionError(`json: unsupported value: ${value}`);
    const text = String(value);
    const isInteger = /^-?\d+$/.test(text) && BigInt(text) >= -(2n ** 63n) && BigInt(text) < 2n ** 64n;
    return isInteger ? BigInt(text).toString() : formatFloat(value, 'g', -1);
  }

  private writeList(elements: readonly GoValue[], place: Place): void {
    this.emitter.sequence(
      place,
      elements.map((element) => () => this.writeNode(element, 'sequence')),
    );
  }

  private writeMap(entries: ReadonlyMap<string, GoValue>): void {
    const ordered = [...entries].map(([key, value]) => [this.keyOf(key), value] as const);
    if (this.goYaml === 'v2' || !(entries instanceof DeclaredFields)) {
      ordered.sort(([a], [b]) => compareKeys(a, b, this.goYaml));
    }
    this.emitter.mapping(ordered.map(([key, value]) => [key, () => this.writeNode(value, 'value')] as const));
  }

  private keyOf(key: string): string {
    const text = this.textOf(key);
    // v2 reads the JSON as YAML, which rejects longer keys and keys of several lines.
    if (this.goYaml === 'v2' && (key.includes('\u0085') || [...writeJson(key, UNLIMITED)].length > 1024)) {
      throw new FunctionError("yaml: did not find expected ',' or '}'");
    }
    return text;
  }

  /** Returns a text after v2 has written it as JSON and read it as YAML. */
  private textOf(text: string): string {
    if (this.goYaml === 'v3') return text;
    if (/[\x7f-\x84\x86-\x9f\ufffe\uffff]/.test(text)) {
      throw new FunctionError('yaml: control characters are not allowed');
    }
    const whole = text.replace(/[\ud800-\udfff]/gu, '\ufffd');
    return whole.includes('\u0085') ? foldedByReader(whole) : whole;
  }
}

/** Folds lines at U+0085, which is a character in JSON and a line break in YAML. */
function foldedByReader(text: string): string {
  if (/\u0085(?:---|\.\.\.)[ \u0085]/.test(text)) throw new FunctionError('yaml: found unexpected document indicator');
  // Matching each run of spaces as a whole takes linear time.
  return text.replace(/[ \u0085]+/g, (run) => {
    const count = run.split('\u0085').length - 1;
    return count === 0 ? run : count === 1 ? ' ' : '\n'.repeat(count - 1);
  });
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return '.nan';
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? '.inf' : '-.inf';
}

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && /^\p{Nd}$/u.test(character);
}

function code(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Orders the keys of a map as go-yaml does: numbers in keys by their values, other characters before letters. */
function compareKeys(a: string, b: string, goYaml: GoYaml): number {
  const left = [...a];
  const right = [...b];
  const at = left.findIndex((character, i) => i < right.length && character !== right[i]);
  if (at < 0) return left.length - right.length;
  const [x = '', y = ''] = [left[at], right[at]];
  if (isLetter(x) && isLetter(y)) return code(x) - code(y);
  if (!isLetter(x) && !isLetter(y)) return compareNumbers(left, right, at);
  // After a digit, v3 sorts letters first.
  const lettersFirst = goYaml === 'v3' && isDigit(left[at - 1]);
  return isLetter(x) === lettersFirst ? -1 : 1;
}

function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  const start = left[at] === '0' || right[at] === '0' ? (followsNumber(left, at) ? 1n : 0n) : 0n;
  const [leftValue, leftEnd] = numberAt(left, at, start);
  const [rightValue, rightEnd] = numberAt(right, at, start);
  if (leftValue !== rightValue) return leftValue < rightValue ? -1 : 1;
  if (leftEnd !== rightEnd) return leftEnd - rightEnd;
  return code(left[at] ?? '') - code(right[at] ?? '');
}

function followsNumber(characters: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && isDigit(characters[i]); i--) if (characters[i] !== '0') return true;
  return false;
}

function numberAt(characters: readonly string[], at: number, start: bigint): [bigint, number] {
  let value = start;
  let end = at;
  while (isDigit(characters[end])) {
    value = BigInt.asIntN(64, value * 10n + BigInt(code(characters[end] ?? '') - 0x30));
    end++;
  }
  return [value, end];
}
