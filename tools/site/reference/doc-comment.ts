/** The parts of a doc comment. */
export interface DocComment {
  /** The text before the tags, as Markdown. */
  readonly text: string;
  readonly default?: string;
  readonly throws: readonly string[];
  readonly examples: readonly string[];
}

/** Reads the comment directly before a declaration, if it has one. */
export function commentBefore(text: string, end: number): DocComment | undefined {
  const before = text
    .slice(0, end)
    .replace(/(?:export|declare|default)\s+$/g, '')
    .replace(/(?:export|declare)\s+$/, '');
  const found = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before);
  return found?.[1] === undefined ? undefined : parseComment(found[1]);
}

function parseComment(inner: string): DocComment {
  const lines = inner.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  const parts: { tag: string; lines: string[] }[] = [{ tag: '', lines: [] }];
  for (const line of lines) {
    const [, tag, rest = ''] = /^\s*@(\w+)\s*(.*)$/.exec(line) ?? [];
    if (tag === undefined) parts.at(-1)?.lines.push(line);
    else parts.push({ tag, lines: [rest] });
  }
  const of = (...tags: readonly string[]) =>
    parts.filter(({ tag }) => tags.includes(tag)).map((part) => part.lines.join('\n').trim());
  const [text = ''] = of('');
  const [first] = of('default');
  return {
    text: text.replace(
      /\{@link ([^}|]+?)(?:\|([^}]*))?\}/g,
      (_all, name: string, label?: string) => `\`${label ?? name}\``,
    ),
    default: first,
    throws: of('throws', 'throw'),
    examples: of('example'),
  };
}
