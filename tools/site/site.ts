import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { buildSync } from 'esbuild';
import { readFolder } from '../import/imports-folder';
import { type Frame, layout, type NavigationLink, relativePath } from './layout';
import { type MarkdownContext, renderMarkdown } from './markdown';
import { DECISIONS, FAMILIES, NAVIGATION, SHORT_TITLES } from './navigation';
import type { SitePage } from './page';
import { readItems } from './reference/items';
import { familyOf, REFERENCE, referencePages, referencePath } from './reference/pages';
import { valuePages } from './reference/value-pages';
import { searchIndex } from './search-index';

/** Content of the files of the site, by path. */
export type SiteFiles = ReadonlyMap<string, string | Buffer>;

/** Makes the whole site from the documentation and the declarations of a repository. */
export function buildSite(root: string, repository?: string): SiteFiles {
  const listed = NAVIGATION.flatMap(({ pages }) => pages).filter((page) => existsSync(join(root, page)));
  const sources = [...listed, ...decisions(root)];
  const items = readItems();
  const names = new Set(items.map(({ name }) => name));
  const images = new Map<string, Buffer>();
  const contextOf = (path: string, source?: string): MarkdownContext => ({
    link: (href) => linkTo(href, { path, source, sources, root, repository, images }),
    linkName: (name) => {
      const target = names.has(name) ? referencePath(name) : undefined;
      return target === undefined || target === path ? undefined : relativePath(path, target);
    },
  });
  const guides = sources.map((source): SitePage => {
    const path = sitePath(source);
    const { title, html, sections } = renderMarkdown(readFileSync(join(root, source), 'utf8'), contextOf(path, source));
    const kind = source.startsWith(`${DECISIONS}/`) ? 'Decision' : 'Guide';
    return { path, title, kind, html, sections, source };
  });
  const reference = referencePages(items, contextOf);
  const values = valuePages(readFolder(join(root, 'imports')));
  const pages = [...guides, ...reference, ...values];
  const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
  const frame = frameOf({ guides, items, values }, { version, repository });
  return new Map<string, string | Buffer>([
    ...pages.map((page) => [page.path, layout(page, frame)] as const),
    ['search-index.js', searchIndex(pages)],
    ['site.js', bundled('main.ts')],
    ['theme.js', bundled('theme.ts')],
    ['style.css', readFileSync(join(__dirname, 'style.css'), 'utf8')],
    ['icon.svg', readFileSync(join(__dirname, 'icon.svg'), 'utf8')],
    ['.nojekyll', ''],
    ...images,
  ]);
}

function decisions(root: string): readonly string[] {
  const files = readdirSync(join(root, DECISIONS)).filter((file) => file.endsWith('.md'));
  return files.sort().map((file) => `${DECISIONS}/${file}`);
}

function sitePath(source: string): string {
  if (source === 'README.md') return 'index.html';
  const { dir, name } = posix.parse(source);
  return posix.join(dir, `${name === 'README' ? 'index' : dir === '' ? name.toLowerCase() : name}.html`);
}

interface LinkPlace {
  readonly path: string;
  readonly source?: string;
  readonly sources: readonly string[];
  readonly root: string;
  readonly repository?: string;
  readonly images: Map<string, Buffer>;
}

/** Files that are no pages are in the repository, where its address is known. */
function linkTo(href: string, { path, source, sources, root, repository, images }: LinkPlace): string | undefined {
  if (/^(?:[a-z][\w+.-]*:|#)/i.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(source ?? ''), decodeURI(file)).replace(/\/$/, '');
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  const page = [target, `${target}/README.md`].find((each) => sources.includes(each));
  if (page !== undefined) return relativePath(path, sitePath(page)) + suffix;
  if (target === DECISIONS) return relativePath(path, sitePath(sources.find((each) => each.startsWith(target)) ?? ''));
  if (/\.(?:gif|jpe?g|png|svg|webp)$/.test(target)) {
    images.set(target, readFileSync(join(root, target)));
    return relativePath(path, target);
  }
  if (repository === undefined) return undefined;
  const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob';
  return `${repository}/${kind}/main/${encodeURI(target)}${suffix}`;
}

interface Parts {
  readonly guides: readonly SitePage[];
  readonly items: ReturnType<typeof readItems>;
  readonly values: readonly SitePage[];
}

function frameOf(
  { guides, items, values }: Parts,
  facts: { readonly version: string; readonly repository?: string },
): Frame {
  const links = new Map(
    guides.map(({ source = '', path, title }) => [source, { title: SHORT_TITLES[source] ?? title, path }] as const),
  );
  const groups = NAVIGATION.map(({ title, pages }) => ({
    title,
    links: pages.flatMap((source) => links.get(source) ?? []),
  }));
  const decisionLinks = [...links].filter(([source]) => source.startsWith(`${DECISIONS}/`)).map(([, link]) => link);
  const families = [...new Set(Object.values(FAMILIES))].flatMap((family) => {
    const classes = items.filter((item) => item.kind === 'class' && familyOf(item.room) === family);
    const found = classes.map(({ name }): NavigationLink => ({ title: name, path: referencePath(name) }));
    return found;
  });
  const all = { title: 'All exports', path: `${REFERENCE}/index.html` };
  return {
    ...facts,
    groups: [
      ...groups,
      { title: 'Reference', links: [all, ...families] },
      {
        title: 'Values of charts',
        links: values.map(({ path, title }) => ({ path, title: title.replace('Values of ', '') })),
      },
      { title: 'Decisions', links: decisionLinks },
    ],
    order: groups.flatMap((group) => group.links),
  };
}

function bundled(file: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(__dirname, 'browser', file)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}
