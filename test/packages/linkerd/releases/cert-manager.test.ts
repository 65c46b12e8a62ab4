import { describeProblem } from '#base/findings/problem';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import { knownRelease } from '#linkerd/releases/cert-manager';

const RELEASES = { v2: { number: 2 }, v1: { number: 1 } };

test('knownRelease returns the facts of a known release', () =>
  expect(knownRelease('it', RELEASES, 'v1')).toEqual({ number: 1 }));

test.each(['v3', '', 'toString', '__proto__'])('knownRelease refuses the version %j', (version) => {
  const problem = LINKERD_FINDINGS.versionUnknown({ product: 'it', version: `"${version}"`, known: "'v2' or 'v1'" });
  expect(() => knownRelease('it', RELEASES, version)).toThrow(describeProblem(problem));
});
