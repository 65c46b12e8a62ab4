import { parseValues } from '#base/values-document';
import { askOracle } from '../../support/oracle';

// Plain scalars on which YAML 1.1, YAML 1.2 and Go differ.
const SCALARS = (
  'y yes on off n N ~ null Null 0777 0o17 0O17 -0o7 0b11 0x1F 0X1f 1_000 1e3 1.5e+3 1. .5 . -. +. ._ 12:30 1:30.5 2001-01-01 ' +
  '2001-12-14t21:59:43.10-05:00 +5 -0 0 08 089 -0x10 0_7 +.5 = TRUE tRUE 1.2.3 00 "a" 0b2 0xg _1 +1e3'
).split(' ');

test.each(SCALARS)('the reader of values reads %s as Helm does', (scalar) => {
  const text = `a: ${scalar}\n`;
  expect(JSON.stringify(parseValues(text))).toBe(JSON.stringify(askOracle('yaml', [text])[0]?.value));
});

test('the reader of values reads anchors, merge keys and block text as Helm does', () => {
  const text = 'a: &a {x: 1, y: [on]}\nb: {<<: *a, z: 2}\nc: *a\nd: |\n  k: v\n\n  z\ne: !!str 5\n1: f\n';
  expect(parseValues(text)).toEqual(askOracle('yaml', [text])[0]?.value);
});

test.each(['', '---\n', '# nothing\n', 'null'])('the reader of values finds no values in an empty file: %j', (text) => {
  expect(parseValues(text)).toEqual({});
});

test('the reader of values reads JSON as YAML', () => {
  expect(parseValues('{"a": {"b": null}}')).toEqual({ a: { b: null } });
});

test.each([
  ['a: 1\nb: [', 'BAD_INDENT in line 2'],
  ['a: 1\na: 2\n', 'DUPLICATE_KEY in line 2'],
  ['a: 1\n---\nb: 2\n', 'there is more than one document'],
  ['- 1', 'it holds a list'],
  ['a: .inf', 'a is Infinity'],
])('the reader of values refuses %j', (text, why) => {
  expect(() => parseValues(text)).toThrow(new SyntaxError(why));
  expect(() => parseValues(text)).toThrow(SyntaxError);
});

test.each([
  'key: secret: secret',
  'secret',
  'secret: 1\nsecret: 2',
  'a: *secret',
  'a: {<<: secret}',
  'a: !secret [',
  '"secret',
  '%secret\n---\na: [',
])('the error for %j quotes none of its text', (text) => {
  expect(whyRefused(text)).toMatchObject({ name: 'SyntaxError', message: expect.not.stringContaining('secret') });
});

function whyRefused(text: string): unknown {
  try {
    return parseValues(text);
  } catch (error) {
    return error;
  }
}

test.each(['%password x\n---\na: b', 'a: !password x', '? { password: x }\n: y'])(
  'no warning of the process quotes values: %j',
  (text) => {
    const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue();
    try {
      parseValues(text);
    } catch {
      // Other tests check whether the reader accepts these texts.
    }
    expect(warnings.mock.calls).toEqual([]);
    warnings.mockRestore();
  },
);
