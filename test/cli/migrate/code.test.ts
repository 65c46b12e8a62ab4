import { Call, type Code, calledIn, Name, printCode } from '#lib/cli/migrate/code';

test.each<[Code, string]>([
  [{}, '{}'],
  [[], '[]'],
  [{ a: 1, 'b.c': [true, null], d: undefined }, "{ a: 1, 'b.c': [true, null] }"],
  ["it's", '"it\'s"'],
  ['it\'s "x"\n\\', "'it\\'s \"x\"\\n\\\\'"],
  ['-----BEGIN\nYWJj=\n-----END\n', '`-----BEGIN\nYWJj=\n-----END\n`'],
  ['a\nb\n${c}', "'a\\nb\\n${c}'"],
  ['a\nb`\nc', "'a\\nb`\\nc'"],
  ['a\nb\nc\\n', "'a\\nb\\nc\\\\n'"],
  ['a\r\nb\r\nc', "'a\\r\\nb\\r\\nc'"],
  [{ pki: new Name('pki'), trust: new Name('other') }, '{ pki, trust: other }'],
  [
    new Call('new Viz', new Name('scope'), 'viz', { a: new Call('Duration.hours', 1) }),
    "new Viz(scope, 'viz', { a: Duration.hours(1) })",
  ],
])('printCode writes %j as %s', (code, text) => expect(printCode(code)).toBe(text));

test('printCode writes one member per line if the line is too long', () => {
  const long = 'x'.repeat(60);
  expect(printCode({ a: { b: long, c: long }, d: 1 }, '  ')).toBe(
    ['{', '    a: {', `      b: '${long}',`, `      c: '${long}',`, '    },', '    d: 1,', '  }'].join('\n'),
  );
});

test('printCode writes code that evaluates to the same data', () => {
  const data = {
    __proto__: null,
    text: 'a\u2028b\'"`${x}\\n\n\u0000',
    lines: 'a $b $\nc{"\n\n\'d\n',
    'key "1"': [{ 'a-b': -1.5 }, [], {}],
    default: 1,
  };
  const nasty = JSON.parse(JSON.stringify(data).replace('{', '{"__proto__":{"x":1},'));
  // biome-ignore lint/security/noGlobalEval: the test generates the text, and only an interpreter can check it
  expect(JSON.stringify(eval(`(${printCode(nasty)})`))).toBe(JSON.stringify(nasty));
});

test('calledIn finds calls at any depth', () => {
  const code = { a: [new Call('new Viz', { b: new Call('Duration.hours', 1) })], c: new Name('scope') };
  expect(calledIn(code)).toEqual(['Viz', 'Duration']);
});
