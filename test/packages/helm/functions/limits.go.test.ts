import { render } from './render';

describe('at the limits of functions,', () => {
  test.each([
    'repeat 1000000000 "abc"',
    'until 100000000',
    'untilStep 0 9000000000 1',
    'seq 100000000',
    'indent 1000000000 "a\\nb"',
    'nindent 100000000 "a"',
    'repeat 10000000 "a" | replace "" "bbbbbb"',
    'regexReplaceAll "" (repeat 1000000 "a") (repeat 1000 "b")',
    'join (repeat 1000000 "-") (until 100)',
    'wrapWith 1 (repeat 1000 "-") (repeat 1000000 "a")',
    'add 1 (repeat 100000000 "1")',
  ])('the renderer refuses a result that would be too long: %s', (expression) => {
    expect(render(`{{ ${expression} }}`)).toHaveProperty('error');
  });

  test.each([
    'toYaml',
    'toYamlPretty',
    'toJson',
    'toPrettyJson',
    'toRawJson',
    'toToml',
    'deepCopy',
    'merge (dict)',
    'merge (dict "a" $d)',
  ])('%s stops at a dictionary that contains itself', (name) => {
    const rendered = render(`{{ $d := dict "b" 1 }}{{ $_ := set $d "a" $d }}{{ $x := ${name} $d }}ok`);

    // `merge (dict)` returns the dictionary itself.
    expect(rendered).toEqual(
      name === 'merge (dict)' ? { text: 'ok' } : { error: expect.stringContaining('contains itself') },
    );
  });

  test('deepEqual stops at dictionaries that contain themselves', () => {
    const made = '{{ $a := dict }}{{ $_ := set $a "x" $a }}{{ $b := dict }}{{ $_ := set $b "x" $b }}';

    expect(render(`${made}{{ deepEqual $a $b }}`)).toEqual({ error: expect.stringContaining('contains itself') });
  });

  test('the matcher takes linear time for an expression on which backtracking matchers take exponential time', () => {
    expect(render('{{ regexMatch "(a+)+$" (print (repeat 5000 "a") "b") }}')).toEqual({ text: 'false' });
    expect(render('{{ semverCompare (print (repeat 2000 "1  ") "!") "1" }}')).toHaveProperty('error');
  });

  test('keys of prototypes are ordinary keys', () => {
    const template =
      '{{ $d := fromJson .Values.text }}{{ hasKey $d "__proto__" }}{{ hasKey $d "toString" }}{{ get $d "constructor" }}';

    expect(render(template, { text: '{"__proto__": 1, "constructor": 2}' })).toEqual({ text: 'truefalse2' });
  });
});
