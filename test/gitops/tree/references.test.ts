import { REFERENCE_WORDS, Reference, referencesIn } from '#kubernetes/objects/references';

test('each kind of reference has a function and a key in fleet files', () => {
  const { wide, namespaced } = REFERENCE_WORDS;
  const byWord: Readonly<Record<string, (name: string) => Reference>> = Reference;
  expect(Object.keys(byWord).sort()).toEqual(Object.keys({ ...wide, ...namespaced }).sort());
  for (const [word, kind] of Object.entries(wide)) {
    expect(byWord[word]?.('a.example.com')).toEqual({ kind, name: 'a.example.com' });
    expect(referencesIn([{ [word]: 'a' }])).toEqual([{ kind, name: 'a' }]);
  }
  for (const [word, kind] of Object.entries(namespaced)) {
    expect(byWord[word]?.('shop/a')).toEqual({ kind, namespace: 'shop', name: 'a' });
    expect(referencesIn([{ [word]: 'shop/a' }])).toEqual([{ kind, namespace: 'shop', name: 'a' }]);
  }
});

test.each(['token', '', '/token', 'shop/', 'a/b/c', undefined, null, 5])('Reference.secret refuses %j', (text) => {
  expect(() => Reference.secret(text as never)).toThrow(RangeError);
});

test.each(['', undefined, null])('Reference.crd refuses %j', (text) => {
  expect(() => Reference.crd(text as never)).toThrow(RangeError);
});
