import type * as Library from '#lib';
import { BUNDLED_SHA256, publishedReference } from '#lib/constructs/operator/operator-image';
import committed from '#lib/constructs/operator/published-image.json';
import type * as Fixture from './fixture';

const REFERENCE = `ghcr.io/acme/linkerd-reconciler@sha256:${'0'.repeat(64)}`;

/** Returns the library of a package that was published with an image, or without one. */
function packaged(image: object | null): typeof Library & typeof Fixture {
  let library: (typeof Library & typeof Fixture) | undefined;
  jest.isolateModules(() => {
    jest.doMock('#lib/constructs/operator/published-image.json', () => ({ image }));
    library = { ...require('#lib'), ...require('./fixture') };
  });
  jest.dontMock('#lib/constructs/operator/published-image.json');
  return library as typeof Library & typeof Fixture;
}

/** Builds an operator and a rotation with the published image, which constructs or the cluster set. */
function built(image: object | null, by: 'constructs' | 'cluster', props: Library.ClusterProps = {}) {
  const { OperatorImage, ReconcilerOperator, CertRotationCronJob, addControlPlane, build } = packaged(image);
  const published = OperatorImage.published({ pullPolicy: 'Always' });
  const { objects, problems } = build(
    (cluster) => {
      const controlPlane = addControlPlane(cluster);
      const own = by === 'constructs' ? { image: published } : {};
      new ReconcilerOperator(cluster, 'operator', { controlPlane, ...own });
      new CertRotationCronJob(cluster, 'rotation', { controlPlane, ...own });
    },
    by === 'cluster' ? { ...props, operatorImage: published } : props,
  );
  const pods = ['linkerd-reconciler/deployment.linkerd-reconciler', 'linkerd/cronjob.linkerd-restarter'];
  return {
    problems,
    images: pods.map((path) => JSON.stringify(objects.get(path))?.replace(/.*"image":"(.*?)".*/, '$1')),
    always: pods.filter((path) => JSON.stringify(objects.get(path))?.includes('"imagePullPolicy":"Always"')),
    programs: [...objects.keys()].filter((path) => path.endsWith('configmap.linkerd-reconciler-program')),
  };
}

test('a checkout has no published image', () => {
  expect(committed).toEqual({ image: null });
  expect(publishedReference()).toBeUndefined();
});

test('synth ignores a published image of another program', () => {
  expect(publishedReference({ image: { reference: REFERENCE, program: BUNDLED_SHA256 } })).toBe(REFERENCE);
  expect(publishedReference({ image: { reference: REFERENCE, program: 'a'.repeat(64) } })).toBeUndefined();
});

test.each(['constructs', 'cluster'] as const)(
  'operator and rotation run the published image by its digest, as a prop of the %s',
  (by) => {
    const { problems, images, always, programs } = built({ reference: REFERENCE, program: BUNDLED_SHA256 }, by);
    expect({ problems, images, programs }).toEqual({ problems: [], images: [REFERENCE, REFERENCE], programs: [] });
    expect(always).toHaveLength(2);
  },
);

test('the published image is pulled from the mirror of the cluster', () => {
  const mirror = { images: { 'ghcr.io': 'mirror.example.com/ghcr' } };
  const { images } = built({ reference: REFERENCE, program: BUNDLED_SHA256 }, 'cluster', { mirror });
  expect(images[0]).toBe(REFERENCE.replace('ghcr.io', 'mirror.example.com/ghcr'));
});

test.each([
  ['constructs', 'image', null],
  ['cluster', 'operatorImage', null],
  ['constructs', 'image', { reference: REFERENCE, program: 'a'.repeat(64) }],
] as const)('synth refuses a missing published image, as a prop of the %s, at %s', (by, field, image) => {
  const { problems } = built(image, by);
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.filter((problem) => !problem.includes(`${field} is OperatorImage.published()`))).toEqual([]);
});
