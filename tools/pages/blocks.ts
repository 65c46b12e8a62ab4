/** The generated parts of a page, by name. */
export type Blocks = Readonly<Record<string, string>>;

const BLOCK = /(<!-- npm run docs ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** Returns a page with its generated parts up to date. @throws Error for a name without a generator */
export function withBlocks(page: string, blocks: Blocks): string {
  return page.replace(BLOCK, (_, begin: string, name: string, end: string) => {
    const block = blocks[name];
    if (block === undefined) throw new Error(`no generator writes the block ${name}`);
    return `${begin}${block.trimEnd()}\n${end}`;
  });
}

/** The names of the generated parts of a page. */
export function blockNames(page: string): readonly string[] {
  return [...page.matchAll(BLOCK)].map(([, , name = '']) => name);
}

/** A fenced block of output. */
export function fenced(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

const WIDTH = 116;

/** Text with lines of at most WIDTH characters; the rest of a broken line keeps its indentation. */
export function wrapped(text: string): string {
  return text.split('\n').flatMap(wrappedLine).join('\n');
}

function wrappedLine(line: string): readonly string[] {
  const [indent = ''] = /^ *(?:- )?/.exec(line) ?? [];
  const lines: string[] = [];
  let current = line;
  while (current.length > WIDTH) {
    const at = current.lastIndexOf(' ', WIDTH);
    if (at <= indent.length) break;
    lines.push(current.slice(0, at));
    current = `${' '.repeat(indent.length)}${current.slice(at + 1)}`;
  }
  return [...lines, current];
}

/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
