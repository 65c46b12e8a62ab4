import { checkOperatorImage, imageReference, OperatorImage } from '../../lib/reconciler/operator-image';
import lock from '../../package-lock.json';

const whats = (image: OperatorImage) => checkOperatorImage('image', image).map(({ what }) => what);

test('the default is the Node.js that the tests run with', () => {
  const { version } = lock.packages['node_modules/node'];
  expect(imageReference(OperatorImage.bundled())).toBe(`docker.io/library/node:${version}-bookworm-slim`);
});

test.each([
  OperatorImage.bundled(),
  OperatorImage.bundled({ node: 'node:24.21.0-bookworm-slim' }),
  OperatorImage.bundled({ node: 'node:24' }),
  OperatorImage.bundled({ node: 'mirror.example.com:5000/library/node:24-trixie-slim', pullSecrets: ['mirror'] }),
  OperatorImage.registry('my_team/linkerd-reconciler:0.1.0'),
  OperatorImage.registry('ghcr.io/acme/linkerd-reconciler:0.1.0', { pullPolicy: 'Always' }),
  OperatorImage.registry('Registry.Example.com/acme/linkerd-reconciler:0.1.0'),
  OperatorImage.registry('[::1]:5000/acme/linkerd-reconciler:0.1.0'),
  OperatorImage.registry(`ghcr.io/acme/linkerd-reconciler@sha256:${'0'.repeat(64)}`),
  OperatorImage.registry(`ghcr.io/acme/linkerd-reconciler:0.1.0@sha256:${'0'.repeat(64)}`),
])('%j is good', (image) => {
  expect(whats(image)).toEqual([]);
});

test.each([
  [OperatorImage.registry('ghcr.io/acme/linkerd-reconciler'), 'without a tag'],
  [OperatorImage.registry('registry:5000/acme'), 'without a tag'],
  [OperatorImage.registry('ghcr.io/acme/linkerd-reconciler:latest'), 'whose tag moves'],
  [OperatorImage.registry('ghcr.io/acme/Linkerd:1'), 'which is no reference to an image'],
  [OperatorImage.registry('https://ghcr.io/acme/linkerd:1'), 'which is no reference to an image'],
  [OperatorImage.registry('ghcr.io/acme/linkerd@sha256:12'), 'which is no reference to an image'],
  [OperatorImage.registry('a..b'), 'which is no reference to an image'],
  [OperatorImage.registry('a-:1'), 'which is no reference to an image'],
  [OperatorImage.registry('a___b'), 'which is no reference to an image'],
  [OperatorImage.registry(''), 'which is no reference to an image'],
])('%j is refused: %s', (image, what) => {
  expect(whats(image)).toEqual([`image is "${imageReference(image)}", ${what}`]);
});

test('the field that is wrong is named', () => {
  const image = OperatorImage.bundled({ node: 'node', pullSecrets: ['good', 'Not good'] });
  expect(whats(image)).toEqual([
    'image.node is "node", without a tag',
    expect.stringContaining('image.pullSecrets[1] is "Not good"'),
  ]);
});
