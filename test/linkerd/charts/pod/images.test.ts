import { controllerImage, image } from '../../../../lib/linkerd/charts/pod/images';

const release = { linkerdVersion: 'edge-26.8.3', imagePullPolicy: 'IfNotPresent' } as const;

test('what an image leaves empty follows from the release', () => {
  expect(image({ name: 'proxy', version: '', pullPolicy: '' }, release)).toEqual({
    image: 'proxy:edge-26.8.3',
    imagePullPolicy: 'IfNotPresent',
  });
});

test('what an image says counts', () => {
  expect(image({ name: 'proxy', version: 'v1', pullPolicy: 'Always' }, release)).toEqual({
    image: 'proxy:v1',
    imagePullPolicy: 'Always',
  });
});

test('controllers have one image', () => {
  const values = { ...release, controllerImage: 'controller', controllerImageVersion: 'v2' };
  expect(controllerImage(values).image).toBe('controller:v2');
  expect(controllerImage({ ...values, controllerImageVersion: '' }).image).toBe('controller:edge-26.8.3');
});
