/** A line such as `#tolerations:` or `  # interval: "10s"`: more than one bare word after the colon is prose. */
const COMMENTED_KEY = /^( *)# ?([a-z]\w*):(?: (?:"[^"]*"|\S+))?$/;
const KEY = /^( *)([A-Za-z][\w.-]*):/;

/**
 * Dotted paths of the keys that stand in a `values.yaml` as comments. Such a key belongs to the map whose other keys
 * are indented as it is; where a map has only comments in it, to that map.
 */
export function commentedKeys(yaml: string): readonly string[] {
  const open: { readonly indent: number; readonly key: string }[] = [];
  const found: string[] = [];
  for (const line of yaml.split('\n')) {
    const commented = COMMENTED_KEY.exec(line);
    const key = commented ?? KEY.exec(line);
    if (key === null) continue;
    const indent = key[1]?.length ?? 0;
    const name = key[2] ?? '';
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    if (commented !== null) found.push([...open.map((parent) => parent.key), name].join('.'));
    else open.push({ indent, key: name });
  }
  return found;
}
