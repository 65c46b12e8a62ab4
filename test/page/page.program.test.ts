import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderHtml } from '#lib/review/diff/formats/html';
import { renderReport } from '#lib/review/report/render';
import { statusHtml } from '#lib/review/status/formats/render';
import { clusterReport, meshFacts } from '../review/report/mesh-facts';
import { Browser, type Scheme } from './browser';

const NASTY = '</script><b>"&\'\u202e';

let browser: Browser;
let folder: string;
let url: string;
/** The fragment for a small mesh, whose rotation is fast to simulate. */
const SMALL = '#workloads=5';

const text = (selector: string) =>
  browser.value<string>(`document.querySelector(${JSON.stringify(selector)}).textContent.replaceAll('\\u00a0', ' ')`);

/** Moves a slider by the keyboard. */
async function slide(name: string, key: string, times = 1): Promise<void> {
  await browser.value(`document.getElementById('${name}').focus()`);
  for (let count = 0; count < times; count++) await browser.press(key);
}

/** Follows a link to another part of the page. */
async function follow(hash: string): Promise<void> {
  await browser.value(
    `new Promise((done) => { addEventListener('hashchange', () => done(), { once: true }); location.hash = ${JSON.stringify(hash)}; })`,
  );
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'page-'));
  const file = join(folder, 'report.html');
  const { anchor } = meshFacts().pki;
  const byHand = clusterReport({
    ...meshFacts({ rotation: 'manual', ...(anchor && { anchor }) }),
    releases: [NASTY],
    warnings: [{ code: 'certificate-alerts-missing', path: NASTY, what: NASTY, why: NASTY, fix: NASTY }],
  });
  writeFileSync(
    file,
    renderReport({
      groups: [
        { clusters: ['home', 'other'], report: clusterReport() },
        { clusters: [NASTY], report: byHand },
      ],
    }),
  );
  url = pathToFileURL(file).href;
  browser = await Browser.start();
});

afterEach(() => {
  expect(browser.complaints.splice(0)).toEqual([]);
  // Only the page itself and its icon.
  expect(
    browser.requests.splice(0).filter((request) => !request.startsWith('file:') && !/^(?:about|data):/.test(request)),
  ).toEqual([]);
});

afterAll(async () => {
  await browser?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the page shows dates if the output has durations', async () => {
  await browser.show(url);
  expect(await text('#verdict strong')).toBe(
    'The rotation takes 29 d and ends 335 d before the old trust anchor expires.',
  );
  const date = new Date(Date.now() + 3285 * 86_400_000).toISOString().slice(0, 10);
  expect(await text('#events')).toContain(date);
  expect(await browser.value('document.title')).toBe('home: Linkerd on this platform');
});

test('the page simulates again when the keyboard changes a condition, and announces the result', async () => {
  await browser.show(url + SMALL);
  const before = await text('#timeline');
  await slide('restartDays', 'Home');
  await browser.until("document.querySelector('#verdict').textContent.includes('restarts 5 workloads')");
  expect(await text('output[for=restartDays]')).toBe('never');
  expect(await browser.value("document.getElementById('restartDays').getAttribute('aria-valuetext')")).toBe('never');
  const after = await text('#timeline');
  expect(after).not.toBe(before);
  expect(after).toContain('restart 1 of 5');
  expect(await browser.value('document.activeElement.id')).toBe('restartDays');
  await browser.value("document.querySelector('#controls button').click()");
  await browser.until("document.querySelector('#verdict').textContent.includes('restarts no workloads')");
});

test('the page reports a too long outage in its verdict and at the certificate', async () => {
  await browser.show(url + SMALL);
  await slide('outageHours', 'ArrowRight', 5);
  await browser.until("document.querySelector('#verdict').textContent.includes('expires while cert-manager is down')");
  expect(await text('#certificates')).toContain('shorter than the outage');
  expect(await text('#timeline')).toContain('cert-manager is down');
});

