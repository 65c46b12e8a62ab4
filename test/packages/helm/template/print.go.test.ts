import { askTemplates, type HelmAnswer } from '#test/support/helm-oracle';
import { expectSameAsHelm, PATH, render } from './compare-with-helm';

const FLOATS = [
  0,
  1,
  -1,
  0.1,
  1.5,
  100000,
  1e6,
  123456789,
  1e20,
  1e21,
  1e-4,
  1e-5,
  0.30000000000000004,
  5e-324,
  1.7976931348623157e308,
  2.5,
  0.5,
  1234.5678,
  1e100,
  2 ** 53,
  4.35,
  0.000123456,
];

const VALUES = {
  text: 'héllo\t"😀"`\n',
  plain: 'abc',
  empty: '',
  yes: true,
  nothing: null,
  list: ['a', 1, null, true],
  map: { b: 2, a: ['x'], '\uffee': 1, '😀': 2, n: null, m: { k: 'v' } },
  floats: FLOATS,
};

const VERBS = [...'vdboOxXcqUeEfFgGstTw!zé'];

/** The operands, as written in a template. */
const OPERANDS = [
  '1',
  '-42',
  '97',
  '0',
  '1.5',
  '"abc"',
  '.Values.text',
  '.Values.empty',
  'true',
  'nil',
  '.Values.missing',
  '.Values.list',
  '.Values.map',
  '(index "a" 0)',
  '128512',
  '-1',
  '0xd800',
  '1114112',
];

/** Expects the same output of calls as in Helm. One template for all is much faster than one for each. */
function expectSameCalls(calls: readonly string[]): void {
  const template = calls.map((call) => `{{ ${call} }}`).join('\n--\n');
  const helm = linesOf(askTemplates([template], VALUES)[0]);
  const ours = linesOf(render(template, VALUES));
  const differences = calls
    .map((call, index) => ({ call, helm: helm[index], ours: ours[index] }))
    .filter((line) => line.helm !== line.ours);
  expect(differences.slice(0, 20)).toEqual([]);
  expect(ours).toHaveLength(calls.length);
}

function linesOf(answer: HelmAnswer | undefined): readonly string[] {
  return (answer?.texts?.[PATH] ?? answer?.error ?? '').split('\n--\n');
}

const FLAGS = ['', '+', '-', '#', ' ', '0', '+#', '# ', '-0', '+0', ' 0', '#0'];
const SIZES = ['', '8', '.3', '10.2', '.0', '3', '.', '08'];

describe('printf prints the same as in Helm:', () => {
  test.each(OPERANDS)('%s with every verb, flag and size', (operand) => {
    const formats = VERBS.flatMap((verb) => FLAGS.flatMap((flag) => SIZES.map((size) => `[%${flag}${size}${verb}]`)));
    expectSameCalls(formats.map((format) => `printf ${JSON.stringify(format)} ${operand}`));
  });

  test.each([...'eEfFgGvxXb'])('floats with %%%s', (verb) => {
    const formats = FLAGS.flatMap((flag) =>
      ['', '.0', '.1', '.3', '.20', '12', '30.5', '.'].map((size) => `[%${flag}${size}${verb}]`),
    );
    expectSameCalls(
      FLOATS.flatMap((_, index) =>
        formats.map((format) => `printf ${JSON.stringify(format)} (index .Values.floats ${index})`),
      ),
    );
  });

  test('widths, precisions and indexes', () => {
    expectSameAsHelm(
      [
        '{{ printf "%*d" 5 42 }}{{ printf "%-*d|" 5 42 }}{{ printf "%*d|" -5 42 }}{{ printf "%0*d|" -5 42 }}',
        '{{ printf "%.*f" 2 3.14159 }}{{ printf "%.*f" -2 3.14159 }}{{ printf "%*.*f" 8 2 3.14159 }}',
        '{{ printf "%*d" "a" 42 }}{{ printf "%.*d" "a" 42 }}{{ printf "%*d" 10000000 42 }}{{ printf "%*d" }}{{ printf "%.*d" }}',
        '{{ printf "%[2]d %[1]d" 1 2 }}{{ printf "%[3]d" 1 2 }}{{ printf "%[0]d" 1 }}{{ printf "%[x]d" 1 }}{{ printf "%[1" 1 }}',
        '{{ printf "%[1]d %d %[1]d" 1 2 }}{{ printf "%[2]*[1]d" 1 5 }}{{ printf "%[1]5d" 1 }}{{ printf "%[1].2d" 1 }}',
        '{{ printf "%[]d" 1 }}{{ printf "%[" 1 }}{{ printf "%[]" 1 }}{{ printf "%[-1]d" 1 }}{{ printf "%[2]*.[1]*f" 2 8 1.5 }}',
        '{{ printf "%[1]v%[1]v%[1]v" "a" "b" }}{{ printf "%.[2]*[1]f" 1.5 3 }}{{ printf "%6.[1]d" 1 }}{{ printf "%[99999999]d" 1 }}',
        '{{ printf "%d" }}{{ printf "%d %d" 1 }}{{ printf "a" 1 "b" nil 1.5 }}{{ printf "%" }}{{ printf "%5" }}{{ printf "%." }}',
        '{{ printf "%%" }}{{ printf "%5%" }}{{ printf "%-%|" }}{{ printf "%% %d" 1 2 }}{{ printf "%!" }}{{ printf "%!" 1 }}{{ printf "%.%" 1 }}',
        '{{ printf "%99999999999d" 1 }}{{ printf "%.99999999999d" 1 }}{{ printf "%2000000d" 1 | len }}{{ printf "%1000000d" 1 | len }}',
        '{{ printf "%.1000f" 0.1 }}{{ printf "%.400f" 1e300 }}{{ printf "%.1100e" 5e-324 }}',
        '{{ printf "%s %s" "a" 1 }}{{ printf "%d" "a" }}{{ printf "%s" nil }}{{ printf "%d" nil }}{{ printf "%s" .Values.list }}{{ printf "%d" .Values.list }}',
        '{{ printf "%5t|%-7t|%q" true false true }}{{ printf "%v %+v %#v %T" .Values.map .Values.map .Values.map .Values.map }}',
        '{{ printf "%é" 1 }}{{ printf "%\\xff" 1 }}{{ printf "\\xff%s" "\\xfe" | printf "%q" }}{{ printf "%c%c" 0xd800 -1 | printf "%q" }}',
        '{{ printf "%6.2q|%-8.3s|%08s|%x|% x|%#x|%# X" "héllo" "héllo" "abc" "hé" "hé" "hé" "hé" }}',
        '{{ printf "%s" (printf "%[2]v %[1]v" "a" .Values.nothing) }}{{ printf "%v" .Values.nothing }}{{ printf "%T" .Values.nothing }}',
        '{{ printf "%t" 1 }}{{ printf "%U %#U %08U %.6U" 233 233 233 233 }}{{ printf "%q %+q %#q" 233 233 10 }}{{ printf "%o %#o %O" 8 8 8 }}',
      ],
      VALUES,
    );
  });
});
