import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { basename } from 'node:path/posix';
import { readFolder } from '../import/imports-folder';
import type { SitePage } from './markdown-text';
import { DECISIONS, FAMILIES, NAVIGATION, SHORT_TITLES } from './navigation';
import { type Item, readItems } from './reference/items';
import { familyOf, referencePages } from './reference/pages';
import { valuePages } from './reference/value-pages';

/** The input of VitePress from a repository. */
export interface SiteSources {
  readonly pages: readonly SitePage[];
  readonly sidebar: readonly SidebarGroup[];
}

interface SidebarGroup {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** Reads the documentation, and generates the reference from the declarations. */
export function siteSources(root: string): SiteSources {
  const decisions = readdirSync(join(root, DECISIONS))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${DECISIONS}/${file}`);
  const guides = [...NAVIGATION.flatMap(({ pages }) => pages), ...decisions]
    .filter((path) => existsSync(join(root, path)))
    .map((path): SitePage => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const single = guides.flatMap(singlePages);
  const items = readItems();
  const values = valuePages(readFolder(join(root, 'imports')));
  return {
    pages: [...guides.map(whole), ...single, ...referencePages(items), ...values].map((page) => ({
      ...page,
      path: sitePath(page.path),
    })),
    sidebar: sidebarOf(guides, items, values),
  };
}

/** README.md becomes index.md, the page of its folder. */
const sitePath = (path: string): string => path.replace(/(^|\/)README\.md$/, '$1index.md');

/** Pages whose sections also become separate pages: one for each finding, and one for each alert. */
const SINGLE: Readonly<Record<string, RegExp>> = {
  'docs/reference/findings.md': /^## `([\w-]+)`$/,
  'docs/alerts.md': /^### (Linkerd\w+)$/,
};

function singlePages({ path, text }: SitePage): readonly SitePage[] {
  const heading = SINGLE[path];
  if (heading === undefined) return [];
  const pages: { name: string; lines: string[] }[] = [];
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    const [, name] = heading.exec(line) ?? [];
    if (name !== undefined) {
      open = [`# ${line.replace(/^#+ /, '')}`];
      pages.push({ name, lines: open });
    } else if (/^#{1,3} /.test(line)) open = undefined;
    else open?.push(line.replace(/\]\((?!https?:|#)/g, '](../').replace(/\]\(#/g, `](../${basename(path)}#`));
  }
  return pages.map(({ name, lines }) => ({ path: `${path.replace(/\.md$/, '')}/${name}.md`, text: lines.join('\n') }));
}

/** Excludes a page from the search if its sections are separate pages. */
function whole(page: SitePage): SitePage {
  return SINGLE[page.path] === undefined ? page : { ...page, text: `---\nsearch: false\n---\n\n${page.text}` };
}

function sidebarOf(
  guides: readonly SitePage[],
  items: readonly Item[],
  values: readonly SitePage[],
): readonly SidebarGroup[] {
  const pageLink = ({ path, text }: SitePage) => ({
    text: SHORT_TITLES[path] ?? /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path,
    link: `/${sitePath(path)}`,
  });
  const families = [...new Set(Object.values(FAMILIES))].flatMap((family) =>
    items
      .filter((item) => item.kind === 'class' && familyOf(item.room) === family)
      .map(({ name }) => ({ text: name, link: `/reference/${name}.md` })),
  );
  return [
    ...NAVIGATION.map(({ title, pages }) => ({
      text: title,
      items: guides.filter(({ path }) => pages.includes(path)).map(pageLink),
    })),
    { text: 'Exports', collapsed: true, items: [{ text: 'All exports', link: '/reference/index.md' }, ...families] },
    { text: 'Values of charts', collapsed: true, items: values.map(pageLink) },
    {
      text: 'Decisions',
      collapsed: true,
      items: guides.filter(({ path }) => path.startsWith(`${DECISIONS}/`)).map(pageLink),
    },
  ];
}
