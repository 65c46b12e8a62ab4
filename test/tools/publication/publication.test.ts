import { imageRecord, withRepository } from '../../../tools/publication/publication';

const PROGRAM = 'a'.repeat(64);
const DIGEST = `sha256:${'0'.repeat(64)}`;

test('an image is recorded by its digest, with the program in it', () => {
  const reference = `ghcr.io/acme/linkerd-reconciler@${DIGEST}`;
  expect(imageRecord(reference, PROGRAM)).toEqual({ image: { reference, program: PROGRAM } });
});

test.each([
  '',
  '@',
  'ghcr.io/acme/linkerd-reconciler',
  'ghcr.io/acme/linkerd-reconciler:1.0.0',
  `@${DIGEST}`,
  `a@${DIGEST} `,
])('the image "%s" is not recorded', (reference) => {
  expect(() => imageRecord(reference, PROGRAM)).toThrow('names no image by its digest');
});

test.each(['', 'A'.repeat(64), 'a'.repeat(63)])('the program "%s" is not recorded', (program) => {
  expect(() => imageRecord(`a/b@${DIGEST}`, program)).toThrow('is no sha256');
});

test('the package says which repository it comes from', () => {
  const repository = { type: 'git', url: 'git+https://git.example.com/acme/mesh.git' };
  expect(withRepository({ name: 'mesh' }, 'https://git.example.com/acme/mesh')).toEqual({ name: 'mesh', repository });
  expect(withRepository({ repository: 'old' }, 'https://git.example.com/acme/mesh.git')).toEqual({ repository });
});

test.each(['', 'https://git.example.com', 'http://git.example.com/a/b', 'https://me:key@git.example.com/a/b'])(
  '"%s" is no repository',
  (url) => expect(() => withRepository({}, url)).toThrow('is no address of a repository'),
);
