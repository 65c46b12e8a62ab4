import { knownRelease } from '../../../lib/linkerd/releases/cert-manager';

const RELEASES = { v2: { number: 2 }, v1: { number: 1 } };

test('a release that is known', () => expect(knownRelease('it', RELEASES, 'v1')).toEqual({ number: 1 }));

test.each(['v3', '', 'toString', '__proto__'])('%j is none of those that are known', (version) =>
  expect(() => knownRelease('it', RELEASES, version)).toThrow(
    new RegExp(`^The version of it is "${version}"\\..* Fix: use 'v2' or 'v1'\\.$`),
  ),
);
