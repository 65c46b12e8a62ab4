import fc from 'fast-check';
import { suggest } from '#base/suggest';

test.each([
  ['resorces', ['resources', 'replicas'], ['resources']],
  ['PROXY-INIT', ['proxyInit'], ['proxyInit']],
  ['replicas', ['replicaCount'], ['replicaCount']],
  ['labels', ['label', 'lapels'], ['label', 'lapels']],
  ['uid', ['gid', 'uids'], ['gid', 'uids']],
  ['namespace', ['controlPlaneTracingNamespace'], []],
  ['enabled', ['enablePSP', 'enableHA'], []],
  ['enable', ['enabled', 'enablePSP'], ['enabled']],
  ['replica', ['replicas', 'replicaCount'], ['replicas', 'replicaCount']],
  ['interval', ['timeInterval', 'scrapeIntervalOfProxies'], ['timeInterval']],
  ['abc', ['xyz', 'abcdefgh'], []],
  ['', ['a'], []],
  ['resources', ['aResources', 'bResources'], ['aResources', 'bResources']],
  [
    'resources',
    ['aResources', 'bResources', 'controllerResources', 'identityResources', 'tapResources'],
    ['aResources', 'bResources'],
  ],
  ['resources', ['controllerResources', 'identityResources', 'tapResources'], []],
])('the suggestions for %j among %j are %j', (word, candidates, expected) => {
  expect(suggest(word, candidates)).toEqual(expected);
});

test('suggestions begin with the word itself if it is a candidate', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{3,12}$/), fc.array(fc.stringMatching(/^[a-z]{1,12}$/)), (word, others) => {
      expect(suggest(word, [...others, word])[0]).toBe(word);
    }),
  );
});

test('suggestions list each candidate once, independent of the order of candidates', () => {
  fc.assert(
    fc.property(fc.string(), fc.uniqueArray(fc.string()), (word, candidates) => {
      const suggested = suggest(word, candidates);
      expect(suggest(word, candidates.toReversed())).toEqual(suggested);
      expect(suggested.every((text) => candidates.includes(text))).toBe(true);
    }),
  );
});
