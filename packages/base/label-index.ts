import { grouped } from './grouped';
import { isObject } from './is-object';
import { matchesSelector } from './label-selector';

interface Labelled {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Objects by namespace and label, so that thousands of selectors need not try all of them. */
export class LabelIndex<T extends Labelled> {
  private readonly byNamespace: ReadonlyMap<string, readonly T[]>;
  private readonly byLabel: ReadonlyMap<string, readonly T[]>;

  constructor(objects: readonly T[]) {
    this.byNamespace = grouped(objects.map((object) => [object.namespace, object]));
    this.byLabel = grouped(
      objects.flatMap((object) =>
        Object.entries(object.labels).map(([key, value]) => [labelKey(object.namespace, key, value), object] as const),
      ),
    );
  }

  /** Returns the objects of a namespace. */
  in(namespace: string): readonly T[] {
    return this.byNamespace.get(namespace) ?? [];
  }

  /** Returns the objects of a namespace that a label selector matches: see {@link matchesSelector}. */
  select(namespace: string, selector: unknown, absent: 'everything' | 'nothing' = 'nothing'): readonly T[] {
    const matchLabels = isObject(selector) && isObject(selector.matchLabels) ? selector.matchLabels : {};
    return Object.entries(matchLabels)
      .map(([key, value]) => this.byLabel.get(labelKey(namespace, key, value)) ?? [])
      .reduce((fewest, objects) => (objects.length < fewest.length ? objects : fewest), this.in(namespace))
      .filter(({ labels }) => matchesSelector(selector, labels, absent));
  }
}

function labelKey(namespace: string, key: string, value: unknown): string {
  return `${namespace} ${key}=${value}`;
}
