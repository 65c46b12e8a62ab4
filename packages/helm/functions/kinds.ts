import { checkDepth, stepsToMake } from '../go/budget';
import { elementsOf, entriesOf, isGoObject, NIL_LIST, typeOf } from '../go/reflect';
import { bytesIn } from '../go/typed-values';
import type { Budget, GoValue } from '../go/values';
import { GoInt } from '../go/values';

function isList(value: GoValue): value is readonly GoValue[] {
  return Array.isArray(value);
}

export function isMap(value: GoValue): value is Map<string, GoValue> {
  return value instanceof Map;
}

/** The kind of a value, as Go's `reflect` names it. */
export function kindOf(value: GoValue): string {
  if (value === undefined || value === null) return 'invalid';
  if (isList(value)) return 'slice';
  if (isMap(value)) return 'map';
  if (isGoObject(value)) return value.goKind;
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'float64' : typeof value === 'string' ? 'string' : intKind(value);
}

function intKind(value: GoValue): string {
  return value instanceof GoInt ? value.type : 'invalid';
}

/** Whether a value is the zero value of its type, or an empty string, list or map. */
export function isEmpty(value: GoValue): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return true;
  if (value instanceof GoInt) return value.value === 0n;
  return elementsOf(value)?.length === 0 || entriesOf(value)?.size === 0;
}

/** Whether two values are equal in type and content, as in Go's `reflect.DeepEqual`. */
export function deepEqual(a: GoValue, b: GoValue, budget: Budget, depth = 0): boolean {
  checkDepth(depth);
  budget.spend(1);
  const left = a ?? null;
  const right = b ?? null;
  if (typeOf(left) !== typeOf(right)) return false;
  if ((contentOf(left) === NIL_LIST) !== (contentOf(right) === NIL_LIST)) return false;
  if (left instanceof GoInt && right instanceof GoInt) return left.value === right.value;
  if (typeof left === 'string' && typeof right === 'string') return equalTexts(left, right, budget);
  const [bytes, otherBytes] = [bytesIn(left), bytesIn(right)];
  if (bytes !== undefined && otherBytes !== undefined) {
    budget.spend(bytes.length / 1000);
    return Buffer.compare(bytes, otherBytes) === 0;
  }
  const content = [contentOf(left), contentOf(right)] as const;
  return areEqual(content[0], content[1], budget, depth);
}

function equalTexts(a: string, b: string, budget: Budget): boolean {
  if (a.length !== b.length) return false;
  budget.spend(a.length / 1000);
  return a === b;
}

function contentOf(value: GoValue): GoValue {
  return isGoObject(value) ? value.data : value;
}

function areEqual(a: GoValue, b: GoValue, budget: Budget, depth: number): boolean {
  if (isList(a) && isList(b)) {
    return a === b || (a.length === b.length && a.every((element, i) => deepEqual(element, b[i], budget, depth + 1)));
  }
  if (isMap(a) && isMap(b)) {
    if (a === b) return true;
    return (
      a.size === b.size &&
      [...a].every(([key, element]) => b.has(key) && deepEqual(element, b.get(key), budget, depth + 1))
    );
  }
  return a === b;
}

/** Copies lists and maps at all depths. Values with methods are shared. */
export function deepCopy(value: GoValue, budget: Budget, depth = 0): GoValue {
  checkDepth(depth);
  if (isGoObject(value)) return value.withData?.(deepCopy(value.data, budget, depth + 1)) ?? value;
  if (!isMap(value) && !isList(value)) return value;
  // Spent before copying: parts may be shared, so a copy may be exponentially larger.
  budget.spend(1 + stepsToMake(value));
  if (isList(value)) return value.map((element) => deepCopy(element, budget, depth + 1));
  return new Map([...value].map(([key, element]) => [key, deepCopy(element, budget, depth + 1)]));
}
