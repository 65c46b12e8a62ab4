import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { stringifyYaml } from '#base/yaml-writer';
import { DEFAULT_LIMIT, MIN_LIMIT } from '#lib/review/diff/formats/formats';
import { renderDiff } from '#lib/review/diff/formats/render';
import type { OutputDiff } from '#lib/review/diff/model';
import { runs } from '#test/support/depth';
import { cluster, compare, type Files, object } from '../outputs';

/** Texts with a meaning in Markdown, HTML, GitHub or a terminal. */
const NASTY = [
  ...['@octocat', '`', '``` \n# heading', '</details><script>alert(1)</script>', '<img src=x onerror=alert(1)>'],
  ...['| a | b |', '[x](https://evil.example.com)', '![x](https://evil.example.com/a.png)', '#1', '&lt;'],
  ...['\u001b[2J', '\u202egnp.exe', ' `` ', '', '-->', '\\'],
];

const map = (name: string, data: object) => object('v1', 'ConfigMap', { data }, { name });

function nastyDiff(texts: readonly string[]): OutputDiff {
  const files = (suffix: string): Files =>
    Object.fromEntries(
      texts.map((text, index) => [
        `b/${index}.yaml`,
        stringifyYaml(map(`n${index}${text}`, { [`k${text}`]: `${text}${suffix}`, lines: `a\n${text}${suffix}\n` })),
      ]),
    );
  return compare({ home: cluster(files('1')) }, { home: cluster(files('2')), [`new ${texts[0]}`]: cluster({}) });
}

/** Markdown without its code spans. The rest is markup and text of the formatter. */
function withoutCode(markdown: string): string {
  return markdown.replace(/(?<!\\)(`+)(?!`)(.*?[^`])\1(?!`)/g, '');
}

test('diff escapes markup, mentions and links of an output', () => {
  const markdown = renderDiff(nastyDiff(NASTY), 'markdown', DEFAULT_LIMIT);
  const rest = withoutCode(markdown);
  for (const sign of ['@', 'evil', 'script', 'img', '| a', '# heading', '\u001b', '\u202e']) {
    expect(rest).not.toContain(sign);
  }
  const others = rest
    .match(/<[^>]*>/g)
    ?.filter((tag) => !/^<(?:!-- cdk8s-linkerd diff --|\/?details|\/?summary)>$/.test(tag));
  expect(others).toEqual([]);
  const tags = (tag: string) => rest.split(tag).length - 1;
  expect(tags('<details>')).toBe(tags('</details>'));
});

test('diff in Markdown keeps its size limit, and ends with a complete block', () => {
  const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'grapheme', maxLength: 300 }));
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: MIN_LIMIT, max: 20_000 }),
      (texts, limit) => {
        const markdown = renderDiff(nastyDiff(texts), 'markdown', limit);
        expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(limit);
        expect(markdown.startsWith('<!-- cdk8s-linkerd diff -->\n')).toBe(true);
        const tags = (tag: string) => withoutCode(markdown).split(tag).length - 1;
        expect(tags('<details>')).toBe(tags('</details>'));
      },
    ),
    { numRuns: runs(60) },
  );
});

test('diff fits a fleet of different changes into a comment', () => {
  const names = Array.from({ length: 400 }, (_, index) => `cluster-${index}`);
  const of = (value: string) =>
    Object.fromEntries(
      names.map((name) => [name, cluster({ 'b/a.yaml': map('a', { own: `${name} ${value} ${'x'.repeat(300)}` }) })]),
    );
  const diff = compare(of('1'), of('2'));
  const markdown = renderDiff(diff, 'markdown', DEFAULT_LIMIT);
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(DEFAULT_LIMIT);
  expect(markdown).toContain('400 of 400 clusters change');
  expect(markdown).toMatch(/`data\.own`: .*, and 399 other values in other clusters/);
  expect(JSON.parse(renderDiff(diff, 'json', DEFAULT_LIMIT))).toEqual(diff);
});

