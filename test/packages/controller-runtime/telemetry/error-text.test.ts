import { errorText } from '#controller-runtime/telemetry/error-text';

test.each([
  ['an error', new Error('it broke'), 'it broke'],
  ['causes', new Error('it broke', { cause: new Error('it hit', { cause: 'gravity' }) }), 'it broke: it hit: gravity'],
  ['an error without a message', new Error(), 'Error'],
  ['errors of several addresses', new AggregateError([new Error('::1'), new Error('127.0.0.1')]), '::1, 127.0.0.1'],
  ['an object that is not an error', { toString: (): string => 'thing' }, 'thing'],
  ['undefined', undefined, 'undefined'],
])('the text of an error describes %s', (_what, error, text) => expect(errorText(error)).toBe(text));

test.each([TypeError, RangeError, ReferenceError])('the text of a programming error has its location: %p', (Mistake) =>
  expect(errorText(new Mistake('oops'))).toMatch(/oops\n +at .*error-text\.test/),
);
