import { GoInt, type GoValue } from '../go/values';

/** Thrown for a value whose type is not that of the Go field into which it is decoded. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
}

/**
 * The fields of a YAML map, decoded as sigs.k8s.io/yaml decodes them into a Go struct: names match in any case, null
 * gives the zero value, and a string field accepts any scalar.
 */
export class StructFields {
  private constructor(
    private readonly fields: ReadonlyMap<string, GoValue>,
    private readonly path: string,
  ) {}

  /** @throws FieldError if the value is neither a map nor null */
  static of(value: GoValue, path = ''): StructFields {
    if (value === null || value === undefined) return new StructFields(new Map(), path);
    if (!(value instanceof Map)) throw new FieldError(`${path === '' ? 'it' : path} is ${kindOf(value)}, not a map`);
    return new StructFields(value, path);
  }

  /** Returns a field without conversion; undefined if there is none. */
  value(name: string): GoValue {
    const exact = this.fields.get(name);
    if (exact !== undefined) return exact;
    const folded = name.toLowerCase();
    for (const [key, value] of this.fields) if (key.toLowerCase() === folded) return value;
    return undefined;
  }

  /** Whether a field exists and is not null. */
  has(name: string): boolean {
    const value = this.value(name);
    return value !== undefined && value !== null;
  }

  text(name: string): string {
    return textOf(this.value(name), this.pathOf(name));
  }

  flag(name: string): boolean {
    const value = this.value(name) ?? false;
    if (typeof value !== 'boolean') throw new FieldError(`${this.pathOf(name)} is ${kindOf(value)}, not true or false`);
    return value;
  }

  list(name: string): readonly GoValue[] {
    const value = this.value(name) ?? [];
    if (!Array.isArray(value)) throw new FieldError(`${this.pathOf(name)} is ${kindOf(value)}, not a list`);
    return value;
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((value, index) => textOf(value, `${this.pathOf(name)}[${index}]`));
  }

  structs(name: string): readonly (StructFields | undefined)[] {
    return this.list(name).map((value, index) =>
      value === null ? undefined : StructFields.of(value, `${this.pathOf(name)}[${index}]`),
    );
  }

  struct(name: string): StructFields {
    return StructFields.of(this.value(name), this.pathOf(name));
  }

  /** Returns a map of strings. */
  textMap(name: string): ReadonlyMap<string, string> {
    const { fields, path } = this.struct(name);
    return new Map([...fields].map(([key, value]) => [key, textOf(value, `${path}.${key}`)]));
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

function textOf(value: GoValue, path: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof GoInt) return String(value.value);
  throw new FieldError(`${path} is ${kindOf(value)}, not text`);
}

function kindOf(value: GoValue): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Map) return 'a map';
  if (typeof value === 'number' || value instanceof GoInt) return 'a number';
  return typeof value === 'string' ? 'text' : 'true or false';
}
