import { JsonPatch } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { isObject } from '#base/is-object';
import { memberAt, pointer, pointerSegments, valueAtPointer } from '#base/json-pointer';
import { isSameValue } from '#base/same-value';
import { suggest } from '#base/suggest';
import { TREE_FINDINGS } from './findings';

/** A JSON Patch operation (RFC 6902), as the caller wrote it. */
interface Operation {
  readonly op: string;
  readonly path: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

interface Parameters {
  readonly patch: string;
  readonly object: string;
}

/**
 * Returns the problem of the first patch of an object that cannot be applied; undefined if all can. cdk8s throws
 * without the name of the patch, or changes another part than the one that the pointer names.
 *
 * @param name of the object, for the finding
 */
export function faultOfPatches(json: unknown, patches: readonly JsonPatch[], name: string): Problem | undefined {
  let document = structuredClone(json);
  for (const patch of patches) {
    const operation = operationOf(patch);
    const fault = faultOf(document, operation, { patch: patchName(operation), object: name });
    if (fault !== undefined) return fault;
    document = JsonPatch.apply(document, patch);
  }
  return undefined;
}

/** Returns the operation of a patch, which is private in cdk8s. */
export function operationOf(patch: JsonPatch): Operation {
  return (patch as unknown as { _toJson(): Operation })._toJson();
}

function patchName({ op, path, from }: Operation): string {
  return from === undefined ? `${op} ${String(path)}` : `${op} ${String(from)} to ${String(path)}`;
}

function faultOf(document: unknown, operation: Operation, parameters: Parameters): Problem | undefined {
  const { op, path, from, value } = operation;
  const pointers = from === undefined ? [path] : [from, path];
  const malformed = pointers.flatMap((one) => malformedPointer(one, parameters) ?? [])[0];
  if (malformed !== undefined) return malformed;
  const read = from ?? (op === 'test' ? path : undefined);
  const fault =
    (read === undefined ? undefined : faultOnWay(document, pointerSegments(String(read)), undefined, parameters)) ??
    faultOnWay(document, pointerSegments(String(path)).slice(0, -1), operation, parameters) ??
    faultOfIndex(document, operation, parameters);
  if (fault !== undefined || op !== 'test') return fault;
  const actual = valueAtPointer(document, String(path));
  return isSameValue(actual, value)
    ? undefined
    : TREE_FINDINGS.patchRefusedTest({ ...parameters, actual: shownValue(actual), expected: shownValue(value) });
}

/** RFC 6901: empty, or each segment after a slash, with `~` only in `~0` and `~1`. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

function malformedPointer(text: unknown, parameters: Parameters): Problem | undefined {
  if (typeof text === 'string' && POINTER.test(text)) return undefined;
  const escaped = String(text).replace(/~(?![01])/g, '~0');
  const proposed = escaped.startsWith('/') ? escaped : `/${escaped}`;
  return TREE_FINDINGS.patchRefusedPointer({ ...parameters, pointer: shownValue(text), proposed });
}

/** Maps of strings, whose keys often have a slash. */
const STRING_MAPS: readonly string[] = ['annotations', 'labels', 'matchLabels', 'nodeSelector', 'data', 'stringData'];

/** Returns the problem of the first segment that does not exist. */
function faultOnWay(
  document: unknown,
  segments: readonly string[],
  { path, value }: Partial<Operation> = {},
  parameters: Parameters,
): Problem | undefined {
  let holder = document;
  for (const [index, key] of segments.entries()) {
    const at = pointer('', ...segments.slice(0, index));
    if (!isHolder(holder)) return notHolder(holder, at, parameters);
    const member = memberAt(holder, key);
    if (member === undefined) {
      const rest = pointerSegments(String(path ?? '')).slice(index);
      return missing({ holder, at, key, rest, value }, parameters);
    }
    holder = member;
  }
  const isParent = path !== undefined && path !== '';
  return isParent && !isHolder(holder) ? notHolder(holder, pointer('', ...segments), parameters) : undefined;
}

function isHolder(value: unknown): value is object {
  return isObject(value) || Array.isArray(value);
}

function notHolder(value: unknown, at: string, parameters: Parameters): Problem {
  return TREE_FINDINGS.patchRefusedValue({ ...parameters, at: whole(at), value: shownValue(value) });
}

interface Missing {
  readonly holder: object;
  readonly at: string;
  readonly key: string;
  /** The segments of the path from the missing one on; empty for an operation that only reads. */
  readonly rest: readonly string[];
  readonly value: unknown;
}

function missing({ holder, at, key, rest, value }: Missing, parameters: Parameters): Problem {
  const found = { ...parameters, at: whole(at), key };
  if (Array.isArray(holder)) return TREE_FINDINGS.patchRefusedIndex({ ...found, length: holder.length });
  const keys = Object.keys(holder);
  const isStringMap = keys.length > 0 && keys.every((one) => typeof memberAt(holder, one) === 'string');
  const isNamed = STRING_MAPS.includes(pointerSegments(at).at(-1) ?? '');
  if (rest.length > 1 && (isNamed || isStringMap)) {
    return TREE_FINDINGS.patchRefusedSlash({ ...found, proposed: pointer(at, rest.join('/')) });
  }
  const [similar] = suggest(key, keys);
  if (similar !== undefined) {
    return TREE_FINDINGS.patchRefusedSimilar({ ...found, similar, proposed: pointer(at, similar, ...rest.slice(1)) });
  }
  if (rest.length < 2) return TREE_FINDINGS.patchRefusedSource({ ...found, known: keys.join(', ') });
  const inside = STRING_MAPS.includes(key) ? [rest.slice(1).join('/')] : rest.slice(1);
  const nested = inside.reduceRight<unknown>(
    (inner, one) => (/^(?:-|\d+)$/.test(one) ? [inner] : { [one]: inner }),
    value,
  );
  const proposed = `JsonPatch.add(${shownValue(pointer(at, key))}, ${shownValue(nested)})`;
  return TREE_FINDINGS.patchRefusedMissing({ ...found, proposed });
}

/** cdk8s loses an item whose key is not an index, and appends an item beyond the end of the list. */
function faultOfIndex(document: unknown, { op, path }: Operation, parameters: Parameters): Problem | undefined {
  const segments = pointerSegments(String(path));
  const at = pointer('', ...segments.slice(0, -1));
  const list = segments.length === 0 ? undefined : valueAtPointer(document, at);
  if (!Array.isArray(list)) return undefined;
  const key = segments.at(-1) ?? '';
  const isNew = op !== 'remove' && op !== 'replace' && op !== 'test';
  const isIndex = /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < list.length + (isNew ? 1 : 0);
  return isIndex || (isNew && key === '-')
    ? undefined
    : TREE_FINDINGS.patchRefusedIndex({ ...parameters, at: whole(at), key, length: list.length });
}

function whole(at: string): string {
  return at === '' ? 'the object' : at;
}
