/** Returns a JSON pointer (RFC 6901) below another one; `''` is the whole document. */
export function pointer(parent: string, ...keys: readonly (string | number)[]): string {
  return keys.reduce<string>(
    (path, key) => `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    parent,
  );
}

/** Returns the segments of a JSON pointer. */
export function pointerSegments(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(pointerSegment);
}

/** Returns the key that a segment of a JSON pointer stands for. */
export function pointerSegment(text: string): string {
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the part of data at a JSON pointer; undefined if there is none. */
export function valueAtPointer(data: unknown, pointer: string): unknown {
  return pointerSegments(pointer).reduce<unknown>(memberAt, data);
}

/** Returns an own member of a map, or an item of a list. */
export function memberAt(holder: unknown, key: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined;
  return (holder as Readonly<Record<string, unknown>>)[key];
}
