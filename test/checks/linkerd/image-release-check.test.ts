import type { Values } from '#base/values';
import { checkImageReleases, checkTagRelease } from '#lib/checks/linkerd/image-release-check';
import { facts } from '../../support/findings';

const OWN = 'edge-26.8.3';

const found = (values: Values) => checkImageReleases(values, OWN).map(facts);

test('checkTagRelease warns of an image of the same release line, and refuses one of another line', () => {
  const severities = ['edge-26.8.2', 'edge-26.6.3', 'edge-25.10.7', 'stable-2.14.10', 'enterprise-2.20.1'].flatMap(
    (tag) => checkTagRelease('values.proxy.image.version', tag, OWN).map(({ severity }) => severity),
  );
  expect(severities).toEqual(['warning', 'warning', 'error', 'error', 'error']);
});

test.each([
  [{ proxy: { image: { version: 'enterprise-2.15.2' } } }, 'values.proxy.image.version', 'enterprise-2.15.2'],
  [{ proxy: { image: { version: 'edge-26.8.2' } } }, 'values.proxy.image.version', 'edge-26.8.2'],
  [{ controllerImageVersion: 'stable-2.14.10' }, 'values.controllerImageVersion', 'stable-2.14.10'],
  [{ debugContainer: { image: { version: 'edge-26.7.1' } } }, 'values.debugContainer.image.version', 'edge-26.7.1'],
  [
    { policyController: { image: { version: 'preview-25.1.1' } } },
    'values.policyController.image.version',
    'preview-25.1.1',
  ],
  [{ tap: { image: { tag: 'edge-26.8.30' } } }, 'values.tap.image.tag', 'edge-26.8.30'],
])('checkImageReleases finds in %j an image of another release', (values, component, other) =>
  expect(found(values)).toMatchObject([{ component, other, own: OWN }]),
);

test.each([
  {},
  { proxy: { image: { version: OWN } } },
  { proxy: { image: { version: `${OWN}-distroless` } } },
  { proxy: { image: { version: 'v2.311.0' } }, prometheus: { image: { tag: 'v2.55.1' } } },
  { proxy: { image: { version: '' } }, controllerImageVersion: null },
  { podLabels: { version: 'edge-1.2.3' } },
])('checkImageReleases finds in %j no image of another release', (values) => expect(found(values)).toEqual([]));

test('checkTagRelease ignores a tag that is not a release', () =>
  expect(checkTagRelease('x', 'latest', OWN)).toEqual([]));
