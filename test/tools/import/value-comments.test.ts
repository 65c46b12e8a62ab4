import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFolder } from '#tools/import/imports-folder';
import { valuePlaces } from '#tools/import/value-places';
import { VALUES_NOTES } from '#tools/import/values-notes';

const files = readFolder(join(__dirname, '..', '..', '..', 'imports'));
const places = valuePlaces(files);
const placesOf = (chart: string) => [...places].filter(([key]) => key.startsWith(`charts/${chart}/`));

/** The text with each comment on one line. */
const flat = (text: string): string => text.replace(/\n\s+\* ?/g, ' ');

/** The newest release of each chart, or the newest version of a chart without releases. */
const NEWEST: Readonly<Record<string, string>> = {
  'cert-manager': 'v1.21.1',
  'linkerd-control-plane': 'edge-26.8.3',
  'linkerd-viz': 'edge-26.8.3',
  'linkerd2-cni': 'edge-26.8.3',
  'trust-manager': 'v0.24.0',
};

describe.each(Object.entries(VALUES_NOTES))('the notes on values of %s', (chart, notes) => {
  const found = placesOf(chart).flatMap(([, places]) => places);

  it.each(Object.entries(notes))('include %s, a value of some release, whose type shows the note', (path, note) => {
    const releases = found.filter((place) => place.path === path).map(({ release }) => release);
    const newest = releases.includes(NEWEST[chart] ?? '') ? NEWEST[chart] : releases.at(-1);
    expect(newest).toBeDefined();
    expect(flat(files.get(`charts/${chart}/${newest}.ts`) ?? '')).toContain(note);
  });

  it('are sentences', () => {
    for (const note of Object.values(notes)) expect(note).toMatch(/^[A-Z].{10,118}[.]$/);
  });
});

test('each top-level value of a chart has a comment, in each release', () => {
  const tops = [...places].filter(([key]) => /#Values#[^#.]+$/.test(key));
  const missing = tops.flatMap(([key]) => {
    const [module = '', type = '', path = ''] = key.split('#');
    const text = flat(commentAbove(files.get(`${module}.ts`) ?? '', type, path) ?? '');
    return /^\/\*\*\s+[A-Z].{10,118}[.](?: |$)/.test(text) ? [] : [key];
  });
  expect(tops.length).toBeGreaterThan(300);
  expect(missing).toEqual([]);
});

test('each value of a chart, or each of its members, shows its default', () => {
  const missing = [...places].flatMap(([key, found]) => {
    if (found.every(({ members }) => members === 'own')) return [];
    const [module = '', type = '', path = ''] = key.split('#');
    const comment = commentAbove(files.get(`${module}.ts`) ?? '', type, path);
    return comment?.includes('@default ') ? [] : [key];
  });
  expect(places.size).toBeGreaterThan(800);
  expect(missing).toEqual([]);
});

/** The comment of a type's member. */
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

test('NEWEST contains the newest release of each chart', () => {
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
