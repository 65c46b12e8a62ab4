import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFolder } from '../../../tools/import/imports-folder';
import { withValueComments } from '../../../tools/import/value-comments';
import { memberKey, type ValuePlace, valuePlaces } from '../../../tools/import/value-places';
import { VALUES_NOTES } from '../../../tools/import/values-notes';

const files = readFolder(join(__dirname, '..', '..', '..', 'imports'));
const places = valuePlaces(files);
const placesOf = (chart: string) => [...places].filter(([key]) => key.startsWith(`charts/${chart}/`));

/** The comments of a text, one line each. */
const flat = (text: string): string => text.replace(/\n\s+\* ?/g, ' ');

/** The newest release of each chart that has an edge release or a version of its own. */
const NEWEST: Readonly<Record<string, string>> = {
  'cert-manager': 'v1.21.1',
  'linkerd-control-plane': 'edge-26.8.3',
  'linkerd-viz': 'edge-26.8.3',
  'linkerd2-cni': 'edge-26.8.3',
  'trust-manager': 'v0.24.0',
};

describe.each(Object.entries(VALUES_NOTES))('notes on values of %s', (chart, notes) => {
  const found = placesOf(chart).flatMap(([, places]) => places);

  it.each(Object.entries(notes))('%s is a value of a release, and its type shows the note', (path, note) => {
    const releases = found.filter((place) => place.path === path).map(({ release }) => release);
    const newest = releases.includes(NEWEST[chart] ?? '') ? NEWEST[chart] : releases.at(-1);
    expect(newest).toBeDefined();
    expect(flat(files.get(`charts/${chart}/${newest}.ts`) ?? '')).toContain(note);
  });

  it('are sentences', () => {
    for (const note of Object.values(notes)) expect(note).toMatch(/^[A-Z].{10,118}[.]$/);
  });
});

test('each value at the top of a chart has a text, in each release', () => {
  const tops = [...places].filter(([key]) => /#Values#[^#.]+$/.test(key));
  const missing = tops.flatMap(([key]) => {
    const [module = '', type = '', path = ''] = key.split('#');
    const text = flat(commentAbove(files.get(`${module}.ts`) ?? '', type, path) ?? '');
    return /^\/\*\*\s+[A-Z].{10,118}[.](?: |$)/.test(text) ? [] : [key];
  });
  expect(tops.length).toBeGreaterThan(300);
  expect(missing).toEqual([]);
});

test('each value of a chart shows its default: itself, or by its members', () => {
  const missing = [...places].flatMap(([key, found]) => {
    if (found.every(({ members }) => members === 'own')) return [];
    const [module = '', type = '', path = ''] = key.split('#');
    const comment = commentAbove(files.get(`${module}.ts`) ?? '', type, path);
    return comment?.includes('@default ') ? [] : [key];
  });
  expect(places.size).toBeGreaterThan(800);
  expect(missing).toEqual([]);
});

/** The comment above a member of a type. */
function commentAbove(text: string, type: string, path: string): string | undefined {
  const body = text.slice(text.indexOf(`export type ${type} = {`));
  let at = 0;
  for (const [depth, key] of path.split('.').entries()) {
    const member = new RegExp(`^ {${2 * (depth + 1)}}'?${key.replace(/\W/g, '\\$&')}'?\\??:`, 'm').exec(body.slice(at));
    at += member?.index ?? 0;
  }
  const before = body.slice(0, at).trimEnd();
  return before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : undefined;
}

describe('a comment', () => {
  const module = 'charts/linkerd-viz/x';
  const source =
    "export type A = {\n  b?: string;\n  'c.d'?: {\n    e?:\n      | 'x'\n      | null;\n  } | null;\n};\nexport type B = {\n  b?: 1;\n};\n";
  const place = (path: string, more: Partial<ValuePlace>): ValuePlace => ({
    release: 'edge-1',
    path,
    members: 'none',
    ...more,
  });
  const commented = (of: Readonly<Record<string, readonly ValuePlace[]>>) =>
    withValueComments(source, module, new Map(Object.entries(of)));
  const key = (...path: readonly string[]) => memberKey(module, 'A', path);

  it('does not end before its end', () => {
    const text = commented({ [key('b')]: [place('b', { value: 'a*/ b' })] });
    expect(text).toBe(source.replace('  b?: string', "  /** @default 'a*\\/ b' */\n  b?: string"));
  });

  it('stands above the member of its type, however deep', () => {
    const text = commented({ [key('c.d', 'e')]: [place('c.d.e', { value: null })] });
    expect(text).toBe(source.replace('    e?:', '    /** @default null */\n    e?:'));
  });

  it.each<readonly [expected: string, places: readonly ValuePlace[]]>([
    ['@default 1', [place('b', { value: 1 }), place('c', { value: 1 })]],
    ['@default - none', [place('b', {})]],
    ['@default - 1 (`b`); none (`c`)', [place('b', { value: 1 }), place('c', {})]],
    [
      "@default - 'y' (edge-10.0.0); 'x' (edge-9.0.0, stable-2)",
      [
        place('b', { release: 'stable-2', value: 'x' }),
        place('b', { release: 'edge-9.0.0', value: 'x' }),
        place('b', { release: 'edge-10.0.0', value: 'y' }),
      ],
    ],
    ['@default 1, with high availability 3', [place('b', { value: 1, whenAvailable: 3 })]],
    ['@default - a longer text or list in the chart', [place('b', { value: 'x'.repeat(200) })]],
    ['@default - a longer text or list in the chart', [place('b', { value: 'x\ny' })]],
    ["@default 'it\\'s'", [place('b', { value: "it's" })]],
    ['@default {"a":[1]}', [place('b', { members: 'shared', value: { a: [1], b: '', c: { d: null } } })]],
    ['@default {}', [place('b', { members: 'shared', value: {} })]],
    ['@default - depends on the value that contains it', [1, 2, 3, 4, 5].map((value) => place(`b${value}`, { value }))],
  ])('says %s', (expected, found) => {
    expect(commented({ [key('b')]: found })).toBe(source.replace('  b?: string', `  /** ${expected} */\n  b?: string`));
  });
});

test('the newest release of each chart is the newest', () => {
  const index = JSON.parse(readFileSync(join(__dirname, '..', '..', '..', 'imports', 'index.json'), 'utf8')) as object;
  const order = new Intl.Collator('en', { numeric: true });
  for (const [chart, newest] of Object.entries(NEWEST)) {
    const releases = Object.keys(index).flatMap((key) =>
      key.startsWith(`charts/${chart}/`) ? [key.split('/')[2] ?? ''] : [],
    );
    const edges = releases.filter((release) => !release.startsWith('stable'));
    expect(edges.sort(order.compare).at(-1)).toBe(newest);
  }
});
