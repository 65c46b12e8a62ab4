import { checkInjectModes } from '../../../lib/constructs/control-plane/inject-modes';

const namespace = (mode: unknown) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop', annotations: { 'linkerd.io/inject': mode } },
});

test.each(['enabled', 'disabled', 'ingress', '', undefined])('%j is a mode, or says nothing', (mode) =>
  expect(checkInjectModes(namespace(mode) as never)).toEqual([]),
);

test.each([
  ['enable', 'write enabled'],
  ['Disabled', 'write disabled'],
  ['true', 'write enabled or disabled or ingress'],
])('%j is none: %s', (mode, fix) =>
  expect(checkInjectModes(namespace(mode) as never)).toEqual([
    expect.objectContaining({ what: `Namespace shop has linkerd.io/inject: "${mode}"`, fix }),
  ]),
);

test('pod templates are read, however deep they are', () => {
  const template = { metadata: { annotations: { 'linkerd.io/inject': 'on' } } };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'backup', namespace: 'shop', annotations: { team: 'a' } },
    spec: { jobTemplate: { spec: { template } } },
  };
  expect(checkInjectModes(job).map(({ what }) => what)).toEqual(['CronJob shop/backup has linkerd.io/inject: "on"']);
});
