import fc from 'fast-check';
import { imageReferenceOf } from '#base/image-reference';
import { inFull, isBelow, mirroredImage, mirroredPrefix } from '#lib/kubernetes/mirrored-image';

const ALL = 'registry.example.com/mirror';

describe('the name of an image in a mirror', () => {
  it.each([
    ['cr.l5d.io/linkerd/proxy:edge-26.8.3', `${ALL}/linkerd/proxy:edge-26.8.3`],
    ['prom/prometheus:v2.55.1', `${ALL}/prom/prometheus:v2.55.1`],
    ['docker.io/library/node:24', `${ALL}/library/node:24`],
    ['index.docker.io/node', `${ALL}/library/node`],
    ['node', `${ALL}/library/node`],
    ['localhost:5000/a/b', `${ALL}/a/b`],
    [`ghcr.io/a/b@sha256:${'0'.repeat(64)}`, `${ALL}/a/b@sha256:${'0'.repeat(64)}`],
  ])('has the mirror in the place of the registry: %s', (image, expected) => {
    expect(mirroredImage(image, ALL)).toBe(expected);
  });

  it('stays what it is where only other registries have a mirror', () => {
    const mirror = { 'cr.l5d.io': 'registry.example.com/l5d' };
    expect(mirroredImage('cr.l5d.io/linkerd/tap', mirror)).toBe('registry.example.com/l5d/linkerd/tap');
    expect(mirroredImage('quay.io/jetstack/trust-manager', mirror)).toBe('quay.io/jetstack/trust-manager');
    expect(mirroredImage('constructor/x', mirror)).toBe('constructor/x');
  });

  it('is known as one of the mirror, and does not change again', () => {
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
])('%s is %s in full', (image, full) => expect(inFull(image)).toBe(full));

describe('what stands before names of images', () => {
  it.each([
    ['cr.l5d.io/linkerd', `${ALL}/linkerd`],
    ['quay.io', ALL],
    ['prom', `${ALL}/prom`],
  ])('%s', (prefix, expected) => expect(mirroredPrefix(prefix, ALL)).toBe(expected));
});

test('a place is none of another one that begins alike', () => {
  expect(isBelow('registry.example.com/mirror2/a', ALL)).toBe(false);
});
