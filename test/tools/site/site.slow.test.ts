import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VALUES_NOTES } from '#tools/import/values-notes';
import { NO_FAMILY } from '#tools/site/navigation';
import { piecesOf } from '../../docs/snippets/markdown';
import { ROOT, readPages } from '../../docs/snippets/pages';
import { Browser } from '../../page/browser';

const folder = mkdtempSync(join(tmpdir(), 'site-'));
const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);

let files: ReadonlyMap<string, string>;

beforeAll(() => {
  const { status, stderr } = spawnSync(bin('tsx'), ['tools/site/main.ts', '--out', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  files = new Map(
    paths.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

const pages = () => [...files].filter(([path]) => path.endsWith('.html'));
const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value.replaceAll('&amp;', '&'));

test('its programs compile', () => {
  const { status, stdout } = spawnSync(bin('tsc'), ['-p', 'tools/site', '--singleThreaded'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

test('there is a page for each file and for each construct', () => {
  expect(pages().length).toBeGreaterThan(150);
  for (const path of [
    'index.html',
    'docs/findings.html',
    'docs/adr/0001-clusters-one-at-a-time.html',
    'reference/LinkerdMesh.html',
  ])
    expect([...files.keys()]).toContain(path);
});

test('each room of the library is in a family of the reference', () => {
  const others = pages().filter(([, html]) => new RegExp(`class="family">.*› ${NO_FAMILY}<`).test(html));
  expect(others.map(([path]) => path)).toEqual([]);
});

test('every link leads to a page, and to a place in it', () => {
  const ids = new Map(pages().map(([path, html]) => [path, new Set(attributes(html, 'id'))]));
  const broken = pages().flatMap(([path, html]) =>
    [...attributes(html, 'href'), ...attributes(html, 'src')]
      .filter((target) => {
        if (/^https?:/.test(target)) return false;
        const [file = '', anchor] = decodeURI(target).split('#');
        const to = file === '' ? path : posix.join(posix.dirname(path), file);
        if (!files.has(to)) return true;
        return anchor !== undefined && anchor !== '' && ids.get(to)?.has(decodeURIComponent(anchor)) !== true;
      })
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('headings have the anchors that they have on GitHub', () => {
  const missing = readPages().flatMap(({ path, text }) => {
    const page =
      path === 'README.md'
        ? 'index.html'
        : path === 'CONTRIBUTING.md'
          ? 'contributing.html'
          : path.replace(/\.md$/, '.html').replace('docs/README.html', 'docs/index.html');
    const ids = new Set(attributes(files.get(page) ?? '', 'id'));
    const anchors = piecesOf(text).flatMap((piece) => (piece.type === 'heading' ? [piece.anchor] : []));
    return anchors.filter((anchor) => !ids.has(anchor)).map((anchor) => `${page}#${anchor}`);
  });
  expect(missing).toEqual([]);
});

test('pages are sound: ids are unique, nothing is inline that a policy would refuse, tags are closed', () => {
  for (const [path, html] of pages()) {
    const ids = attributes(html, 'id');
    expect({ path, twice: ids.filter((id, at) => ids.indexOf(id) !== at) }).toEqual({ path, twice: [] });
    expect(html).not.toMatch(/<script>|<style|\sstyle="|\son\w+="|javascript:/);
    for (const tag of [
      'div',
      'p',
      'pre',
      'code',
      'span',
      'table',
      'tr',
      'td',
      'ul',
      'li',
      'a',
      'section',
      'details',
      'dl',
    ]) {
      const opened = html.match(new RegExp(`<${tag}[\\s>]`, 'g'))?.length ?? 0;
      const closed = html.match(new RegExp(`</${tag}>`, 'g'))?.length ?? 0;
      expect({ path, tag, open: opened - closed }).toEqual({ path, tag, open: 0 });
    }
  }
});

test('code in pages is text: what looks like a tag in it is none', () => {
  const html = files.get('docs/operations.html') ?? '';
  expect(html).toContain('&lt;cluster&gt;');
  expect([...files.values()].join('')).not.toContain('<cluster>');
});

test('props have their meaning and their defaults', () => {
  const html = files.get('reference/CertManagerPKI.html') ?? '';
  const row = /<tr id="clockSkewAllowance">.*?<\/tr>/s.exec(html)?.[0] ?? '';
  expect(row).toContain('clocks');
  expect(row).toContain('<code>Duration.seconds(20)</code>');
});

test('the page of each type of options shows what is in it, also of what it is joined of', () => {
  const types = pages().filter(([path]) =>
    /^reference\/\w*(?:Props|Options|Prometheus|Tls|OperatorRotation|OwnTrustAnchor)\.html$/.test(path),
  );
  expect(types.length).toBeGreaterThan(60);
  const without = types.filter(([, html]) => !/<div class="table members"/.test(html)).map(([path]) => path);
  expect(without).toEqual([]);
  const members = (name: string) =>
    [...(files.get(`reference/${name}.html`) ?? '').matchAll(/<tr id="(\w+)">/g)].map(([, id]) => id);
  expect(members('OperatorRotation')).toEqual(expect.arrayContaining(['windows', 'laggards', 'cluster']));
  expect(members('SuccessRateProps')).toEqual(expect.arrayContaining(['namespace', 'viz', 'prometheusUrl']));
  expect(members('SuccessRate')).toEqual(expect.arrayContaining(['namespace', 'viz', 'prometheusUrl']));
  expect(members('LinkerdCrdsOptions')).toEqual(['gatewayApi', 'values']);
  expect(members('LinkerdMeshProps')).toEqual(expect.arrayContaining(['cni', 'multus', 'viz']));
});

test('each value of a chart has its default and its note', () => {
  const html = files.get('reference/values-linkerd-control-plane.html') ?? '';
  const row = /<tr id="proxy-waitBeforeExitSeconds">.*?<\/tr>/s.exec(html)?.[0] ?? '';
  expect(row).toContain('<code>0</code>');
  expect(row).toContain(VALUES_NOTES['linkerd-control-plane']?.['proxy.waitBeforeExitSeconds']);
  expect(files.get('search-index.js')).toContain('"t":"proxy.waitBeforeExitSeconds"');
});

describe('in a browser', () => {
  let browser: Browser;
  let server: Server;
  let base: string;

  beforeAll(async () => {
    browser = await Browser.start();
    // Under a path of its own, as on GitHub Pages, and with a policy that refuses all code in pages.
    server = createServer(({ url = '' }, response) => {
      const content = files.get(decodeURI(url.replace(/^\/some\/where\//, '').replace(/[?#].*$/, '')));
      const types: Readonly<Record<string, string>> = {
        html: 'text/html',
        js: 'text/javascript',
        css: 'text/css',
        svg: 'image/svg+xml',
      };
      response.writeHead(content === undefined ? 404 : 200, {
        'content-type': types[url.split('.').at(-1) ?? ''] ?? 'text/plain',
        'content-security-policy': "default-src 'self'",
      });
      response.end(content);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/`;
  });

  afterAll(async () => {
    await browser.stop();
    server.close();
  });

  beforeEach(() => {
    browser.complaints.length = 0;
  });

  const search = async (words: string) => {
    await browser.press('/', 'Slash');
    await browser.until("document.activeElement.id === 'search' && window.siteSearchIndex !== undefined");
    await browser.send('Input.insertText', { text: words });
    await browser.until("document.querySelectorAll('#search-results a').length > 0");
  };

  it.each(['a file', 'a path of a server'])('finds "trust anchor" and a code with keys alone, as %s', async (way) => {
    const root = way === 'a file' ? `${pathToFileURL(folder).href}/` : base;
    await browser.show(`${root}docs/findings.html`);
    await search('trust anchor');
    expect(await browser.value("document.querySelector('[aria-selected=true] .title').textContent")).toBe(
      'Trust anchor rotation',
    );
    await browser.press('ArrowDown');
    await browser.press('ArrowUp');
    await browser.press('Enter');
    await browser.until("location.pathname.endsWith('/docs/trust-anchor.html') && document.readyState === 'complete'");
    await search('certificate-alerts-missing');
    await browser.press('Enter');
    await browser.until(
      "location.href.endsWith('/docs/findings.html#certificate-alerts-missing') && document.readyState === 'complete'",
    );
    expect(browser.complaints).toEqual([]);
  });

  it('shows all colours that the system asks for, and the other ones on demand, and remembers them', async () => {
    await browser.show(`${base}index.html`, { scheme: 'dark' });
    const colour = () => browser.value<string>('getComputedStyle(document.body).backgroundColor');
    const dark = await colour();
    await browser.value("document.querySelector('#theme').click()");
    const light = await colour();
    expect(light).not.toBe(dark);
    await browser.show(`${base}docs/operations.html`, { scheme: 'dark' });
    expect(await colour()).toBe(light);
    await browser.value('localStorage.clear()');
  });

  it.each(['index.html', 'docs/findings.html', 'docs/api.html', 'reference/LinkerdMesh.html', 'reference/index.html'])(
    'fits %s into the width of a phone',
    async (path) => {
      await browser.show(`${base}${path}`, { width: 360 });
      expect(await browser.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      await browser.value("document.querySelector('#menu').click()");
      await browser.until("document.querySelector('#navigation').getBoundingClientRect().height > 100");
      expect(browser.complaints).toEqual([]);
    },
  );

  it('filters the contents of a long page', async () => {
    await browser.show(`${base}docs/findings.html`);
    await browser.value("document.querySelector('#contents input').focus()");
    await browser.send('Input.insertText', { text: 'certificate-alerts-missing' });
    await browser.until("[...document.querySelectorAll('#contents li')].filter((li) => !li.hidden).length === 1");
  });

  it('asks for nothing elsewhere', () => {
    const isOurs = (url: string) =>
      url.startsWith(base) || url.startsWith('file:') || url.startsWith('data:') || url === 'about:blank';
    expect(browser.requests.filter((url) => !isOurs(url))).toEqual([]);
  });
});
