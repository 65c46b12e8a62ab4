import { isObject } from './is-object';

type Labels = Readonly<Record<string, string>>;

/** A label selector of Kubernetes, as in `meta/v1`. */
export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

/**
 * Whether labels match a label selector, as in the API server: an empty selector matches everything, a selector with an
 * unknown operator nothing.
 *
 * @param absent what an absent selector, or null, matches: `nothing`, unless Kubernetes documents otherwise for a field
 */
export function matchesSelector(
  selector: unknown,
  labels: Labels = {},
  absent: 'everything' | 'nothing' = 'nothing',
): boolean {
  if (!isObject(selector)) return absent === 'everything';
  const { matchLabels, matchExpressions } = selector;
  const equal = isObject(matchLabels) ? Object.entries(matchLabels) : [];
  const expressions: readonly unknown[] = Array.isArray(matchExpressions) ? matchExpressions : [];
  return (
    equal.every(([key, value]) => labelOf(labels, key) === value) && expressions.every((one) => matches(one, labels))
  );
}

/** Keys of labels can be any word, including `constructor`. */
function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function matches(expression: unknown, labels: Labels): boolean {
  if (!isObject(expression)) return false;
  const value = labelOf(labels, String(expression.key));
  const values: readonly unknown[] = Array.isArray(expression.values) ? expression.values : [];
  switch (expression.operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
