import { parseCommandLine } from '../../lib/platform/command-line';

test.each([
  [[], { check: undefined, only: undefined }],
  [['--check'], { check: true, only: undefined }],
  [['--only', 'home'], { check: undefined, only: 'home' }],
  [['--only=home', '--check'], { check: true, only: 'home' }],
])('%j', (args, options) => {
  expect(parseCommandLine(args)).toEqual({ type: 'synth', options });
});

test('--help', () => {
  expect(parseCommandLine(['--check', '--help'])).toEqual({ type: 'help' });
});

test.each([[['--chekc']], [['home']], [['--only']], [['--check=yes']]])('%j is misuse', (args) => {
  expect(parseCommandLine(args)).toEqual({ type: 'misuse', message: expect.stringMatching(/\w/) });
});
