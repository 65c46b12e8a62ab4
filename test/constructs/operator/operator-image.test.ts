import { CertRotationCronJob, type Cluster, type ClusterProps, Platform, ReconcilerOperator } from '#lib';
import { checkOperatorImage, imageReference } from '#lib/constructs/operator/operator-image';
import { OperatorImage } from '#lib/gitops/tree/operator-image';
import lock from '../../../package-lock.json';
import { readFiles, temporaryDirectory } from '../../gitops/synth/output/tree-on-disk';
import { addControlPlane, build } from './fixture';

const whats = (image: OperatorImage) => checkOperatorImage('image', image).map(({ what }) => what);

test('the default image of the operator has the Node.js version of the tests', () => {
  const { version } = lock.packages['node_modules/node'];
  expect(imageReference(OperatorImage.bundled())).toBe(`docker.io/library/node:${version}-bookworm-slim`);
});

test.each([
  OperatorImage.bundled(),
  OperatorImage.bundled({ node: 'node:24.21.0-bookworm-slim' }),
  OperatorImage.bundled({ node: 'node:24' }),
  OperatorImage.bundled({ node: 'mirror.example.com:5000/library/node:24-trixie-slim', pullSecrets: ['mirror'] }),
  OperatorImage.fromRegistry('my_team/linkerd-reconciler:0.1.0'),
  OperatorImage.fromRegistry('ghcr.io/acme/linkerd-reconciler:0.1.0', { pullPolicy: 'Always' }),
  OperatorImage.fromRegistry('Registry.Example.com/acme/linkerd-reconciler:0.1.0'),
  OperatorImage.fromRegistry('[::1]:5000/acme/linkerd-reconciler:0.1.0'),
  OperatorImage.fromRegistry(`ghcr.io/acme/linkerd-reconciler@sha256:${'0'.repeat(64)}`),
  OperatorImage.fromRegistry(`ghcr.io/acme/linkerd-reconciler:0.1.0@sha256:${'0'.repeat(64)}`),
])('the image %j is accepted', (image) => expect(whats(image)).toEqual([]));

test.each([
  [OperatorImage.fromRegistry('ghcr.io/acme/Linkerd:1'), 'which is not a reference to an image'],
  [OperatorImage.fromRegistry('https://ghcr.io/acme/linkerd:1'), 'which is not a reference to an image'],
  [OperatorImage.fromRegistry('ghcr.io/acme/linkerd@sha256:12'), 'which is not a reference to an image'],
  [OperatorImage.fromRegistry('a..b'), 'which is not a reference to an image'],
  [OperatorImage.fromRegistry('a-:1'), 'which is not a reference to an image'],
  [OperatorImage.fromRegistry('a___b'), 'which is not a reference to an image'],
  [OperatorImage.fromRegistry(''), 'which is not a reference to an image'],
])('the image %j is refused: %s', (image, what) => {
  expect(whats(image)).toEqual([`image is "${imageReference(image)}", ${what}`]);
});

test.each(['ghcr.io/acme/linkerd-reconciler', 'registry:5000/acme', 'ghcr.io/acme/linkerd-reconciler:latest'])(
  'the image %s is refused, because it has no fixed version',
  (reference) => {
    expect(checkOperatorImage('image', OperatorImage.fromRegistry(reference))).toMatchObject([
      { code: 'operator-image-refused', parameters: { field: 'image', reference } },
    ]);
  },
);

test('synth names the wrong field of an image', () => {
  const image = OperatorImage.bundled({ node: 'node', pullSecrets: ['good', 'Not good'] });
  expect(checkOperatorImage('image', image)).toMatchObject([
    { code: 'operator-image-refused', parameters: { field: 'image.node', reference: 'node' } },
    { what: expect.stringContaining('image.pullSecrets[1] is "Not good"') },
  ]);
});

describe('one image for operator and rotation', () => {
  const OURS = OperatorImage.fromRegistry('ghcr.io/acme/linkerd-reconciler:0.1.0');
  const directory = temporaryDirectory();

  const operatorAndRotation =
    (image?: OperatorImage) =>
    (cluster: Cluster): void => {
      const controlPlane = addControlPlane(cluster);
      new ReconcilerOperator(cluster, 'operator', { controlPlane, image });
      new CertRotationCronJob(cluster, 'rotation', { controlPlane, image });
    };
  const built = (props: ClusterProps, image?: OperatorImage) => {
    const { objects, problems } = build(operatorAndRotation(image), props);
    const imageOf = (path: string): string => JSON.stringify(objects.get(path)).replace(/.*"image":"(.*?)".*/, '$1');
    return {
      problems,
      images: [
        imageOf('linkerd-reconciler/deployment.linkerd-reconciler'),
        imageOf('linkerd/cronjob.linkerd-restarter'),
      ],
      programs: [...objects.keys()].filter((path) => path.endsWith('configmap.linkerd-reconciler-program')),
    };
  };

  test('of a cluster is the image of both, without a ConfigMap with the program', () => {
    const images = [imageReference(OURS), imageReference(OURS)];
    expect(built({ operatorImage: OURS })).toEqual({ problems: [], images, programs: [] });
  });

  test('is overridden by the image of a construct', () => {
    const { images, programs } = built({ operatorImage: OURS }, OperatorImage.bundled({ node: 'node:24.21.0' }));
    expect(images).toEqual(['node:24.21.0', 'node:24.21.0']);
    expect(programs).toHaveLength(2);
  });

  test('that is invalid is reported with the name of its prop', () => {
    const operatorImage = OperatorImage.fromRegistry('ghcr.io/acme/linkerd-reconciler');
    const { errors } = build(operatorAndRotation(), { operatorImage });
    const parameters = { field: 'operatorImage', reference: 'ghcr.io/acme/linkerd-reconciler' };
    expect(errors).toContainEqual(expect.objectContaining({ code: 'operator-image-refused', parameters }));
  });

  test('of a platform is the default of its clusters', () => {
    const platform = new Platform({
      repoUrl: 'https://git.example.com/platform.git',
      outdir: directory.path,
      operatorImage: OURS,
    });
    platform.addCluster('one', {}, operatorAndRotation());
    const own = { destination: { name: 'two' }, operatorImage: OperatorImage.bundled() };
    platform.addCluster('two', own, operatorAndRotation());
    platform.synth();
    const programs = Object.keys(readFiles(directory.path)).filter((path) => path.includes('reconciler-program'));
    expect(programs.map((path) => path.split('/')[0])).toEqual(['two', 'two']);
  });
});
