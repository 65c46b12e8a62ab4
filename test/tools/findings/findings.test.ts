import { findingsIn } from '../../../tools/findings/findings';
import { parseSources } from '../../../tools/findings/sources';

const find = (...texts: readonly string[]) =>
  findingsIn(parseSources(Object.fromEntries(texts.map((text, index) => [`lib/${'abc'[index]}.ts`, text]))));
const read = (...texts: readonly string[]) =>
  find(...texts).findings.map(({ code, what, why, fix }) => [code, what, why, fix].join(' | '));

test('texts are read with … for their computed parts', () => {
  expect(
    read(`
      const LIMIT = 63;
      const RULE = 'Kubernetes refuses it: ' + \`at most \${LIMIT}\`;
      function check(field: string, names: readonly string[]): Problem {
        return { code: 'too-long', what: \`\${field} is \${names.join(', ')} …\`, why: RULE, fix: \`shorten \${field}\` };
      }`),
  ).toEqual(['too-long | … is … | Kubernetes refuses it: at most 63 | shorten …']);
});

test('both branches of a condition are read, each in all parts', () => {
  expect(
    read(`
      const check = (count: number) => ({
        code: 'not-one',
        what: count === 0 ? 'has none' : 'has several',
        why: 'It is one',
        fix: count === 0 ? 'add one' : 'keep one',
      });`),
  ).toEqual(['not-one | has none | It is one | add one', 'not-one | has several | It is one | keep one']);
});

test('codes and phrases come from all callers, names of fields do not', () => {
  expect(
    read(
      `export function refuse(code: string, field: string, why = 'Nobody can'): Problem {
         return { code, what: \`\${field} is wrong\`, why, fix: \`change \${field}\` };
       }
       refuse('bad-a', 'a', 'Go cannot read it');`,
      `import { refuse as no } from './a';
       function through(reason: string) { no('bad-b', 'b', \`Rust: \${reason}\`); }
       through('it is gone');
       no('bad-c', 'c');`,
    ),
  ).toEqual([
    'bad-a | … is wrong | Go cannot read it | change …',
    'bad-b | … is wrong | Rust: it is gone | change …',
    'bad-c | … is wrong | Nobody can | change …',
  ]);
});

test('members of objects are read that are handed over, or taken over from a constant', () => {
  expect(
    read(`
      const KEY_RULE = { why: 'A key is short', fix: 'shorten it' };
      const FAULT = { is: 'a hole in a list' };
      function refuse({ is }: Fault): void { add({ code: 'no-data', what: \`it is \${is}\`, ...KEY_RULE }); }
      refuse(FAULT);`),
  ).toEqual(['no-data | it is a hole in a list | A key is short | shorten it']);
});

test('each row of a table is read that is mapped to findings', () => {
  expect(
    read(`
      const WITHOUT_IT = 'Nothing runs';
      const NEEDED: readonly Row[] = [['replicas', 0, WITHOUT_IT], ['webhook', false, 'Nobody checks']];
      NEEDED.filter(isOff).map(([path, off, why]) => ({ code: 'is-off', what: \`values.\${path} is \${off}\`, why, fix: 'remove it' }));
      const OF_VIZ = [{ path: 'tap', why: 'Nobody looks' }];
      const check = (needs = OF_VIZ) => needs.flatMap(({ path, why }) => [{ code: 'is-away', what: path, why, fix: 'add it' }]);`),
  ).toEqual([
    'is-off | values.replicas is 0 | Nothing runs | remove it',
    'is-off | values.webhook is false | Nobody checks | remove it',
    'is-away | tap | Nobody looks | add it',
  ]);
});

test('what is made of another finding gives it the reason that it lacks, and is none itself', () => {
  expect(
    read(`
      const find = () => [{ code: 'unknown-key', what: 'a', fix: 'b' }, { code: 'wrong-type', what: 'c', fix: 'd' }];
      find().map(({ code, what, fix }) => ({
        code,
        what: \`values.\${what}\`,
        why: code === 'unknown-key' ? 'Nobody reads it' : 'It is not understood',
        fix,
      }));`),
  ).toEqual(['unknown-key | a | Nobody reads it | b', 'wrong-type | c | It is not understood | d']);
});

test.each([
  ['is not there', "const a = { what: 'b', why: 'c', fix: 'd' };"],
  ['is computed', "const a = { code: next(), what: 'b', why: 'c', fix: 'd' };"],
  [
    'is computed by a caller',
    "function a(code: string) { return { code, what: 'b', why: 'c', fix: 'd' }; }\na('e'); a(next());",
  ],
  ['has no caller', "function a(code: string) { return { code, what: 'b', why: 'c', fix: 'd' }; }"],
])('a finding is told of whose code %s', (_how, text) => {
  expect(find(`\n${text}`).withoutCode).toEqual(['lib/a.ts:2']);
});

test.each([
  [
    'by the type that a function returns',
    "function a(): readonly Warning[] { return [{ code: 'e', what: 'b', fix: 'd' }]; }",
  ],
  ['by the type of a constant', "const a: Warning = { code: 'e', what: 'b', fix: 'd' };"],
  ['by what it is for', "addWarning(scope, { code: 'e', what: 'b', fix: 'd' });"],
])('a warning is known %s', (_how, text) => {
  expect(find(text).findings.map(({ isWarning }) => isWarning)).toEqual([true]);
});

test('an error is no warning', () => {
  const text = "function a(): Problem { return { code: 'e', what: 'b', fix: 'd' }; }";
  expect(find(text).findings.map(({ isWarning }) => isWarning)).toEqual([false]);
});
