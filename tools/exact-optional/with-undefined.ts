/** Comments and strings, which the scan skips, and then the tokens that it reads. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|(?<!-)\?: ?|=>|[()[\]{}<>;,=]/g;

const CLOSED_BY: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

const UNDEFINED = '| undefined';

interface Optional {
  readonly start: number;
  readonly depth: number;
}

/**
 * Returns declarations in which each optional member may also be undefined.
 *
 * This is their meaning in this project, which does not set `exactOptionalPropertyTypes`. In a project that sets it,
 * `values: isHub ? {…} : undefined` would otherwise be an error.
 */
export function withUndefined(declarations: string): string {
  const inserts: { readonly at: number; readonly text: string }[] = [];
  const open: string[] = [];
  const optionals: Optional[] = [];
  const close = (end: number) => {
    const innermost = optionals.at(-1);
    if (innermost === undefined || innermost.depth !== open.length) return;
    optionals.pop();
    const type = declarations.slice(innermost.start, end);
    if (type.trimEnd().endsWith(UNDEFINED) && !type.includes('=>')) return;
    // In parentheses: otherwise the result of a function type could be undefined, not the function.
    inserts.push(
      { at: innermost.start, text: '(' },
      { at: innermost.start + type.trimEnd().length, text: `) ${UNDEFINED}` },
    );
  };
  for (const { 0: token, index } of declarations.matchAll(TOKEN)) {
    if (token.startsWith('?:')) optionals.push({ start: index + token.length, depth: open.length });
    else if (token in CLOSED_BY) open.push(CLOSED_BY[token] ?? '');
    else if (token === open.at(-1)) {
      close(index);
      open.pop();
    } else if (token === ';' || token === ',' || token === '=') close(index);
  }
  const sorted = inserts.sort((a, b) => a.at - b.at);
  const parts = sorted.map(({ at, text }, index) => declarations.slice(sorted[index - 1]?.at ?? 0, at) + text);
  return parts.join('') + declarations.slice(sorted.at(-1)?.at ?? 0);
}
