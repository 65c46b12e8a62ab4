import { isObject } from '../../packages/base/is-object';

/**
 * Whether labels match a Kubernetes label selector. An absent or empty selector matches everything; one with an unknown
 * operator matches nothing.
 */
export function matchesSelector(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (!isObject(selector)) return true;
  const { matchLabels, matchExpressions } = selector;
  const equal = isObject(matchLabels) ? Object.entries(matchLabels) : [];
  const expressions: readonly unknown[] = Array.isArray(matchExpressions) ? matchExpressions : [];
  return (
    equal.every(([key, value]) => labelOf(labels, key) === value) && expressions.every((one) => matches(one, labels))
  );
}

/** Keys of labels can be any word, including `constructor`. */
function labelOf(labels: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function matches(expression: unknown, labels: Readonly<Record<string, string>>): boolean {
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
