import fc from 'fast-check';
import { imageReferenceOf } from '#base/image-reference';
import { inFull, isBelow, mirroredImage, mirroredPrefix } from '#kubernetes/objects/mirrored-image';

const ALL = 'registry.example.com/mirror';

describe('mirroredImage', () => {
  it.each([
    ['cr.l5d.io/linkerd/proxy:edge-26.8.3', `${ALL}/linkerd/proxy:edge-26.8.3`],
    ['prom/prometheus:v2.55.1', `${ALL}/prom/prometheus:v2.55.1`],
    ['docker.io/library/node:24', `${ALL}/library/node:24`],
    ['index.docker.io/node', `${ALL}/library/node`],
    ['node', `${ALL}/library/node`],
    ['localhost:5000/a/b', `${ALL}/a/b`],
    [`ghcr.io/a/b@sha256:${'0'.repeat(64)}`, `${ALL}/a/b@sha256:${'0'.repeat(64)}`],
  ])('replaces the registry with the mirror: %s', (image, expected) => {
    expect(mirroredImage(image, ALL)).toBe(expected);
  });

  it('keeps images of registries without a mirror', () => {
    const mirror = { 'cr.l5d.io': 'registry.example.com/l5d' };
    expect(mirroredImage('cr.l5d.io/linkerd/tap', mirror)).toBe('registry.example.com/l5d/linkerd/tap');
    expect(mirroredImage('quay.io/jetstack/trust-manager', mirror)).toBe('quay.io/jetstack/trust-manager');
    expect(mirroredImage('constructor/x', mirror)).toBe('constructor/x');
  });

  it('returns an image below the mirror, and does not change it again', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}(?:\.[a-z]{2,3})?(?:\/[a-z]{1,8}){0,3}(?::v[0-9])?$/);
    fc.assert(
      fc.property(name, (image) => {
        const mirrored = mirroredImage(image, ALL);
        expect(isBelow(mirrored, ALL)).toBe(true);
        expect(mirroredImage(mirrored, ALL)).toBe(mirrored);
        expect(imageReferenceOf(mirrored)).toBeDefined();
      }),
    );
  });
});

test.each([
  ['prom/prometheus:v2', 'docker.io/prom/prometheus:v2'],
  ['node', 'docker.io/library/node'],
  ['index.docker.io/a/b', 'docker.io/a/b'],
  ['quay.io/a', 'quay.io/a'],
])('inFull completes %s to %s', (image, full) => expect(inFull(image)).toBe(full));

describe('mirroredPrefix', () => {
  it.each([
    ['cr.l5d.io/linkerd', `${ALL}/linkerd`],
    ['quay.io', ALL],
    ['prom', `${ALL}/prom`],
  ])('replaces the registry in the prefix %s', (prefix, expected) =>
    expect(mirroredPrefix(prefix, ALL)).toBe(expected),
  );
});

test('isBelow is false for a registry whose name only begins like the mirror', () => {
  expect(isBelow('registry.example.com/mirror2/a', ALL)).toBe(false);
});
