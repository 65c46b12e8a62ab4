import { askedRotation } from '#operator/src/anchor/observe/observe';

test.each([
  ['no rotation is requested', [undefined, undefined], undefined, undefined],
  ['the request was removed', [undefined], 'one', 'one'],
  ['the spec asks', ['one', undefined], undefined, 'one'],
  ['what was served asks no more', ['one', undefined], 'one', 'one'],
  ['an annotation asks as well', ['one', 'two'], 'one', 'one and two'],
  ['who takes one away asks for nothing', ['one', undefined], 'one and two', 'one and two'],
  ['another text asks', ['three', undefined], 'one and two', 'three'],
  ['no text is made of two others', ['one and two', undefined], 'one and two', 'one%20and%20two'],
])('%s', (_, texts, served, asked) => expect(askedRotation(texts, served)).toBe(asked));
