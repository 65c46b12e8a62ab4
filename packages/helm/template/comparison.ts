import { compareStrings } from '../go/go-string';
import { goPrint, goSprintf } from '../go/print';
import { isGoObject, isNil, kindOf, typeOf } from '../go/reflect';
import { type Budget, FunctionError, GoInt, type GoValue } from '../go/values';

/** The comparisons of templates: `eq`, `lt` and the functions that are defined by them. */

/** `eq`: whether the first value equals one of the others. */
export function equalsAny(first: GoValue, others: readonly GoValue[], budget: Budget): boolean {
  if (others.length === 0) throw new FunctionError('missing argument for comparison');
  return others.some((other) => equals(first, other, budget));
}

/** `lt`: whether the first value is less. */
export function isLess(first: GoValue, second: GoValue): boolean {
  const [kind, otherKind] = [basicKind(first), basicKind(second)];
  if (kind === undefined || otherKind === undefined) throw new FunctionError('invalid type for comparison');
  if (first instanceof GoInt && second instanceof GoInt) return first.value < second.value;
  if (kind !== otherKind) throw incompatible(first, second);
  if (typeof first === 'number' && typeof second === 'number') return first < second;
  if (typeof first === 'string' && typeof second === 'string') return compareStrings(first, second) < 0;
  throw new FunctionError('invalid type for comparison');
}

function equals(first: GoValue, other: GoValue, budget: Budget): boolean {
  if (first instanceof GoInt && other instanceof GoInt) return first.value === other.value;
  const [kind, otherKind] = [basicKind(first), basicKind(other)];
  const [isFirstNil, isOtherNil] = [kindOf(first) === 'invalid', kindOf(other) === 'invalid'];
  if (isFirstNil || isOtherNil) return isFirstNil && isOtherNil;
  if (kind !== otherKind) throw incompatible(first, other);
  if (kind !== undefined) return first === other;
  return equalComposites(first, other, budget);
}

/** Compares values that are neither nil nor of a basic kind: Go compares only pointers and structs. */
function equalComposites(first: GoValue, other: GoValue, budget: Budget): boolean {
  const kind = kindOf(other);
  if (kindOf(first) !== kind) {
    const [text, otherText] = [goSprintf('%s', [first], budget), goPrint(other, budget)];
    throw new FunctionError(`non-comparable types ${text}: ${typeOf(first)}, ${typeOf(other)}: ${otherText}`);
  }
  if (isNil(first) || isNil(other)) return isNil(first) === isNil(other);
  if (kind === 'map' || kind === 'slice') {
    throw new FunctionError(`non-comparable type ${goSprintf('%s', [other], budget)}: ${typeOf(other)}`);
  }
  if (kind === 'struct') return equalStructs(first, other, budget);
  return first === other;
}

function equalStructs(first: GoValue, other: GoValue, budget: Budget): boolean {
  if (!isComparable(other)) {
    throw new FunctionError(`non-comparable type ${goSprintf('%s', [first], budget)}: ${typeOf(first)}`);
  }
  if (!isGoObject(first) || !isGoObject(other) || first.goType !== other.goType) return false;
  if (first.fields.size === 0) return first.data === other.data;
  return [...first.fields].every(([name, field]) => {
    const another = other.fields.get(name);
    return kindOf(field) === 'struct' ? equalStructs(field, another, budget) : field === another;
  });
}

/** Whether Go compares a struct: no field of it is a slice or a map. */
function isComparable(value: GoValue): boolean {
  const kind = kindOf(value);
  if (kind === 'map' || kind === 'slice') return false;
  return kind !== 'struct' || !isGoObject(value) || [...value.fields.values()].every(isComparable);
}

function incompatible(first: GoValue, second: GoValue): FunctionError {
  return new FunctionError(`incompatible types for comparison: ${typeOf(first)} and ${typeOf(second)}`);
}

function basicKind(value: GoValue): 'bool' | 'string' | 'float' | 'integer' | undefined {
  const kind = kindOf(value);
  switch (kind) {
    case 'bool':
    case 'string':
    case 'float':
      return kind;
    case 'int':
    case 'uint':
      return 'integer';
    default:
      return undefined;
  }
}
