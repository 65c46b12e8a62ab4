/**
 * A value as a template sees it: what Go holds in an `interface{}`, with one type of JavaScript for each of Go's.
 *
 * | Go | here |
 * | --- | --- |
 * | no value (a key that a map lacks) | `undefined`, printed as `<no value>` |
 * | `nil` | `null` |
 * | `bool`, `string` | `boolean`, `string`; a byte that is no UTF-8 is a lone surrogate, see `go-string.ts` |
 * | `float64`, as which Helm reads every number of a values file | `number` |
 * | `int`, `int64` and the other integers | `GoInt` |
 * | slices | arrays |
 * | `map[string]interface{}` | `Map`, which templates may change (`set`, `unset`) |
 * | structs, pointers and types with methods | `GoObject` |
 *
 * Never a plain object: a template must not reach a prototype.
 */
export type GoValue =
  | undefined
  | null
  | boolean
  | string
  | number
  | GoInt
  | readonly GoValue[]
  | Map<string, GoValue>
  | GoObject;

/** A type of integers, as `printf "%T"` prints it. */
export type GoIntType = 'int' | 'int64' | 'int32' | 'uint8' | 'uint64';

/** An integer. Its value is inside the range of its type: who computes it wraps it, as Go does. */
export class GoInt {
  constructor(
    readonly value: bigint,
    readonly type: GoIntType = 'int',
  ) {}
}

/** A method of a Go type: `.Capabilities.APIVersions.Has "v1"`. */
export type GoMethod = GoFunction;

/** What is neither plain data nor a function: `.Files`, `.Capabilities.APIVersions`, `.Chart`, a parsed version. */
export interface GoObject {
  /** The name of the Go type, as `printf "%T"` prints it: `*semver.Version`. */
  readonly goType: string;
  /** The kind of the Go type, as `kindOf` returns it. */
  readonly goKind: 'struct' | 'ptr' | 'slice' | 'map';
  /** Its value as plain data, for functions that print, encode, count or iterate. A struct's: as JSON has it. */
  readonly data: GoValue;
  /** The fields of a struct in order of declaration; of a map or slice: none, their elements are in `data`. */
  readonly fields: ReadonlyMap<string, GoValue>;
  /** The name of the embedded field, whose fields templates reach without its name. */
  readonly embedded?: string;
  readonly methods: ReadonlyMap<string, GoMethod>;
  /** The bytes of a `[]byte`: its elements, in `data`, are made when they are first read. */
  readonly bytes?: Uint8Array;
  /** What functions receive in its place: Go copies a struct, and the copy lacks the methods of its pointer. */
  readonly copy?: GoObject;
  /** Returns a value of the same type with other data, for deep copies; absent if templates cannot change the value. */
  readonly withData?: (data: GoValue) => GoObject;
}

/** The type of a parameter: what the executor converts an argument to, or refuses, as Go's `text/template` does. */
export type GoParameterType =
  | 'any'
  /** `reflect.Value`: any value as it is, `undefined` for no value. */
  | 'value'
  | 'bool'
  | 'string'
  | 'int'
  | 'int64'
  | 'float64'
  /** `[]interface{}`. */
  | 'list'
  /** `[]string`. */
  | 'strings'
  /** `map[string]interface{}`. */
  | 'map';

/** A function of templates. Arguments arrive converted to the types of the parameters. */
export interface GoFunction {
  readonly parameters: readonly GoParameterType[];
  /** The type of all further arguments, if the function is variadic. */
  readonly rest?: GoParameterType;
  /** @throws FunctionError, to which the executor adds the place; every other error is a bug */
  readonly call: (args: readonly GoValue[], budget: Budget) => GoValue;
}

/** The functions of templates, by name. */
export type GoFunctions = ReadonlyMap<string, GoFunction>;

/** What a function refuses, in the words of the Go function. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

/** Counts what a render consumes. A function whose cost its arguments decide asks before it works. */
export interface Budget {
  /** Adds steps: one for about each element or each hundred characters. Errors: the limit of steps or time. */
  readonly spend: (steps: number) => void;
}
