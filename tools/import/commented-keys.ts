/** A line such as `#tolerations:` or `  # interval: "10s"`: more than one bare word after the colon means prose. */
const COMMENTED_KEY = /^( *)# ?([a-z]\w*):(?: (?:"[^"]*"|\S+))?$/;
const KEY = /^( *)([A-Za-z][\w.-]*):/;

/**
 * Returns the dotted paths of keys in the comments of a `values.yaml`. A key in a comment belongs to the map whose
 * keys have the same indentation, or to a map that contains only comments.
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
