/** JSON in one line with sorted keys, so that equal data gives equal text. */
export function compactJson(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) => (isObject(value) ? sorted(value) : value));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(map: object): object {
  return Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)));
}
