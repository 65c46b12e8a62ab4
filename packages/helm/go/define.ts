import { type Budget, type GoFunction, GoInt, type GoParameterType, type GoValue } from './values';

interface Arguments {
  any: GoValue;
  value: GoValue;
  bool: boolean;
  string: string;
  /** Counts and positions: a `number` is exact up to 2^53, which exceeds the length of any text or list. */
  int: number;
  int64: bigint;
  float64: number;
  list: readonly GoValue[];
  strings: readonly string[];
  map: Map<string, GoValue>;
}

type ArgumentsOf<P extends readonly GoParameterType[]> = { readonly [I in keyof P]: Arguments[P[I]] };

/** Declares a function by the types of its parameters. */
export function define<const P extends readonly GoParameterType[]>(
  parameters: P,
  call: (args: ArgumentsOf<P>, budget: Budget) => GoValue,
): GoFunction {
  return {
    parameters,
    call: (args, budget) =>
      call(args.map((value, i) => received(value, parameters[i])) as unknown as ArgumentsOf<P>, budget),
  };
}

/** Declares a variadic function: it receives the arguments after the named ones as a list. */
export function defineVariadic<const P extends readonly GoParameterType[], R extends GoParameterType>(
  parameters: P,
  rest: R,
  call: (args: ArgumentsOf<P>, rest: readonly Arguments[R][], budget: Budget) => GoValue,
): GoFunction {
  return {
    parameters,
    rest,
    call: (args, budget) => {
      const values = args.map((value, i) => received(value, parameters[i] ?? rest));
      return call(
        values.slice(0, parameters.length) as unknown as ArgumentsOf<P>,
        values.slice(parameters.length) as Arguments[R][],
        budget,
      );
    },
  };
}

function received(value: GoValue, type: GoParameterType | undefined): GoValue | bigint {
  // A missing key of a map arrives as nil, as in Go.
  if (value === undefined) return null;
  if (type === 'int' && value instanceof GoInt) return Number(value.value);
  if (type === 'int64' && value instanceof GoInt) return value.value;
  return value;
}

/** Returns a Go `int`. */
export function goInt(value: number | bigint): GoInt {
  return new GoInt(BigInt.asIntN(64, BigInt(value)), 'int');
}

/** Returns a Go `int64`, which wraps around. */
export function goInt64(value: bigint): GoInt {
  return new GoInt(BigInt.asIntN(64, value), 'int64');
}