test('the clock skew, an absent node, slow restarts and the policy change the verdict', async () => {
  await browser.show(`${url}${SMALL}&restartDays=0&laggards=Never`);
  expect(await text('#verdict strong')).toBe('The old anchor expires before it can be retired.');
  await follow(`${SMALL}&awayDays=90`);
  expect(await text('#verdict strong')).toContain('takes 90 d');
  await follow(`${SMALL}&skewMinutes=10`);
  expect(await text('#verdict strong')).toContain('The clock skew exceeds');
  await follow('#slowdown=30&restartDays=0&laggards=Restart&workloads=9');
  expect(await text('#verdict p.because')).toContain('9 workloads');
});

test('the page shows parts of time, with the age of the anchor', async () => {
  await browser.show(`${url}${SMALL}&issued=2020-01-01`);
  for (const [range, what] of [
    ['life', 'valid for 3650 d'],
    ['signing', 'Signing'],
    ['fortnight', 'linkerd-identity-issuer'],
    ['rotation', ' left'],
  ]) {
    await browser.value(`document.querySelector('input[value=${range}]').click()`);
    expect(await text('#timeline')).toContain(what);
    expect(await browser.value('location.hash')).toContain(`range=${range}`);
  }
  await browser.value("document.querySelector('input[value=life]').click()");
  expect(await browser.value("document.querySelectorAll('#timeline .now').length")).toBe(1);
});

test('the page switches between clusters, and shows names unchanged', async () => {
  await browser.show(url);
  await browser.value("document.querySelector('.fleet a').focus()");
  await browser.press('Enter');
  await browser.until("document.title.startsWith('</script>')");
  expect(await text('#verdict strong')).toContain('You must replace the trust anchor');
  expect(await text('.group:not([hidden]) .releases')).toBe('</script><b>"&\'\\u202e');
  expect(await browser.value("document.querySelectorAll('.group[hidden]').length")).toBe(2);
  expect(await browser.value("document.querySelectorAll('main b:not(td b)').length")).toBe(0);
  expect(await browser.value("document.querySelector('.fleet [aria-current=true]').textContent")).toBe(
    await text('.fleet a'),
  );
  expect(
    await browser.value("document.activeElement.textContent === document.querySelector('.fleet a').textContent"),
  ).toBe(true);
});

test('without an operator, the page shows the effect of one', async () => {
  await browser.show(`${url}${SMALL}&cluster=${encodeURIComponent(NASTY)}`);
  await browser.value(
    "const who = document.getElementById('who'); who.focus(); who.value = 'operator'; who.dispatchEvent(new Event('input', { bubbles: true }))",
  );
  await browser.until("document.querySelector('#verdict strong').textContent.startsWith('The rotation takes')");
  expect(await browser.value('document.activeElement.id')).toBe('who');
  expect(await browser.value('location.hash')).toContain('who=operator');
});

test.each([
  '#cluster=none&range=none&restartDays=x&workloads=1e9&issued=never&laggards=',
  '#restartDays=-5&workloads=0&slowdown=Infinity&skewMinutes=NaN',
  '#%E0%A4%A&cluster=%00',
  '#issued=9999-12-31&range=life',
])('a malformed address shows a page: %s', async (hash) => {
  await browser.show(url + hash);
  expect(await text('#verdict strong')).not.toBe('');
  expect(await text('main')).not.toMatch(/NaN|undefined|Infinity/);
});

