import { createHash } from 'node:crypto';
import { DAY, HOUR } from '#base/time-units';
import { fleetOf } from '#lib/review/report/fleet';
import type { ClusterReport, PageData, PlatformReport } from '#lib/review/report/model';
import { fleetTable } from '#lib/review/report/page/fleet-table';
import { renderReport } from '#lib/review/report/render';
import { expectLinear } from '#test/support/growth';
import { clusterReport, meshFacts } from './mesh-facts';

const page = renderReport({ groups: [{ clusters: ['home'], report: clusterReport() }] });

const contentsOf = (element: string, text: string) =>
  [...text.matchAll(new RegExp(`<${element}(?: [^>]*)?>([\\s\\S]*?)</${element}>`, 'g'))].map(
    ([, content = '']) => content,
  );

/** The page without its script and its style. */
const shown = (text: string) => text.slice(text.indexOf('<body>'), text.indexOf('<script')).replaceAll('\u00a0', ' ');

/** Words that a page shows after a wrong computation. */
const nonsense = (text: string) => shown(text).match(/NaN|Infinity|undefined|Invalid/g) ?? [];

const renderOne = (report: ClusterReport) => renderReport({ groups: [{ clusters: ['home'], report }] });

test('a report is rendered to the same bytes each time, without the current time', () => {
  expect(renderReport({ groups: [{ clusters: ['home'], report: clusterReport() }] })).toBe(page);
  expect(shown(page).match(/20\d\d-\d\d/g)).toBeNull();
});