test('diff in HTML runs no scripts, and loads no other files', () => {
  const page = renderDiff(nastyDiff(NASTY), 'html', DEFAULT_LIMIT);
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(`default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;`);
  const tags = new Set([...page.matchAll(/<\/?([a-z0-9!]+)/gi)].map(([, tag]) => tag));
  expect([...tags].sort().join(' ')).toBe(
    '!doctype a body code details h1 h2 head html li meta nav ol p strong style summary title ul',
  );
  expect(page).not.toMatch(/<[^>]*\son\w+=/);
  for (const command of ['\u001b', '\u202e']) expect(page).not.toContain(command);
});

test('diff in a terminal keeps each name on its line', () => {
  const text = renderDiff(nastyDiff(['a\n- injected']), 'text', DEFAULT_LIMIT);
  expect(text).not.toMatch(/^\s*- injected/m);
});

test('diff names clusters by their rings', () => {
  const set = (name: string, ring: string) =>
    object(
      'argoproj.io/v1alpha1',
      'ApplicationSet',
      {
        spec: {
          generators: [{ git: { directories: [{ path: `dist/${name}/*` }] } }],
          template: { metadata: { labels: { 'cdk8s-linkerd/ring': ring } } },
        },
      },
      { name },
    );
  const argocd = cluster({ 'a.yaml': set('a', 'canary'), 'b.yaml': set('b', 'rest'), 'c.yaml': set('c', 'rest') });
  const of = (value: string) => cluster({ 'b/a.yaml': map('a', { a: value }) });
  const diff = compare({ argocd, a: of('1'), b: of('1'), c: of('1') }, { argocd, a: of('2'), b: of('2'), c: of('1') });
  expect(diff.groups).toMatchObject([
    {
      clusters: ['a', 'b'],
      rings: [
        { ring: 'canary', clusters: 1, of: 1 },
        { ring: 'rest', clusters: 1, of: 2 },
      ],
    },
  ]);
  expect(renderDiff(diff, 'text', DEFAULT_LIMIT)).toContain('2 clusters: a, b; rings canary (1), rest (1 of 2)');
});

test('diff reads rings of a fleet from the template of its ApplicationSet', () => {
  const fleet = object('argoproj.io/v1alpha1', 'ApplicationSet', {
    spec: {
      generators: [{ matrix: { generators: [{ git: { directories: [{ path: 'dist/{{ .name }}/*' }] } }] } }],
      template: {
        metadata: { labels: { 'cdk8s-linkerd/ring': '{{ get (dict "a" "canary") .name | default "rest" }}' } },
      },
    },
  });
  const argocd = cluster({ 'a.yaml': fleet });
  const diff = compare(
    { argocd, a: cluster({}), canary: cluster({}) },
    { argocd, a: cluster({}), canary: cluster({}) },
  );
  expect(diff.clusters).toEqual([
    { name: 'a', state: 'unchanged', ring: 'canary' },
    { name: 'argocd', state: 'unchanged' },
    { name: 'canary', state: 'unchanged', ring: 'rest' },
  ]);
});

test('diff does not count the objects of Argo CD as a cluster', () => {
  const of = (value: string) => cluster({ 'a.yaml': map('a', { value }) });
  const outputs = (value: string) => ({ argocd: of(value), home: of(value), shop: of(value) });
  const page = renderDiff(compare(outputs('a'), outputs('b')), 'text', DEFAULT_LIMIT);
  expect(page).toContain('2 of 2 clusters change.');
  expect(page).toContain('\nArgo CD and 2 clusters: home, shop\n');
  const one = renderDiff(
    compare({ argocd: of('a'), home: of('a') }, { argocd: of('b'), home: of('b') }),
    'text',
    DEFAULT_LIMIT,
  );
  expect(one).toContain('\nArgo CD and home\n');
});
