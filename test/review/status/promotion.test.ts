import { nextPromotion } from '../../../lib/review/status/promotion';

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
  ['a ring with a folder by its program', 'canary', [], { ring: 'early', command: 'npx tsx main.ts --promote early' }],
  [
    'a ring with a branch by the commit that runs on the ring before it',
    'early',
    [cluster('a', COMMIT), cluster('b', COMMIT)],
    { ring: 'late', command: `git push origin ${COMMIT}:refs/heads/ring/late` },
  ],
])('promotes %s', (_what, name, clusters, expected) => {
  expect(nextPromotion(intent, name, clusters)).toEqual(expected);
});

test.each([
  ['if the clusters are at different commits', 'early', [cluster('a', COMMIT), cluster('b', 'b'.repeat(40))]],
  ['if the commit of a cluster is unknown', 'early', [cluster('a', COMMIT), cluster('b')]],
  ['if nothing holds the next ring back', 'late', [cluster('a', COMMIT)]],
  ['after the last ring', 'last', [cluster('a', COMMIT)]],
  ['for an unknown ring', 'none', [cluster('a', COMMIT)]],
])('promotes nothing %s', (_when, name, clusters) => {
  expect(nextPromotion(intent, name, clusters)).toEqual({ refused: expect.any(String) });
});
