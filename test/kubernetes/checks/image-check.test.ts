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
    expect(checkImages(deployment(image))).toMatchObject([
      {
        code: 'image-abandoned',
        place: 'Deployment shop/web: spec.template.spec.containers[0]',
        parameters: { image },
      },
    ]);
  },
);

test('an init container', () => {
  expect(checkImages(deployment('bitnami/nginx', 'initContainers'))).toHaveLength(1);
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
  const place = 'Deployment shop/web: spec.template.spec.containers[0]';
  expect(checkImages(deployment(image))).toMatchObject([{ code: 'image-refused', place, parameters: { image } }]);
});

test.each(['Registry.Example.com/app:1', '[::1]:5000/app:1', ''])('%j is not reported here', (image) => {
  expect(checkImages(deployment(image))).toEqual([]);
});
