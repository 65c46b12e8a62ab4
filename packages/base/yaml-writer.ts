import { orderedKeys } from './key-order';
import { lineScalar, numberScalar, textScalar } from './yaml-scalar';

/**
 * Parsers search at most 1,024 characters for the colon after a key (YAML 1.2, 7.4.2); longer keys need a question
 * mark.
 */
const MAX_KEY_LENGTH = 1_000;

/**
 * Writes plain data (what JSON can hold) as one YAML document that parsers of YAML 1.1 and YAML 1.2 read the same: all
 * strings stay strings.
 *
 * Keys are in the usual order (`orderedKeys`), so that equal data gives equal bytes, both for Helm values and for
 * objects. Text of several lines becomes a block scalar. The writer folds no lines and writes no anchors. Undefined
 * members of maps are left out, as in JSON.
 *
 * @throws TypeError with the path of a value that cannot be written: undefined in a list, a function, NaN, a Date, a
 * string with half of a surrogate pair, a list that contains itself.
 */
export function stringifyYaml(data: unknown): string {
  return new Emitter(new Map()).document(data);
}

/**
 * Writes data as `stringifyYaml` does, or only the value of a key, with continuation lines that start with `pad`.
 *
 * @param written - texts of maps and lists in the data that need not be written again
 */
export function stringifyAround(
  written: ReadonlyMap<object, string>,
  data: unknown,
  part?: { readonly key: string; readonly pad: string },
): string {
  const emitter = new Emitter(written);
  return part === undefined ? emitter.document(data) : emitter.node(data, part.pad, part.key);
}

class Emitter {
  private readonly path: (string | number)[] = [];
  private readonly ancestors: object[] = [];

  constructor(private readonly written: ReadonlyMap<object, string>) {}

  document(data: unknown): string {
    try {
      return `${typeof data === 'string' ? lineScalar(data) : this.node(data, '')}\n`;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const where = this.path.length === 0 ? 'data' : this.path.join('.');
      throw new TypeError(`Cannot write ${where} as YAML: ${error.message}`);
    }
  }

  /** Continuation lines start with `pad`. */
  node(value: unknown, pad: string, below?: string): string {
    switch (typeof value) {
      case 'string':
        return textScalar(value, pad);
      case 'number':
        return numberScalar(value);
      case 'boolean':
        return String(value);
      case 'object':
        return value === null ? 'null' : this.collection(value, pad, below);
      default:
        throw new TypeError(`it is ${value === undefined ? 'undefined' : `a ${typeof value}`}`);
    }
  }

  private collection(value: object, pad: string, below: string | undefined): string {
    const written = this.written.get(value);
    if (written !== undefined) return written;
    if (this.ancestors.includes(value)) throw new TypeError('it contains itself');
    this.ancestors.push(value);
    const text = Array.isArray(value) ? this.list(value, pad, below) : this.map(value, pad, below);
    this.ancestors.pop();
    return text;
  }

  private list(items: readonly unknown[], pad: string, below: string | undefined): string {
    if (items.length === 0) return '[]';
    const inner = `${pad}  `;
    let text = '';
    let index = 0;
    for (const item of items) {
      this.path.push(index);
      text += index === 0 ? '- ' : `\n${pad}- `;
      text += this.node(item, inner, below);
      this.path.pop();
      index += 1;
    }
    return text;
  }

  private map(members: object, pad: string, below: string | undefined): string {
    if (!isPlain(members)) throw new TypeError(`it is a ${members.constructor?.name}, not plain data`);
    const inner = `${pad}  `;
    let text = '';
    for (const key of orderedKeys(members, below)) {
      const value = (members as Readonly<Record<string, unknown>>)[key];
      if (value === undefined) continue;
      this.path.push(key);
      const body = this.node(value, inner, key);
      if (text !== '') text += `\n${pad}`;
      text += keyText(key, pad) + (isOnNextLine(value, body) ? `:\n${inner}` : ': ') + body;
      this.path.pop();
    }
    return text === '' ? '{}' : text;
  }
}

function keyText(key: string, pad: string): string {
  const text = lineScalar(key);
  return text.length > MAX_KEY_LENGTH ? `? ${text}\n${pad}` : text;
}

function isOnNextLine(value: unknown, text: string): boolean {
  return typeof value === 'object' && value !== null && text !== '{}' && text !== '[]';
}

/** Whether an object is a literal (of any realm), and not an instance of a class. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
