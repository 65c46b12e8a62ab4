type Labels = Readonly<Record<string, string>>;

/** metav1.LabelSelector. */
export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

/** Whether labels match a selector, as in the API server: an absent one matches nothing, an empty one everything. */
export function selects(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  // Keys are arbitrary: `constructor` is one, which every object inherits.
  const labelOf = (key: string): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  const hasLabels = Object.entries(matchLabels).every(([key, value]) => labelOf(key) === value);
  return (
    hasLabels &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labelOf(key);
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isListed = value !== undefined && values.includes(value);
      return operator === 'In' ? isListed : !isListed;
    })
  );
}