test('no element is wider than the window, with all details open', async () => {
  await browser.show(url + SMALL, { width: 320 });
  for (const width of [320, 390, 768, 1280]) {
    await browser.resize(width);
    for (const range of ['rotation', 'fortnight']) {
      await browser.value(`document.querySelector('input[value=${range}]').click()`);
      expect(await browser.value('location.hash')).toContain(`range=${range}`);
      // A wide window may have tables that scroll.
      expect({ width, outside: width < 600 ? await beyond(width) : [] }).toEqual({ width, outside: [] });
      expect(await browser.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(
        await browser.value("document.querySelector('#timeline svg').getBoundingClientRect().width"),
      ).toBeLessThanOrEqual(width);
    }
    expect(await browser.value("document.querySelectorAll('table').length")).toBeGreaterThan(2);
  }
});

test('columns have heads in a wide window, and cells have labels in a narrow one', async () => {
  const label = "getComputedStyle(document.querySelector('.pki [data-label]'), '::before').content";
  const head = "document.querySelector('.pki thead').getBoundingClientRect().height > 0";
  await browser.show(url + SMALL);
  expect(await browser.value(`[${label}, ${head}]`)).toEqual(['none', true]);
  await browser.resize(390);
  expect(await browser.value(`[${label}, ${head}]`)).toEqual(['"Valid"', false]);
});

/** The visible clusters of the table. */
const listed = () =>
  browser.value<readonly string[]>(
    "[...document.querySelectorAll('.fleet tbody tr:not([hidden]) th')].map((one) => one.textContent)",
  );

const press = (column: number) => browser.value(`document.querySelectorAll('.fleet thead button')[${column}].click()`);

const search = (words: string) =>
  browser.value(
    `document.getElementById('filter').value = ${JSON.stringify(words)}; document.getElementById('filter').dispatchEvent(new Event('input'))`,
  );

test('the table of a fleet sorts and filters 200 clusters, and links to the page of a cluster', async () => {
  const clusters = Array.from({ length: 200 }, (_, index) => `eu-${index + 1}`);
  const warning = { code: 'dashboard-open', path: '', what: '', why: '', fix: '' };
  const file = join(folder, 'fleet.html');
  writeFileSync(
    file,
    renderReport({
      rings: clusters.map((name, index) => [name, index < 4 ? 'canary' : 'rest']),
      groups: [
        { clusters: clusters.slice(0, 199), report: clusterReport() },
        { clusters: clusters.slice(199), report: clusterReport({ warnings: [warning] }) },
      ],
    }),
  );
  await browser.show(`${pathToFileURL(file).href}${SMALL}`);
  await press(0);
  expect((await listed()).slice(0, 3)).toEqual(['eu-1', 'eu-2', 'eu-3']);
  await press(0);
  expect((await listed()).slice(0, 2)).toEqual(['eu-200', 'eu-199']);
  await press(3);
  expect((await listed())[0]).toBe('eu-200');
  expect(await browser.value("document.querySelector('[aria-sort]').textContent")).toBe('Findings');
  await search('CANARY  eu-3');
  expect(await listed()).toEqual(['eu-3']);
  expect(await text('.filter output')).toBe('1 of 200 clusters');
  await search('dashboard');
  await browser.value("document.querySelector('.fleet tr:not([hidden]) a').click()");
  await browser.until("document.title.startsWith('eu-200')");
  expect(await browser.value("document.getElementById('cluster').getBoundingClientRect().top < 100")).toBe(true);
  await browser.resize(390);
  await search('');
  expect(await beyond(390)).toEqual([]);
  expect(await browser.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await browser.value("document.querySelector('.fleet thead button').getClientRects().length")).toBe(1);
});

test('the page of a status sorts its clusters, and fits into a window of 390 pixels', async () => {
  const file = join(folder, 'status.html');
  const clusters = ['b', 'x'.repeat(200), 'a'].map((cluster) => ({ cluster, proxies: [], next: [], findings: [] }));
  writeFileSync(file, statusHtml({ time: 0, rings: [], clusters, next: [], findings: [] }));
  await browser.show(pathToFileURL(file).href, { width: 390 });
  expect(await beyond(390)).toEqual([]);
  await press(0);
  expect((await listed()).map(([first]) => first)).toEqual(['a', 'b', 'x']);
  expect(await browser.value("document.querySelector('.filter').getClientRects().length")).toBe(0);
});

test('the page of a difference fits into a window of 390 pixels', async () => {
  const file = join(folder, 'diff.html');
  const long = 'x'.repeat(300);
  const text = [long, { code: long }, { strong: long }];
  const items = [{ text, items: [{ text, items: [{ text }] }] }];
  writeFileSync(
    file,
    renderHtml([
      { type: 'heading', level: 1, text },
      { type: 'heading', level: 2, text },
      { type: 'paragraph', text },
      { type: 'table', head: [long, long, long], rows: [[text, text, text]] },
      { type: 'details', summary: text, blocks: [{ type: 'list', items }] },
    ]),
  );
  await browser.show(pathToFileURL(file).href, { width: 390 });
  expect(await beyond(390)).toEqual([]);
  expect(await browser.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});

/** Elements that extend beyond the right edge of the window. */
async function beyond(width: number): Promise<readonly string[]> {
  return browser.value(`(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
    const shown = [...document.querySelectorAll('table, table *, ul, li, p, h1, h2')].filter((one) => one.getClientRects().length > 0);
    return shown.filter((one) => one.getBoundingClientRect().right > ${width}).map((one) => one.outerHTML.slice(0, 120));
  })()`);
}

test('texts contrast with their background in both color schemes', async () => {
  await browser.show(url);
  for (const choice of ['', '&range=signing&awayDays=90', '&range=life', `&cluster=${encodeURIComponent(NASTY)}`]) {
    await follow(SMALL + choice);
    const [light, dark] = [await contrasts('light'), await contrasts('dark')];
    expect(dark).not.toEqual(light);
    for (const pairs of [light, dark]) {
      expect(pairs.length).toBeGreaterThan(8);
      expect(pairs.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
    }
  }
});

async function contrasts(scheme: Scheme): Promise<readonly (readonly [name: string, ratio: number])[]> {
  await browser.prefer(scheme);
  return browser.value(CONTRASTS);
}

/** The contrast ratios (WCAG 2) of texts. */
const CONTRASTS = `(() => {
  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (color) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = color;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data];
  };
  const light = (color) => {
    const [r, g, b] = rgb(color).map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let one = element; one !== null; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one);
      if (rgb(backgroundColor)[3] === 255) return backgroundColor;
    }
    return 'white';
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const named = ['.verdict strong', '.because', '.badge', '.numbers dt', '.numbers small', '.ranges span', '.control output', 'summary', '.lead', '.spare', '.name', '.fleet a', '.fleet button', '.fleet td', 'footer p'];
  const texts = named.map((name) => [name, document.querySelector(name)]).filter(([, element]) => element !== null);
  const labels = [...document.querySelectorAll('#timeline .label')].map((label) => {
    const bar = label.previousElementSibling;
    const fill = getComputedStyle(bar).fill;
    return [label.getAttribute('class'), ratio(getComputedStyle(label).fill, fill.startsWith('url') ? getComputedStyle(document.querySelector('.hatch-ground')).fill : fill)];
  });
  return [...texts.map(([name, element]) => [name, ratio(getComputedStyle(element).color, behind(element))]), ...labels];
})()`;

test('each control has a label, each section a heading, and each id occurs once', async () => {
  await browser.show(url + SMALL);
  expect(
    await browser.value(
      "[...document.querySelectorAll('input:not([type=radio]), select')].filter((one) => one.closest('[hidden]') === null).filter((one) => one.labels.length !== 1).map((one) => one.id)",
    ),
  ).toEqual([]);
  expect(
    await browser.value(
      "[...document.querySelectorAll('[aria-labelledby]')].filter((one) => document.getElementById(one.getAttribute('aria-labelledby')) === null).length",
    ),
  ).toBe(0);
  const ids = await browser.value<readonly string[]>(
    "[...document.querySelectorAll('.group:not([hidden]) [id], .hero [id], #certificates [id]')].map((one) => one.id)",
  );
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
