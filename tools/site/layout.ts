import { posix } from 'node:path';
import { escapeHtml } from './html';
import type { SitePage } from './page';

/** A link of the navigation. */
export interface NavigationLink {
  readonly title: string;
  readonly path: string;
}

/** The parts that all pages share. */
export interface Frame {
  readonly groups: readonly { readonly title: string; readonly links: readonly NavigationLink[] }[];
  /** The links in the order of reading. */
  readonly order: readonly NavigationLink[];
  readonly version: string;
  /** Address of the repository, if it is known. */
  readonly repository?: string;
}

/** Nothing but files of the site itself: no code in a page, no other host. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

/** The path from one page to another. */
export function relativePath(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}

/** A page as it is written. */
export function layout(page: SitePage, frame: Frame): string {
  const to = (path: string) => escapeHtml(relativePath(page.path, path));
  const root = '../'.repeat(page.path.split('/').length - 1);
  const title = page.path === 'index.html' ? 'cdk8s-linkerd' : `${page.title} · cdk8s-linkerd`;
  const description = (page.sections.find(({ text }) => text !== '')?.text ?? '').slice(0, 160);
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(description)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${to('icon.svg')}">
<link rel="stylesheet" href="${to('style.css')}">
<script src="${to('theme.js')}"></script>
<script src="${to('site.js')}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<button id="menu" type="button" aria-expanded="false" aria-controls="navigation" aria-label="Navigation"><span></span></button>
<a class="home" href="${to('index.html')}"><img src="${to('icon.svg')}" alt="" width="28" height="28">cdk8s-linkerd<span class="version">${escapeHtml(frame.version)}</span></a>
<form class="search" role="search" hidden>
<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-label="Search all pages" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list"><kbd>/</kbd>
<div id="search-results" role="listbox" aria-label="Search results" hidden></div>
<span id="search-status" role="status" class="unseen"></span>
</form>
<button id="theme" type="button" aria-label="Switch theme" title="Switch theme" hidden><svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path fill="currentColor" d="M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z"/></svg></button>
</header>
<div class="columns">
<nav id="navigation" aria-label="Pages">
${frame.groups.map((group) => groupHtml(group, page, to)).join('\n')}
</nav>
<main id="main" tabindex="-1">
<article>
${page.html}
</article>
${footer(page, frame, to)}
</main>
${contents(page)}
</div>
</body>
</html>
`;
}

function groupHtml(group: Frame['groups'][number], page: SitePage, to: (path: string) => string): string {
  const links = group.links.map(({ title, path }) => {
    const current = path === page.path ? ' aria-current="page"' : '';
    return `<li><a href="${to(path)}"${current}>${escapeHtml(title)}</a></li>`;
  });
  const isLong = group.links.length > 12;
  const isOpen = !isLong || group.links.some(({ path }) => path === page.path);
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(group.title)}</summary><ul>${links.join('')}</ul></details>`;
}

/** Deeper headings than these are not in the contents. */
const DEEPEST = 3;

/** Contents of more entries than this have the upper ones only. */
const MAX_DEEP = 60;

function contents({ sections }: SitePage): string {
  const all = sections.filter(({ level, anchor }) => level > 1 && level <= DEEPEST && anchor !== '');
  const shown = all.length > MAX_DEEP ? all.filter(({ level }) => level === 2) : all;
  if (shown.length < 2) return '<aside id="contents" aria-hidden="true"></aside>';
  const links = shown.map(
    ({ anchor, title, level }) =>
      `<li class="level-${level}"><a href="#${encodeURIComponent(anchor)}">${escapeHtml(title)}</a></li>`,
  );
  return `<aside id="contents" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></aside>`;
}

function footer(page: SitePage, { order, repository }: Frame, to: (path: string) => string): string {
  const at = order.findIndex(({ path }) => path === page.path);
  const link = (one: NavigationLink | undefined, label: string, rel: string) =>
    one === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${to(one.path)}"><small>${label}</small>${escapeHtml(one.title)}</a>`;
  const around =
    at === -1
      ? ''
      : `<nav class="around" aria-label="Previous and next page">${link(order[at - 1], 'Previous', 'prev')}${link(order[at + 1], 'Next', 'next')}</nav>`;
  const source =
    repository === undefined || page.source === undefined
      ? ''
      : `<a href="${escapeHtml(`${repository}/blob/main/${page.source}`)}">View source</a> · `;
  return `<footer>${around}<p>${source}cdk8s-linkerd, Apache-2.0</p></footer>`;
}
