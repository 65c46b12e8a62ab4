/** Formats a path: `spec.containers[0].resources`, `nodeSelector["kubernetes.io/os"]`. */
export function dottedPath(segments: readonly string[]): string {
  return segments.reduce((path, segment) => {
    if (/^\d+$/.test(segment)) return `${path}[${segment}]`;
    if (!/^[\w-]+$/.test(segment)) return `${path}[${JSON.stringify(segment)}]`;
    return path === '' ? segment : `${path}.${segment}`;
  }, '');
}

const PATH = /^[\w-]+(?:\.[\w-]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\])*/;

/** Returns the segments of the path at the start of a text, as `dottedPath` formats it; none if there is no path. */
export function segmentsOf(text: string): readonly string[] {
  const [path = ''] = PATH.exec(text) ?? [];
  return [...path.matchAll(/[\w-]+|"(?:[^"\\]|\\.)*"/g)].map(([part]) =>
    part.startsWith('"') ? String(JSON.parse(part)) : part,
  );
}

/** Returns the place of a value of a chart, by its dotted path: `values.proxy.image`, `values["a b"]`. */
export function placeInValues(path: string): string {
  return path.startsWith('[') ? `values${path}` : `values.${path}`;
}

/** Formats a value for messages, shortened. */
export function showValue(value: unknown): string {
  const text = textOf(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Not every value has a JSON form. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'bigint' ? `${value}n` : 'a value without a text form';
  }
}
