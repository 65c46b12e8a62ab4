import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { VALUES_NOTES } from '#tools/import/values-notes';
import { NO_FAMILY } from '#tools/site/navigation';
import { piecesOf } from '../../docs/snippets/markdown';
import { NEARBY, ROOT, readPages } from '../../docs/snippets/pages';
import { Browser } from '../../page/browser';

const SITE = join(ROOT, 'tools', 'site');
const BASE = '/some/where/';
const folder = mkdtempSync(join(tmpdir(), 'site-'));

/** All files by path, and the HTML of pages. */
let files: ReadonlyMap<string, Buffer>;
let pages: ReadonlyMap<string, string>;

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
}

beforeAll(() => {
  if (!existsSync(join(SITE, 'node_modules', 'vitepress'))) run('npm', 'ci', '--silent', '--prefix', SITE);
  run(join(ROOT, 'node_modules/.bin/tsx'), 'tools/site/main.ts', '--out', folder, '--base', BASE);
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  files = new Map(
    found.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path)];
    }),
  );
  pages = new Map([...files].filter(([path]) => path.endsWith('.html')).map(([path, file]) => [path, String(file)]));
});

afterAll(() => rmSync(folder, { recursive: true }));

const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value.replaceAll('&amp;', '&'));
const page = (path: string) => pages.get(path) ?? '';

test('the programs of the site compile', () =>
  run(join(ROOT, 'node_modules/.bin/tsc'), '-p', 'tools/site', '--singleThreaded'));

test('the site has a page for each text, construct, finding and alert', () => {
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([
      'index.html',
      'docs/reference/findings.html',
      'docs/reference/findings/acknowledged-nothing.html',
      'docs/alerts/LinkerdInjectorDown.html',
      'docs/adr/0001-clusters-one-at-a-time.html',
      'reference/LinkerdMesh.html',
    ]),
  );
});

test('the reference assigns each folder of the library to a family', () => {
  expect([...pages].filter(([, html]) => html.includes(`>${NO_FAMILY}<`)).map(([path]) => path)).toEqual([]);
});

test('every link of the site leads to an existing page and anchor', () => {
  const ids = new Map([...pages].map(([path, html]) => [path, new Set(attributes(html, 'id'))]));
  const isBroken = (path: string, target: string) => {
    const [file = '', anchor = ''] = decodeURI(target).split('#');
    const to = file === '' ? path : fileOf(path, file);
    return !files.has(to) || (anchor !== '' && ids.get(to)?.has(decodeURIComponent(anchor)) !== true);
  };
  const broken = [...pages].flatMap(([path, html]) =>
    [...attributes(html, 'href'), ...attributes(html, 'src')]
      .filter((target) => !/^(?:https?|data):/.test(target) && isBroken(path, target))
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

/** The file to which a link of a page leads. */
function fileOf(path: string, link: string): string {
  const found = link.startsWith(BASE) ? link.slice(BASE.length) : posix.join(posix.dirname(path), link);
  return found === '' || found.endsWith('/') ? `${found}index.html` : found;
}

test('headings of the site have the same anchors as on GitHub', () => {
  const onSite = readPages().filter(({ path }) => !NEARBY.includes(path));
  const missing = onSite.flatMap(({ path, text }) => {
    const html = path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');
    const ids = new Set(attributes(page(html), 'id'));
    const anchors = piecesOf(text).flatMap((piece) => (piece.type === 'heading' ? [piece.anchor] : []));
    return anchors.filter((anchor) => !ids.has(anchor)).map((anchor) => `${html}#${anchor}`);
  });
  expect(missing).toEqual([]);
});

test('the site escapes tags and expressions in text', () => {
  expect(page('docs/operations.html')).toContain('&lt;cluster&gt;');
  expect([...pages.values()].join('')).not.toContain('<cluster>');
  expect([...pages.values()].join('')).toContain('{{');
});

test('the reference shows the meaning and default of each prop, also of joined types', () => {
  const row = (name: string, prop: string) =>
    new RegExp(`<tr><td><code>${prop}</code>.*?</tr>`, 's').exec(page(`reference/${name}.html`))?.[0] ?? '';
  expect(row('CertManagerPKI', 'clockSkewAllowance')).toContain('clocks');
  expect(row('CertManagerPKI', 'clockSkewAllowance')).toContain('<code>Duration.seconds(20)</code>');
  expect(row('OperatorRotation', 'windows')).not.toBe('');
  expect(row('SuccessRateProps', 'viz')).not.toBe('');
  expect(row('LinkerdMeshProps', 'cni')).not.toBe('');
  const value = row('values-linkerd-control-plane', 'proxy.waitBeforeExitSeconds');
  expect(value).toContain('<code>0</code>');
  expect(value).toContain(VALUES_NOTES['linkerd-control-plane']?.['proxy.waitBeforeExitSeconds']);
});

test('the reference has a table for every type of options', () => {
  const types = [...pages].filter(([path]) => /^reference\/\w*(?:Props|Options)\.html$/.test(path));
  expect(types.length).toBeGreaterThan(60);
  expect(types.filter(([, html]) => !html.includes('<table')).map(([path]) => path)).toEqual([]);
});

describe('the site in a browser', () => {
  let browser: Browser;
  let server: Server;
  let base: string;

  beforeAll(async () => {
    browser = await Browser.start();
    const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
    server = createServer(({ url = '' }, response) => {
      const content = files.get(decodeURI(url.slice(BASE.length).replace(/[?#].*$/, '')));
      const type = types[url.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      response.writeHead(content === undefined ? 404 : 200, { 'content-type': type });
      response.end(content);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`;
  });

  afterAll(async () => {
    await browser.stop();
    server.close();
  });

  it('finds the page of a finding by the code', async () => {
    await browser.show(`${base}index.html`);
    await browser.value("document.querySelector('#local-search button').click()");
    await browser.until("document.activeElement.id === 'localsearch-input'");
    await browser.send('Input.insertText', { text: 'certificate-alerts-missing' });
    const first = "document.querySelector('#localsearch-list a')?.getAttribute('href') ?? ''";
    await browser.until(`(${first}).includes('docs/reference/findings/certificate-alerts-missing')`);
  });

  it.each([
    'index.html',
    'docs/reference/findings.html',
    'docs/reference/api.html',
    'reference/LinkerdMesh.html',
    'reference/index.html',
  ])('fits %s into the width of a phone, in light and dark', async (path) => {
    const colours = new Set<string>();
    for (const scheme of ['light', 'dark'] as const) {
      await browser.show(`${base}${path}`, { width: 390, scheme });
      expect(await browser.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      colours.add(await browser.value<string>('getComputedStyle(document.body).backgroundColor'));
    }
    expect(colours.size).toBe(2);
    expect(browser.complaints).toEqual([]);
  });

  it('requests nothing from other servers', () => {
    const isOurs = (url: string) => url.startsWith(base) || url.startsWith('data:') || url === 'about:blank';
    expect(browser.requests.filter((url) => !isOurs(url) && !url.endsWith('/favicon.ico'))).toEqual([]);
  });
});
