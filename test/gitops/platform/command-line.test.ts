import { parseCommandLine } from '#lib/gitops/platform/command-line';

test.each([
  [[], { check: undefined, only: undefined }],
  [['--check'], { check: true, only: undefined }],
  [['--strict'], { strict: true, only: undefined }],
  [['--strict', '--check'], { check: true, strict: true }],
  [['--places'], { places: true }],
  [['--only', 'home'], { check: undefined, only: 'home' }],
  [['--only=home', '--check'], { check: true, only: 'home' }],
  [['--only', 'eu-*', '--only', 'hub'], { only: ['eu-*', 'hub'] }],
  [['--shard', '2/8', '--only=eu-*'], { shard: { index: 2, count: 8 }, only: 'eu-*' }],
  [['--argocd'], { argocd: true }],
  [['--draft', '/tmp/draft', '--only=home'], { draft: '/tmp/draft', only: 'home' }],
])('the command line of a program accepts %j', (args, options) => {
  expect(parseCommandLine(args)).toEqual({ type: 'synth', options });
});

test.each([
  [['--format', 'sarif'], { type: 'synth', format: 'sarif' }],
  [['--format=github', '--check'], { format: 'github', options: { check: true, places: true } }],
  [['--promote=rest', '--format=json'], { type: 'promote', format: 'json' }],
  [['--promote', 'rest', '--strict'], { type: 'promote', ring: 'rest', options: { strict: true } }],
  [['--promote', 'rest', '--check'], { type: 'promote', ring: 'rest', options: { check: true } }],
])('the command line %j sets the format, or the ring to promote', (args, command) => {
  expect(parseCommandLine(args)).toMatchObject(command);
});

test('text is the default format', () => expect(parseCommandLine(['--format', 'text'])).toEqual(parseCommandLine([])));

test('a program prints its help for --help', () => {
  expect(parseCommandLine(['--check', '--help'])).toEqual({ type: 'help' });
});

test.each([
  [['--chekc']],
  [['home']],
  [['--only']],
  [['--check=yes']],
  [['--shard', '0/8']],
  [['--shard=9/8']],
  [['--shard=1/']],
  [['--shard=-1/2']],
  [['--format']],
  [['--format', 'xml']],
  [['--format=SARIF']],
  [['--argocd', '--only=home']],
  [['--argocd', '--shard=1/2']],
  [['--promote=rest', '--shard=1/2']],
])('a program refuses the command line %j', (args) => {
  expect(parseCommandLine(args)).toEqual({ type: 'misuse', message: expect.stringMatching(/\w/) });
});
