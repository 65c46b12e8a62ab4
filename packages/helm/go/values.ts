/**
 * A value in a template, which Go holds in an `interface{}`. Each type of Go has one type of JavaScript.
 *
 * | Go | here |
 * | --- | --- |
 * | no value (a missing key of a map) | `undefined`, printed as `<no value>` |
 * | `nil` | `null` |
 * | `bool`, `string` | `boolean`, `string`; a byte that is not UTF-8 is a lone surrogate, see `go-string.ts` |
 * | `float64` (Helm reads every number of a values file as one) | `number` |
 * | `int`, `int64` and the other integers | `GoInt` |
 * | slices | arrays |
 * | `map[string]interface{}` | `Map`, which templates may change (`set`, `unset`) |
 * | structs, pointers and types with methods | `GoObject` |
 *
 * Plain objects are never used: a template must not reach a prototype.
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

/** An integer. Functions that compute a value wrap it to the range of its type, as Go does. */
export class GoInt {
  constructor(
    readonly value: bigint,
    readonly type: GoIntType = 'int',
  ) {}
}

/** A method of a Go type: `.Capabilities.APIVersions.Has "v1"`. */
export type GoMethod = GoFunction;

/** A value with a Go type, fields or methods: `.Files`, `.Capabilities.APIVersions`, `.Chart`, a parsed version. */
export interface GoObject {
  /** The name of the Go type, as `printf "%T"` prints it: `*semver.Version`. */
  readonly goType: string;
  /** The kind of the Go type, as `kindOf` returns it. */
  readonly goKind: 'struct' | 'ptr' | 'slice' | 'map';
  /** Its value as plain data, for functions that print, encode, count or iterate. For a struct: its JSON. */
  readonly data: GoValue;
  /** The fields of a struct in order of declaration; none for a map or slice, whose elements are in `data`. */
  readonly fields: ReadonlyMap<string, GoValue>;
  /** The name of the embedded field, whose fields templates reach without its name. */
  readonly embedded?: string;
  readonly methods: ReadonlyMap<string, GoMethod>;
  /** The bytes of a `[]byte`. Its elements in `data` are created when they are first read. */
  readonly bytes?: Uint8Array;
  /** The value that functions receive instead: Go copies a struct, and the copy lacks the methods of its pointer. */
  readonly copy?: GoObject;
  /** Returns a value of the same type with other data, for deep copies; absent if templates cannot change the value. */
  readonly withData?: (data: GoValue) => GoObject;
}

/** The type of a parameter. The executor converts arguments to it, or refuses them, as `text/template` does. */
export type GoParameterType =
  | 'any'
  /** `reflect.Value`: any value without conversion, `undefined` for no value. */
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

/** Thrown for arguments that a function refuses, in the words of the Go function. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

/** Counts what a render consumes. A function whose cost depends on its arguments spends steps before its work. */
export interface Budget {
  /** Adds steps. @throws LimitError at the limit of steps */
  readonly spend: (steps: number) => void;
}
