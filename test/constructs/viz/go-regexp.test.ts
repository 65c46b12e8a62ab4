import { goRegexpFault } from '../../../lib/constructs/viz/go-regexp';

describe('what Go compiles', () => {
  test.each([
    '',
    '.*',
    '^(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?$',
    '(?i)linkerd\\.example\\.com',
    '(?P<sub>[a-z]+)\\.example\\.com',
    '(?s-i:a)(?)',
    'a{2,}b{0}c{1,3}?',
    'a{,2}a{02}{x}',
    '^*',
    '\\A\\Qa.b*\\E\\z',
    '\\Q',
    '\\Qa(\\E+',
    '\\Q(*',
    'a\\Q\\E*',
    '[\\d-\\w]',
    '[[:alpha:]^-]',
    '[]a]',
    '[\\d-z]',
    '[[:]',
    '\\pL\\p{Greek}\\P{^Lu}\\p{Any}',
    '\\x41\\x{1F600}\\012\\a',
    '\\.\\-\\_\\/',
    '😀+',
    '(a{10}){100}',
  ])('%s', (expression) => {
    expect(goRegexpFault(expression)).toBeUndefined();
  });
});

describe('what Go refuses, in its words', () => {
  test.each([
    ['(?=a)', 'invalid or unsupported Perl syntax'],
    ['(?<!a)b', 'invalid or unsupported Perl syntax'],
    // Compiles in Go 1.22 and later only, which Linkerd 2.14 was not built with.
    ['(?<name>a)', 'invalid or unsupported Perl syntax'],
    ['(?i-)a', 'invalid or unsupported Perl syntax'],
    ['(a)\\1', 'invalid escape sequence: \\1'],
    ['\\Z', 'invalid escape sequence: \\Z'],
    ['\\x{110000}', 'invalid escape sequence'],
    ['[\\b]', 'invalid escape sequence: \\b'],
    ['*.example.com', 'missing argument to repetition operator: *'],
    ['a|*', 'missing argument to repetition operator: *'],
    ['(+)', 'missing argument to repetition operator: +'],
    ['\\Q\\E*', 'missing argument to repetition operator: *'],
    ['\\Qa\\E)', 'unexpected )'],
    ['a**', 'invalid nested repetition operator: **'],
    ['a{2}{3}', 'invalid nested repetition operator: {2}{3}'],
    ['a{1001}', 'invalid repeat count: {1001}'],
    ['a{3,2}', 'invalid repeat count: {3,2}'],
    ['(a{11}){100}', 'invalid repeat count: {100}'],
    ['(a', 'missing closing )'],
    ['a)', 'unexpected )'],
    ['[a', 'missing closing ]'],
    ['[a-', 'missing closing ]'],
    ['[z-a]', 'invalid character class range: z-a'],
    ['[a-\\d]', 'invalid character class range'],
    ['[[:letter:]]', 'invalid character class range: [:letter:]'],
    ['\\p{Klingon}', 'invalid character class range: \\p{Klingon}'],
    ['\\p', 'invalid character class range'],
    ['a\\', 'trailing backslash at end of expression'],
  ])('%s', (expression, fault) => {
    expect(goRegexpFault(expression)).toContain(fault);
  });
});
