import { statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** The site's pages, and the addresses of the repository's files. */
interface Repository {
  readonly root: string;
  /** The address of the repository; without it, links to its files become text. */
  readonly address?: string;
  /** Paths of the pages, such as `docs/index.md`. */
  readonly pages: readonly string[];
}

/** HTML tags that are kept; all others are escaped. */
const HARMLESS = /^<\/?(?:br|details|img|kbd|picture|source|sub|summary|sup)\b[^>]*>$/;

/** Makes VitePress render Markdown like GitHub: no templates, no components, and links to the repository's files. */
export function readAsGitHub(markdown: MarkdownRenderer, repository: Repository): void {
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  const html = (content: string) =>
    content
      .replace(/<!--[\s\S]*?-->/g, '')
      .split(/(<[^>]+>)/)
      .map((part) => (HARMLESS.test(part) ? part : text(part)))
      .join('');
  // Vue would evaluate the text between braces.
  const text = (content: string) => escapeHtml(content).replaceAll('{{', '&#123;&#123;');
  rules.html_block = (tokens, index) => html(tokens[index]?.content ?? '');
  rules.html_inline = (tokens, index) => html(tokens[index]?.content ?? '');
  rules.text = (tokens, index) => text(tokens[index]?.content ?? '');
  rules.code_inline = (tokens, index) => `<code>${text(tokens[index]?.content ?? '')}</code>`;

  markdown.core.ruler.push('links', (state) => {
    const target = (href: string) => targetOf(href, String(state.env.relativePath ?? ''), repository);
    for (const { children } of state.tokens) rewriteLinks(children ?? [], target);
  });
}

type Token = NonNullable<ReturnType<MarkdownRenderer['parse']>[number]['children']>[number];

/** Replaces a link without a target by its text. */
function rewriteLinks(children: readonly Token[], target: (href: string) => string | undefined): void {
  let isDropped = false;
  for (const child of children) {
    if (child.type === 'link_open') {
      const href = target(String(child.attrGet('href') ?? ''));
      isDropped = href === undefined;
      child.attrSet('href', href ?? '');
    }
    const isEnd = child.type === 'link_close';
    if (isDropped && (isEnd || child.type === 'link_open')) Object.assign(child, { type: 'text', content: '' });
    if (isEnd) isDropped = false;
  }
}

/** The target of a link: a page of the site or, if the address is known, a file of the repository. */
function targetOf(href: string, page: string, { root, address, pages }: Repository): string | undefined {
  if (/^(?:[a-z][\w+.-]*:|#)/i.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const path = posix.join(posix.dirname(page), decodeURI(file)).replace(/\/$/, '');
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  const names = [path.replace(/(^|\/)README\.md$/, '$1index.md'), `${path}/index.md`, `${path}.md`];
  const found = names.find((each) => pages.includes(each)) ?? pages.find((each) => each.startsWith(`${path}/`));
  if (found !== undefined) return `/${found}${suffix}`;
  if (address === undefined) return undefined;
  const kind = statSync(join(root, path)).isDirectory() ? 'tree' : 'blob';
  return `${address}/${kind}/main/${encodeURI(path)}${suffix}`;
}