test('a report loads no other files', () => {
  expect(page.match(/(?:src|href|url|import|action)\s*[=(]\s*["']?(?!#|data:)[a-z/.]+:/gi) ?? []).toEqual([]);
  expect(page).toContain('default-src &#39;none&#39;');
});

test('the content security policy of a report allows only its script and style, by hash', () => {
  const [policy = ''] = /Content-Security-Policy" content="[^"]*/.exec(page) ?? [];
  const hash = (text = '') => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  expect(policy).toContain(hash(contentsOf('style', page)[0]));
  expect(policy).toContain(hash(contentsOf('script', page)[1]));
  expect(policy).not.toContain('unsafe');
  expect(shown(page).match(/ (?:style|on[a-z]+)="/g)).toBeNull();
});

test('names in a report end no element and run no script', () => {
  const nasty = '</script><script>alert(1)</script><img src=x onerror=alert(1)>"\u2028';
  const warning = { code: nasty, path: nasty, what: nasty, why: nasty, fix: nasty };
  const [anchor] = meshFacts().pki.certificates;
  if (anchor === undefined) throw new Error('there is an anchor');
  const text = renderReport({
    groups: [
      {
        clusters: [nasty],
        report: clusterReport({
          ...meshFacts({ certificates: [{ ...anchor, id: `${nasty}/${nasty}`, key: nasty }] }),
          releases: [nasty],
          warnings: [warning, { ...warning, reason: nasty }],
          waves: [{ folder: nasty, charts: [nasty], waves: [{ wave: 0, kinds: [[nasty, 1]] }] }],
          differences: [{ chart: nasty, differences: [{ place: nasty, reason: nasty }] }],
          ignored: [{ object: nasty, fields: [nasty] }],
          unreadable: [{ path: nasty, reason: nasty }],
        }),
      },
    ],
  });
  expect(text.match(/<script/g)).toHaveLength(2);
  expect(text.includes('<img')).toBe(false);
  expect(text.includes('\u2028')).toBe(false);
  const data = JSON.parse(contentsOf('script', text)[0] ?? '') as PageData;
  expect(data.groups[0]?.clusters).toEqual([nasty]);
});

test('a report shows the first cluster without scripts', () => {
  for (const part of [
    'The rotation takes 29 d and ends 335 d',
    'before the old trust anchor expires',
    '<svg',
    'Retired: the old anchor and its key are deleted',
  ]) {
    expect([part, shown(page).includes(part)]).toEqual([part, true]);
  }
});

test('equal clusters share one report, and each other cluster has its own', () => {
  const text = renderReport({
    groups: [
      { clusters: ['a', 'b'], report: clusterReport() },
      { clusters: ['c'], report: clusterReport({ releases: ['another'] }) },
    ],
  });
  expect(text.match(/data-group="1" hidden/g)).toHaveLength(2);
  expect(shown(text).match(/<a href="#cluster=/g)).toHaveLength(3);
});

const { anchor } = meshFacts().pki;

/** The cells of the table of clusters without its head, as text and sort order. */
function tableOf(report: PlatformReport): readonly (readonly string[])[] {
  const [table = ''] = contentsOf('tbody', renderReport(report));
  return [...table.matchAll(/<tr>(.*)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '')),
  );
}

test('a fleet begins with a table of its clusters, by name, each with its ring, release, findings and next event', () => {
  const warning = { code: 'dashboard-open', path: '', what: '', why: '', fix: '' };
  const expected = {
    operator: ['rotation of the trust anchor, 9 y after its issuance', '362 d 13 h'],
    manual: ['you replace the trust anchor, 9 y after its issuance', 'unknown'],
    'automatic-unsafe': ['cert-manager replaces the trust anchor, 9 y after its issuance', 'unknown'],
    none: ['unknown', 'unknown'],
  };
  const groups = Object.keys(expected).map((rotation) => {
    const pki = { rotation: rotation as 'none', ...(rotation === 'none' && { anchor: undefined }) };
    return {
      clusters: [`of-${rotation}`],
      report: clusterReport({ ...meshFacts(pki), releases: ['linkerd-control-plane x'] }),
    };
  });
  const found = tableOf({
    rings: [['of-none', 'canary']],
    groups: [
      ...groups,
      { clusters: ['b'], report: clusterReport({ releases: [], warnings: [{ ...warning, reason: 'known' }] }) },
      {
        clusters: ['a', 'c'],
        report: clusterReport({ warnings: [warning, warning], unreadable: [{ path: '', reason: '' }] }),
      },
      { clusters: ['constructor'], report: clusterReport({ warnings: [warning, warning] }) },
    ],
  });
  expect(found.map(([name]) => name)).toEqual(
    ['a', 'b', 'c', 'constructor', ...Object.keys(expected).map((name) => `of-${name}`)].sort(),
  );
  const row = (name: string) => found.find(([first]) => first === name)?.slice(1);
  for (const [name, cells] of Object.entries(expected)) {
    expect(row(`of-${name}`)).toEqual([name === 'none' ? 'canary' : 'none', 'x', 'none', ...cells]);
  }
  expect(row('b')?.slice(1, 3)).toEqual(['none', 'none']);
  expect(row('a')?.slice(1, 3)).toEqual(['edge-26.8.3', '1 unreadable file, and 2 more']);
  expect(row('constructor')?.slice(0, 3)).toEqual(['none', 'edge-26.8.3', 'dashboard-open, and 1 more']);
});

test('a table of clusters with different meshes takes linear time', () => {
  expectLinear((count) => {
    const groups = Array.from({ length: count }, (_, index) => ({
      clusters: [`c${index}`],
      report: clusterReport(meshFacts({ clockSkewAllowance: index })),
    }));
    expect(fleetTable(fleetOf({ groups })).text.match(/<tr>/g)).toHaveLength(count + 1);
  }, 12);
});

test('a page about one cluster has no table of clusters', () => expect(page.includes('class="fleet"')).toBe(false));

test.each([
  ['manual' as const, 'You must replace the trust anchor within 363 d'],
  ['automatic-unsafe' as const, 'and does not wait for the mesh'],
])('a report describes an anchor whose rotation is %s', (rotation, what) => {
  const report = clusterReport(meshFacts({ rotation, ...(anchor && { anchor }) }));
  expect(shown(renderOne(report)).includes(what)).toBe(true);
});

test('a report describes an external anchor, and a mesh without certificates', () => {
  const report = clusterReport(meshFacts({ rotation: 'none', certificates: [], anchor: undefined }));
  const text = shown(renderOne(report));
  expect(text.includes('The output does not issue the trust anchor')).toBe(true);
  expect(text.includes('This output contains no certificates')).toBe(true);
});

test('a report states that the output of an older library has no warnings', () => {
  const report = { ...clusterReport(), warnings: undefined };
  expect(shown(renderOne(report)).includes('did not record warnings')).toBe(true);
});

test('a report supports the shortest anchor that cert-manager accepts', () => {
  const policy = { ...anchor?.policy, duration: 3_600_000, renewBefore: 300_000 };
  const report = clusterReport(meshFacts({ anchor: { policy, hasWindows: true } as typeof anchor & object }));
  const text = renderOne(report);
  expect(shown(text).includes('without maintenance windows')).toBe(true);
  expect(nonsense(text)).toEqual([]);
});

test('a report supports an anchor of 290 years', () => {
  const policy = { ...anchor?.policy, duration: 290 * 365 * DAY, renewBefore: 100 * 365 * DAY };
  const report = clusterReport(meshFacts({ anchor: { policy, hasWindows: false } as typeof anchor & object }));
  expect(nonsense(renderOne(report))).toEqual([]);
});

test.each([
  ['a minute long', { duration: 60_000, renewBefore: 30_000 }],
  ['renewed before it is issued', { duration: 48 * HOUR, renewBefore: 72 * HOUR }],
  ['renewed as soon as it is issued', { duration: 48 * HOUR, renewBefore: 48 * HOUR }],
  ['without a lifetime', { duration: 0, renewBefore: 0 }],
])('a report lists an issuer that is %s, and does not simulate it', (_, windows) => {
  const certificates = meshFacts().pki.certificates.map((one) =>
    one.role === 'identity-issuer' ? { ...one, ...windows } : one,
  );
  const text = renderOne(clusterReport(meshFacts({ certificates })));
  expect(shown(text)).toContain('cert-manager refuses the Certificate linkerd/linkerd-identity-issuer');
  expect(nonsense(text)).toEqual([]);
});
