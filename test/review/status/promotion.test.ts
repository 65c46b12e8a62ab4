import { restartOf } from '#lib/review/status/finding';
import { nextPromotion } from '#lib/review/status/promotion';

const COMMIT = 'a'.repeat(40);
const cluster = (name: string, commit?: string) => ({
  cluster: name,
  proxies: [],
  next: [],
  findings: [],
  ...(commit !== undefined && { commit }),
});
const intent = {
  rings: [
    { name: 'canary' },
    { name: 'early', path: 'promoted/early' },
    { name: 'late', revision: 'ring/late' },
    { name: 'last' },
  ],
  clusters: [],
  ignored: [],
};

test.each([
  [
    'a ring with a folder, by its program',
    'canary',
    [cluster('a', COMMIT)],
    { ring: 'early', command: 'npx tsx main.ts --promote early' },
  ],
  [
    'a ring with a branch, by the commit of the previous ring',
    'early',
    [cluster('a', COMMIT), cluster('b', COMMIT)],
    { ring: 'late', command: `git push origin ${COMMIT}:refs/heads/ring/late` },
  ],
])('status suggests the promotion of %s', (_what, name, clusters, expected) => {
  expect(nextPromotion(intent, name, clusters, COMMIT)).toEqual(expected);
});

test.each([
  ['if the clusters are at different commits', 'early', [cluster('a', COMMIT), cluster('b', 'b'.repeat(40))]],
  ['if the commit of a cluster is unknown', 'early', [cluster('a', COMMIT), cluster('b')]],
  ['if the next ring needs no promotion', 'late', [cluster('a', COMMIT)]],
  ['after the last ring', 'last', [cluster('a', COMMIT)]],
  ['for an unknown ring', 'none', [cluster('a', COMMIT)]],
])('status suggests no promotion %s', (_when, name, clusters) => {
  expect(nextPromotion(intent, name, clusters, COMMIT)).toEqual({ refused: expect.any(String) });
});

test("status suggests the promotion of a checkout's copy only if it checked the commit", () => {
  expect(nextPromotion(intent, 'canary', [cluster('a', COMMIT)])).toEqual({ refused: expect.any(String) });
});

test.each(['x; rm -rf ~', '-f', '$(id)', COMMIT, ''])(
  'status suggests no promotion to the revision %j, which is not a branch',
  (revision) => {
    const rings = [{ name: 'canary' }, { name: 'rest', revision }];
    expect(nextPromotion({ ...intent, rings }, 'canary', [cluster('a', COMMIT)])).toEqual({
      refused: expect.any(String),
    });
  },
);

test('status quotes names in commands', () => {
  const rings = [{ name: 'canary' }, { name: 'a b', path: 'p' }];
  expect(nextPromotion({ ...intent, rings }, 'canary', [cluster('a', COMMIT)], COMMIT)).toMatchObject({
    command: "npx tsx main.ts --promote 'a b'",
  });
  expect(restartOf('kubectl', ["shop/Deployment/x'; reboot"])).toMatchObject({
    command: "-n shop rollout restart 'deployment/x'\\''; reboot'",
  });
});
