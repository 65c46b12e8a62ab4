import { checkImages } from '../../../lib/kubernetes/checks/image-check';

const deployment = (image: string, list = 'containers') => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { template: { spec: { [list]: [{ name: 'web', image }] } } },
});

test.each(['bitnami/nginx', 'docker.io/bitnami/nginx:1.27', `index.docker.io/bitnami/nginx@sha256:${'0'.repeat(64)}`])(
  '%s',
  (image) => {
    expect(checkImages(deployment(image))).toEqual([
      {
        code: 'image-abandoned',
        what: `Deployment shop/web: spec.template.spec.containers[0].image is "${image}"`,
        why: expect.stringContaining('ImagePullBackOff'),
        fix: 'use an image that is maintained, at a version',
      },
    ]);
  },
);

test('an init container', () => {
  expect(checkImages(deployment('bitnami/nginx', 'initContainers'))).toHaveLength(1);
});

test('for kubectl there is an official image', () => {
  expect(checkImages(deployment('bitnami/kubectl'))[0]?.fix).toContain('registry.k8s.io/kubectl:');
});

test.each(['nginx', 'bitnamilegacy/nginx', 'ghcr.io/bitnami/nginx', 'example.com/docker.io/bitnami/nginx'])(
  '%s is another one',
  (image) => {
    expect(checkImages(deployment(image))).toEqual([]);
  },
);

test('what makes no pods is not looked at', () => {
  expect(checkImages({ ...deployment('bitnami/nginx'), kind: 'Tenant', apiVersion: 'example.com/v1' })).toEqual([]);
});

test.each(['a..b', 'a-:1', 'a___b', 'registry.example.com/Team/app', ' nginx'])('%j is no image', (image) => {
  expect(checkImages(deployment(image)).map(({ what }) => what)).toEqual([
    `Deployment shop/web: spec.template.spec.containers[0].image is "${image}", which is no reference to an image`,
  ]);
});

test.each(['Registry.Example.com/app:1', '[::1]:5000/app:1', ''])('%j is not reported here', (image) => {
  expect(checkImages(deployment(image))).toEqual([]);
});
