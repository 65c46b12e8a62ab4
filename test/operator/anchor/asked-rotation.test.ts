import { askedRotation } from '#operator/src/anchor/observe/observe';

test.each([
  ['nothing is requested without rotateNow', [undefined, undefined], undefined, undefined],
  ['a served request stays after its removal', [undefined], 'one', 'one'],
  ['rotateNow in the spec requests a rotation', ['one', undefined], undefined, 'one'],
  ['a served value requests no other rotation', ['one', undefined], 'one', 'one'],
  ['an annotation requests another rotation', ['one', 'two'], 'one', 'one and two'],
  ['the removal of one of two values requests nothing', ['one', undefined], 'one and two', 'one and two'],
  ['a new value requests a rotation', ['three', undefined], 'one and two', 'three'],
  ['a value that contains the separator is escaped', ['one and two', undefined], 'one and two', 'one%20and%20two'],
])('%s', (_, texts, served, asked) => expect(askedRotation(texts, served)).toBe(asked));
