import { compare, Match } from '#lib/gitops/testing/match';

const WEB = {
  metadata: { name: 'web', labels: { app: 'web', team: 'shop' } },
  spec: { replicas: 2, containers: [{ name: 'web', image: 'web:1' }, { name: 'proxy' }] },
};

const messages = (pattern: unknown, actual: unknown = WEB) =>
  compare(pattern, actual).map(({ path, message }) => `${path} ${message}`);

test.each<[string, unknown]>([
  ['a map with some of the keys', { metadata: { labels: { app: 'web' } } }],
  ['a list with some keys of each item', { spec: { containers: [{ name: 'web' }, { name: 'proxy' }] } }],
  ['any value', { spec: { replicas: Match.anyValue() } }],
  ['an absent key', { spec: { strategy: Match.absent() } }],
  ['a key below an absent key', { status: { ready: Match.absent() } }],
  ['items of a list in any order', { spec: { containers: Match.arrayWith([{ name: 'proxy' }, { name: 'web' }]) } }],
  ['an equal map by Match.exact', { metadata: Match.exact(WEB.metadata) }],
  [
    'a map by Match.exact with another matcher in it',
    { metadata: Match.exact({ name: 'web', labels: Match.objectLike({ app: 'web' }) }) },
  ],
  ['another value by Match.not', { spec: { replicas: Match.not(3) } }],
  ['a string by a regular expression', { metadata: { name: Match.stringLikeRegexp('^w') } }],
])('a matcher accepts %s', (_, pattern) => expect(messages(pattern)).toEqual([]));

test.each<[string, unknown, readonly string[]]>([
  ['another value', { spec: { replicas: 3 } }, ['/spec/replicas is 2, not 3']],
  ['another type', { spec: { replicas: '2' } }, ['/spec/replicas is 2, not "2"']],
  [
    'each member of an absent map',
    { spec: { strategy: { type: 'Recreate', other: {} } } },
    ['/spec/strategy/type is absent, not "Recreate"', '/spec/strategy/other is absent, not {}'],
  ],
  ['a map in place of a string', { metadata: { name: { a: 1 } } }, ['/metadata/name is "web", not {"a":1}']],
  ['a list of another length', { spec: { containers: [{ name: 'web' }] } }, ['/spec/containers has 2 items, not 1']],
  [
    'a list with another item',
    { spec: { containers: [{ name: 'web' }, { name: 'x' }] } },
    ['/spec/containers/1/name is "proxy", not "x"'],
  ],
  ['a list in place of a map', { spec: [] }, [expect.stringMatching(/^\/spec is .*, not \[\]$/)]],
  ['an absent value by Match.anyValue', { status: Match.anyValue() }, ['/status is absent, not any value']],
  ['a value by Match.absent', { spec: { replicas: Match.absent() } }, ['/spec/replicas is 2, not absent']],
  [
    'a list without an item',
    { spec: { containers: Match.arrayWith([{ name: 'web' }, { name: 'x' }]) } },
    ['/spec/containers has no item like {"name":"x"}'],
  ],
  ['a number by Match.arrayWith', { spec: { replicas: Match.arrayWith([1]) } }, ['/spec/replicas is 2, not a list']],
  ['a new key', { metadata: { labels: Match.exact({ app: 'web' }) } }, ['/metadata/labels/team is "shop", not absent']],
  ['the same value by Match.not', { spec: { replicas: Match.not(2) } }, ['/spec/replicas is 2, which matches']],
  [
    'another string',
    { metadata: { name: Match.stringLikeRegexp(/^x/) } },
    ['/metadata/name is "web", not a text like /^x/'],
  ],
  ['a number', { spec: { replicas: Match.stringLikeRegexp(/2/) } }, ['/spec/replicas is 2, not a text like /2/']],
])('a matcher refuses %s', (_, pattern, expected) => expect(messages(pattern)).toEqual(expected));

test.each([
  ['linkerd: { proxy: { cores: 1 } }', []],
  ['{ "linkerd": { "proxy": { "cores": 2 } } }', ['/linkerd/proxy/cores is 2, not 1']],
  ['linkerd: [', ['is "linkerd: [", not YAML']],
])('Match.serializedYaml compares the data of a string: %s', (text, expected) => {
  const pattern = Match.serializedYaml({ linkerd: { proxy: { cores: 1 } } });
  expect(messages(pattern, text).map((message) => message.trim())).toEqual(expected);
});

test('messages of a matcher cut long values, and print a placeholder for matchers', () => {
  expect(messages('x', 'y'.repeat(500))[0]?.length).toBeLessThan(150);
  expect(messages({ list: [{ a: Match.anyValue() }] }, { list: 1 })).toEqual(['/list is 1, not [{"a":"<matcher>"}]']);
});
