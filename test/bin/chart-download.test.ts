import { archiveIn } from '#bin/chart-download';
import { entryIn } from '#bin/chart-index';

const BASE = new URL('https://charts.example.com/repo/');
const archive = (urls: string, digest = '') =>
  archiveIn(
    `entries: { a: [{ version: 1.0.0, urls: ['${urls}']${digest === '' ? '' : `, digest: ${digest}`} }] }`,
    { name: 'a', version: '1.0.0' },
    BASE,
  );

test('charts pull downloads an archive over HTTP from an index over HTTPS only with a digest', () => {
  expect(() => archive('http://cdn.example.com/a.tgz?x=1')).toThrow(
    'the index names http://cdn.example.com/a.tgz, which is not encrypted, without a digest',
  );
  expect(archive('http://cdn.example.com/a.tgz', 'sha256:ab').digest).toBe('ab');
  expect(archive('a.tgz').url.href).toBe('https://charts.example.com/repo/a.tgz');
});

describe('charts pull finds its chart in an index', () => {
  const urlsIn = (index: string, name = 'b') => entryIn(index, { name, version: '1.0.0' }).texts('urls');

  test.each([
    [
      'between other charts',
      'entries:\n  a:\n  - {version: 1.0.0, urls: [a]}\n  b:\n  - version: 1.0.0\n    urls:\n    - b\n  c: []\n',
    ],
    ['first', 'entries:\n  b:\n  - version: 1.0.0\n    urls: [b]\n  c: []\n'],
    [
      'last, before another key',
      'apiVersion: v1\nentries:\n  a: []\n  b:\n  - version: 1.0.0\n    urls: [b]\ngenerated: x\n',
    ],
    ['with Windows line ends', 'entries:\r\n  b:\r\n  - version: 1.0.0\r\n    urls: [b]\r\n  c: []\r\n'],
    ['with another indentation', 'entries:\n    b:\n      - version: 1.0.0\n        urls: [b]\n    c: []\n'],
    ['with comments and empty lines', 'entries:\n# x\n\n  b:\n  # y\n\n  - version: 1.0.0\n\n# z\n    urls: [b]\n'],
    ['with a quoted name', 'entries:\n  "b":\n  - version: 1.0.0\n    urls: [b]\n'],
    ['in brackets', 'entries: {a: [], b: [{version: 1.0.0, urls: [b]}]}'],
    ['in JSON', '{"entries": {"b": [{"version": "1.0.0", "urls": ["b"]}]}}'],
    [
      'next to a map of the same name',
      'other:\n  b: x\nentries:\n  a:\n  - version: 2.0.0\n    b: x\n  b:\n  - {version: 1.0.0, urls: [b]}\nmore:\n  b: x\n',
    ],
    [
      'after very long entries',
      `entries:\n  a:\n${'  - {version: 2.0.0}\n'.repeat(300_000)}  b:\n  - {version: 1.0.0, urls: [b]}\n`,
    ],
  ])('%s', (_where, index) => {
    expect(urlsIn(index)).toEqual(['b']);
    expect(() => urlsIn(index, 'd')).toThrow('it has no chart d');
  });

  test.each([
    ['too long', `entries:\n  b:\n${'  - {version: 2.0.0}\n'.repeat(300_000)}`, 'more than 4194304 characters'],
    ['too long in brackets', `entries: {b: [${'{version: 2.0.0},'.repeat(300_000)}]}`, 'more than 4194304 characters'],
    ['of too many brackets', `entries:\n  b: [${'{},'.repeat(60_000)}]\n`, 'more than 50000 lists and maps'],
  ])('and refuses an entry that is %s', (_what, index, reason) => expect(() => urlsIn(index)).toThrow(reason));

  test('and names at most five other versions, each once', () => {
    const index = `entries:\n  b:\n${[1, 1, 2, 3, 4, 5, 6].map((major) => `  - version: ${major}.1.0\n`).join('')}`;
    expect(() => urlsIn(index)).toThrow('it has b 1.1.0, 2.1.0, 3.1.0, 4.1.0, 5.1.0, …');
  });
});
