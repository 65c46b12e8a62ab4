import { archiveIn } from '../../bin/chart-download';

const BASE = new URL('https://charts.example.com/repo/');
const archive = (urls: string, digest = '') =>
  archiveIn(
    `entries: { a: [{ version: 1.0.0, urls: ['${urls}']${digest === '' ? '' : `, digest: ${digest}`} }] }`,
    { name: 'a', version: '1.0.0' },
    BASE,
  );

test('an encrypted index may name an archive that is not encrypted only with its digest', () => {
  expect(() => archive('http://cdn.example.com/a.tgz?x=1')).toThrow(
    'the index names http://cdn.example.com/a.tgz, which is not encrypted, without a digest',
  );
  expect(archive('http://cdn.example.com/a.tgz', 'sha256:ab').digest).toBe('ab');
  expect(archive('a.tgz').url.href).toBe('https://charts.example.com/repo/a.tgz');
});
