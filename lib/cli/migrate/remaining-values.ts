import { isMap, memberOf, type Value, type Values } from '../../kubernetes/values';

/** Keys that lead to a value; as one text with dots where no key has one. */
type Path = string | readonly string[];

/** Values, of which one after the other is taken until the rest has no prop. */
export class RemainingValues {
  constructor(private rest: Values) {}

  /** Returns what nobody took; absent if nothing is left. */
  get values(): Values | undefined {
    return Object.keys(this.rest).length === 0 ? undefined : this.rest;
  }

  /** The value at a path, which is not there any more. */
  take(path: Path): Value | undefined {
    const value = this.at(path);
    if (value !== undefined) this.rest = without(this.rest, keysOf(path));
    return value;
  }

  /** Takes the value at a path, or what it is inside of where that is a list. */
  takeMost(path: readonly string[]): void {
    const list = path.findIndex((_, index) => Array.isArray(this.at(path.slice(0, index))));
    this.take(list === -1 ? path : path.slice(0, list));
  }

  /** As `take`, for a text; one that is empty, no text, or not accepted stays. */
  takeText(path: Path, accept: (text: string) => boolean = () => true): string | undefined {
    const value = this.at(path);
    if (typeof value !== 'string' || value === '' || !accept(value)) return undefined;
    this.take(path);
    return value;
  }

  private at(path: Path): Value | undefined {
    return keysOf(path).reduce<Value | undefined>(
      (value, key) => (isMap(value) ? memberOf(value, key) : undefined),
      this.rest,
    );
  }
}

function keysOf(path: Path): readonly string[] {
  return typeof path === 'string' ? path.split('.') : path;
}

/** A map that has nothing left goes with its last value. */
function without(values: Values, [key = '', ...path]: readonly string[]): Values {
  const { [key]: inside, ...others } = values;
  if (path.length === 0 || !isMap(inside)) return others;
  const left = without(inside, path);
  return Object.keys(left).length === 0 ? others : { ...values, [key]: left };
}
