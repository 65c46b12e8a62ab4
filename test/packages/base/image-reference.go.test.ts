import fc from 'fast-check';
import { type ImageReference, imageReferenceOf, isImageName, isImageTag } from '#base/image-reference';
import { expectLinear } from '../../support/growth';
import { askOracle } from '../../support/oracle';

const HEX = '0123456789abcdef'.repeat(8);
const DIGEST = `sha256:${HEX.slice(0, 64)}`;

test.each([
  'nginx',
  'Registry.Example.com/team/app:1',
  '[::1]:5000/team/app:1.0',
  'localhost/app',
  'Team/app:1',
  'a__b',
  'a--b.c/d_e',
  `app:1@${DIGEST}`,
  `registry.example.com:5000/app@sha512:${HEX}`,
])('the reader of image references accepts %s', (text) => expect(imageReferenceOf(text)).toBeDefined());

test.each([
  '',
  'a..b',
  'a-:1',
  'a___b',
  'Nginx',
  'registry.example.com/Team/app',
  'https://example.com/app',
  'app:',
  'app: 1',
  'app:1\n',
  ' app',
  'registry.example.com/',
  `app@${DIGEST.slice(0, -1)}`,
  `app@${DIGEST.toUpperCase()}`,
  `app@md5:${HEX.slice(0, 32)}`,
  HEX.slice(0, 64),
  `a/${'b'.repeat(255)}`,
])('the reader of image references rejects %j', (text) => expect(imageReferenceOf(text)).toBeUndefined());

test('the reader of image references agrees with Go on names and on tags', () => {
  expect(isImageName('cr.l5d.io/linkerd/proxy')).toBe(true);
  expect(isImageName('cr.l5d.io/linkerd/proxy:edge')).toBe(false);
  expect(isImageTag('edge-26.8.3')).toBe(true);
  expect(isImageTag('edge"26')).toBe(false);
});

test('the reader of image references accepts what kubelets accept, and nothing else', () => {
  const word = fc.constantFrom(
    'a',
    'b1',
    'A',
    'Team',
    'localhost',
    'docker.io',
    'index.docker.io',
    'library',
    'ü',
    'é1',
  );
  const sign = fc.constantFrom(
    '.',
    '..',
    '_',
    '__',
    '___',
    '-',
    '--',
    '/',
    '//',
    ':',
    ':5000/',
    '@',
    '[::1]',
    '[',
    ']',
  );
  const odd = fc.constantFrom(' ', '\n', '"', '0'.repeat(5), 'x'.repeat(127), 'y'.repeat(250), HEX.slice(0, 64));
  const digest = fc.constantFrom(
    `@${DIGEST}`,
    `@sha384:${HEX.slice(0, 96)}`,
    `@sha512:${HEX}`,
    '@sha256:ab',
    `@SHA256:${HEX}`,
  );
  const wild = fc.array(fc.oneof(word, sign, word, odd), { maxLength: 7 }).map((parts) => parts.join(''));
  const near = fc
    .tuple(
      fc.constantFrom(
        '',
        'Registry.Example.com/',
        'r:5000/',
        '[fd00::1]:5000/',
        '[1.2.3.4]/',
        '-r.com/',
        'r..com/',
        'R/',
      ),
      fc.array(fc.oneof(word, sign), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      fc.constantFrom('', '', ':1', ':', ':-1', ':Ab_c.1-', `:${'t'.repeat(129)}`),
      fc.option(digest, { nil: '' }),
    )
    .map((parts) => parts.join(''));
  const texts = ['', ...fc.sample(fc.oneof(wild, near), { numRuns: 10_000, seed: 1 })];

  const answers = askOracle('image', texts);
  const read = answers.map(({ value, error }) => (error === undefined ? (value as ImageReference) : undefined));
  const differences = texts.filter(
    (text, index) => JSON.stringify(imageReferenceOf(text)) !== JSON.stringify(ordered(read[index])),
  );

  expect(differences).toEqual([]);
  expect(read.filter((reference) => reference !== undefined).length).toBeGreaterThan(500);
});

/** Sorts the keys, as Go does when it encodes a map. */
function ordered(reference: ImageReference | undefined): ImageReference | undefined {
  if (reference === undefined) return undefined;
  const { tag, digest } = reference;
  return { ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
}

test.each(['a', 'a.', 'a-', 'a/', '[:', '_', 'A'])(
  'the reader of image references reads many repetitions of %s in linear time',
  (piece) => {
    expectLinear((count) => imageReferenceOf(`${piece.repeat(count)}!`), 12_500);
  },
);
