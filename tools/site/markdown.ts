import MarkdownIt, { type Token } from 'markdown-it';
import { anchors } from './anchors';
import { highlight, type LinkName } from './highlight';
import { escapeHtml } from './html';
import type { Section } from './page';

/** The surroundings of a text. */
export interface MarkdownContext {
  /** Returns the target of a link as it is on the site, or nothing where it leads nowhere. */
  readonly link: (href: string) => string | undefined;
  readonly linkName: LinkName;
}

export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

/** HTML in a text that is handed on; all else is shown as it is written. */
const HARMLESS = /^<\/?(?:br|kbd|sub|sup|details|summary)\s*\/?>$/;

/** Makes HTML of Markdown as GitHub reads it. */
export function renderMarkdown(text: string, context: MarkdownContext): Rendered {
  const parser = parserFor(context);
  const tokens = parser.parse(text, {});
  const sections = withAnchors(tokens);
  const html = parser.renderer.render(tokens, parser.options, {});
  return { title: sections.find(({ level }) => level === 1)?.title ?? '', html, sections };
}

/** Makes HTML of a doc comment, which has no headings. */
export function renderComment(text: string, context: MarkdownContext): string {
  return parserFor(context).render(text);
}

function parserFor({ link, linkName }: MarkdownContext): MarkdownIt.MarkdownIt {
  const parser = new MarkdownIt({ html: true, linkify: true });
  // "cdk8s.io" in a sentence is no link on GitHub, nor is "x@y".
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  const { rules } = parser.renderer;
  const html = ({ content }: Token) =>
    content
      .replace(/<!--[\s\S]*?-->/g, '')
      .split(/(<[^>]+>)/)
      .map((part) => (HARMLESS.test(part) ? part : escapeHtml(part)))
      .join('');
  rules.html_block = (tokens, index) => html(tokens[index] as Token);
  rules.html_inline = (tokens, index) => html(tokens[index] as Token);
  rules.table_open = () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table>';
  rules.table_close = () => '</table></div>';
  rules.fence = (tokens, index) => block(tokens[index] as Token, linkName);
  rules.code_block = (tokens, index) => block(tokens[index] as Token, linkName);
  rules.code_inline = (tokens, index) => {
    const { content, meta } = tokens[index] as Token;
    const target = (meta as { isInLink?: boolean } | null)?.isInLink ? undefined : linkName(content);
    const code = `<code>${escapeHtml(content)}</code>`;
    return target === undefined ? code : `<a class="name" href="${escapeHtml(target)}">${code}</a>`;
  };
  rules.heading_close = (tokens, index) => {
    const { tag } = tokens[index] as Token;
    const id = tokens[index - 2]?.attrGet('id') ?? '';
    return `<a class="anchor" href="#${escapeHtml(String(id))}" aria-label="Link to this section">#</a></${tag}>\n`;
  };
  parser.core.ruler.push('links', (state) => {
    for (const token of state.tokens) rewriteLinks(token.children ?? [], link);
  });
  return parser;
}

/** Links that lead nowhere become their text. */
function rewriteLinks(children: readonly Token[], link: MarkdownContext['link']): void {
  const targetOf = (token: Token, attribute: string) => link(String(token.attrGet(attribute) ?? ''));
  let open: { readonly target?: string } | undefined;
  for (const child of children) {
    if (child.type === 'image') child.attrSet('src', targetOf(child, 'src') ?? '');
    if (child.type === 'link_open') open = { target: targetOf(child, 'href') };
    if (open === undefined) continue;
    child.meta = { isInLink: true };
    if (child.type === 'link_open' && open.target !== undefined) child.attrSet('href', open.target);
    if (/^link_/.test(child.type)) child.hidden = open.target === undefined;
    if (child.type === 'link_close') open = undefined;
  }
}

const NAMES: Readonly<Record<string, string>> = {
  json: 'JSON',
  lua: 'Lua',
  sh: 'Shell',
  ts: 'TypeScript',
  yaml: 'YAML',
};

function block({ info, content }: Token, linkName: LinkName): string {
  const [language = '', word = ''] = info.trim().split(/\s+/);
  const file = /[./]/.test(word) ? word : undefined;
  const label = file ?? NAMES[language] ?? '';
  const caption = label === '' ? '' : `<figcaption>${escapeHtml(label)}</figcaption>`;
  return `<figure class="code">${caption}<pre tabindex="0"><code>${highlight(content, language, linkName)}</code></pre></figure>\n`;
}

function withAnchors(tokens: readonly Token[]): readonly Section[] {
  const anchor = anchors();
  const sections: { anchor: string; title: string; level: number; words: string[] }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = shownText(tokens[index + 1]);
      const id = anchor(title);
      token.attrSet('id', id);
      sections.push({ anchor: id, title, level: Number(token.tag.slice(1)), words: [] });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      sections.at(-1)?.words.push(shownText(token));
    } else if (token.type === 'fence' || token.type === 'code_block') {
      sections.at(-1)?.words.push(token.content);
    }
  }
  return sections.map(({ words, ...section }) => ({ ...section, text: words.join(' ').replace(/\s+/g, ' ').trim() }));
}

function shownText(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .map(({ type, content }) => {
      if (type === 'text' || type === 'code_inline' || type === 'text_special') return content;
      return type === 'softbreak' || type === 'hardbreak' ? ' ' : '';
    })
    .join('');
}
