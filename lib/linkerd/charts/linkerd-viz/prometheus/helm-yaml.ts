import { isMap, type Value, type Values } from '../../../../kubernetes/values';
import { helmNumber } from './helm-number';
import { helmScalar } from './helm-scalar';
import { naturally } from './natural-order';

/**
 * Data as `toYaml` of Helm's templates prints it (sigs.k8s.io/yaml 1.6, on go-yaml 2): for text inside of objects that
 * Helm may have made before. What is written to files goes through `stringifyYaml`.
 */
export function helmYaml(value: Value): string {
  return node(value, 0, 0);
}

/**
 * @param indent - how far further lines of the value's own are indented
 * @param column - where on its line the value starts
 */
function node(value: Value, indent: number, column: number): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : list(value, indent);
  if (isMap(value)) return Object.keys(value).length === 0 ? '{}' : map(value, indent);
  if (typeof value === 'string') return helmScalar(value, { indent, column, mayFold: true });
  return typeof value === 'number' ? helmNumber(value) : `${value}`;
}

function list(items: readonly Value[], indent: number): string {
  return items.map((item) => `- ${node(item, indent + 2, indent + 2)}`).join(`\n${' '.repeat(indent)}`);
}

function map(members: Values, indent: number): string {
  const pad = `\n${' '.repeat(indent)}`;
  return Object.keys(members)
    .sort(naturally)
    .map((key) => {
      const name = helmScalar(key, { indent, column: indent, mayFold: false });
      return `${name}:${member(members[key] ?? null, indent, indent + name.length + 2)}`;
    })
    .join(pad);
}

function member(value: Value, indent: number, column: number): string {
  // Lists stand as far left as the keys above them.
  if (Array.isArray(value) && value.length > 0) return `\n${' '.repeat(indent)}${list(value, indent)}`;
  if (isMap(value) && Object.keys(value).length > 0) return `\n${' '.repeat(indent + 2)}${map(value, indent + 2)}`;
  return ` ${node(value, indent + 2, column)}`;
}
