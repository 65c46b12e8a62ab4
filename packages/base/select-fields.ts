import { isObject } from './is-object';

/** A field of an object, and its value. */
export interface SelectedField {
  /** As a user would write it: `spec.template.spec.volumes[2].secret`. */
  readonly field: string;
  readonly value: unknown;
}

/** A parsed path, to apply to many objects. */
export type FieldPath = readonly Step[];

type Step =
  | { readonly type: 'key' | 'items' | 'suffix'; readonly text: string }
  /** All objects at any depth. */
  | { readonly type: 'deep' };

/**
 * Parses a path. Its parts, between dots, are: `key`; `key[]`, each item of a list; `*Suffix`, each key with that
 * suffix; `**`, each object at any depth.
 */
export function fieldPath(path: string): FieldPath {
  return path.split('.').map((part): Step => {
    if (part === '**') return { type: 'deep' };
    if (part.startsWith('*')) return { type: 'suffix', text: part.slice(1) };
    return part.endsWith('[]') ? { type: 'items', text: part.slice(0, -2) } : { type: 'key', text: part };
  });
}

/** Returns all fields of an object that match a path. */
export function selectFields(data: unknown, path: FieldPath): readonly SelectedField[] {
  const walk = new Walk(path);
  walk.from(data, 0);
  return walk.selected;
}

/** Returns the non-empty text in a field of a selected object, if any. */
export function textIn(value: unknown, key: string): string | undefined {
  const text = isObject(value) ? value[key] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Returns the items of a list; none for other values. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Follows one path. Most paths end early in most objects, so nothing is allocated before a match. */
class Walk {
  readonly selected: SelectedField[] = [];
  private readonly way: (string | number)[] = [];

  constructor(private readonly path: FieldPath) {}

  from(value: unknown, position: number): void {
    const step = this.path[position];
    if (step === undefined) this.selected.push({ field: fieldText(this.way), value });
    else if (step.type === 'deep') this.deep(value, position + 1);
    else if (isObject(value)) this.into(value, step, position + 1);
  }

  private into(
    value: Readonly<Record<string, unknown>>,
    { type, text }: Exclude<Step, { type: 'deep' }>,
    next: number,
  ): void {
    if (type === 'key') this.enter(text, value[text], (inside) => this.from(inside, next));
    else if (type === 'items')
      this.enter(text, value[text], (list) => this.each(list, (item) => this.from(item, next)));
    else {
      for (const key of Object.keys(value)) {
        if (key.endsWith(text)) this.enter(key, value[key], (inside) => this.from(inside, next));
      }
    }
  }

  private deep(value: unknown, next: number): void {
    if (Array.isArray(value)) {
      this.each(value, (item) => this.deep(item, next));
      return;
    }
    if (!isObject(value)) return;
    this.from(value, next);
    for (const key of Object.keys(value)) this.enter(key, value[key], (inside) => this.deep(inside, next));
  }

  private each(list: unknown, visit: (item: unknown) => void): void {
    if (!Array.isArray(list)) return;
    for (const [index, item] of list.entries()) this.enter(index, item, visit);
  }

  private enter(key: string | number, value: unknown, visit: (value: unknown) => void): void {
    if (value === undefined || value === null) return;
    this.way.push(key);
    visit(value);
    this.way.pop();
  }
}

function fieldText(way: readonly (string | number)[]): string {
  return way.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}
