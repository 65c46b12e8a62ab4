import { commandsIn } from './shell';

const words = (script: string) => commandsIn(script).map((command) => command.words);

test.each<readonly [script: string, commands: readonly (readonly string[])[]]>([
  ['a b  c # d\n\ne', [['a', 'b', 'c'], ['e']]],
  ['a#b "c # d" \'e "f"\'', [['a#b', 'c # d', 'e "f"']]],
  ['a && b || c; d & e | f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
  ['a \\\n  b\\ c', [['a', 'b c']]],
  ['A=1 B="2 3" a >out 2>&1 <in b', [['a', 'b']]],
  ['a > "the file" b &>c', [['a', 'b']]],
  ['a 2>/dev/null', [['a']]],
  ["a <<'END' | b\n c d\nEND\ne", [['a'], ['b'], ['e']]],
  ['a <<< "b c"', [['a']]],
  ['a "$(b "c)" | d)"', [['b', 'c)'], ['d'], ['a', '$']]],
  ['a <(b) ${c:-d e} $f', [['b'], ['a', '$', '$', '$']]],
  ['for x in 1 2; do a "$x"; done', [['a', '$']]],
  ['if ! a; then b; else c; fi', [['a'], ['b'], ['c']]],
  ["a '{\"b\":[1]}' -o jsonpath='{.c\\.d}'", [['a', '{"b":[1]}', '-o', 'jsonpath={.c\\.d}']]],
  ['a "b\\"c\\d"', [['a', 'b"c\\d']]],
])('%j', (script, commands) => expect(words(script)).toEqual(commands));

test('a command that depends on what is only known at run time says so', () => {
  expect(commandsIn('a "$b"\nc').map(({ isDynamic }) => isDynamic)).toEqual([true, false]);
});
