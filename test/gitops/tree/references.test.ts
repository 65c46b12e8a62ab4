import * as library from '../../../lib';
import { REFERENCE_WORDS, referencesIn } from '../../../lib/kubernetes/references';

test('each word for an object that exists is a function, and a word of files', () => {
  const { wide, namespaced } = REFERENCE_WORDS;
  const exported = library as unknown as Readonly<Record<string, (name: string) => library.Reference>>;
  for (const [word, kind] of Object.entries(wide)) {
    expect(exported[word]?.('a.example.com')).toEqual({ kind, name: 'a.example.com' });
    expect(referencesIn([{ [word]: 'a' }])).toEqual([{ kind, name: 'a' }]);
  }
  for (const [word, kind] of Object.entries(namespaced)) {
    expect(exported[word]?.('shop/a')).toEqual({ kind, namespace: 'shop', name: 'a' });
    expect(referencesIn([{ [word]: 'shop/a' }])).toEqual([{ kind, namespace: 'shop', name: 'a' }]);
  }
});

test.each(['token', '', '/token', 'shop/', 'a/b/c', undefined, null, 5])('%j is no Secret', (text) => {
  expect(() => library.secret(text as never)).toThrow(/Fix: write the namespace, a slash and the name: 'shop\/token'/);
});

test.each(['', undefined, null])('%j is no CRD', (text) => {
  expect(() => library.crd(text as never)).toThrow(/^A CustomResourceDefinition is named/);
});
