import { checkInjectModes } from '#lib/constructs/control-plane/control-plane-rules';

const namespace = (mode: unknown) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop', annotations: { 'linkerd.io/inject': mode } },
});

test.each(['enabled', 'disabled', 'ingress', '', undefined])('%j is a mode, or says nothing', (mode) =>
  expect(checkInjectModes(namespace(mode) as never)).toEqual([]),
);

test.each([
  ['enable', 'enabled'],
  ['Disabled', 'disabled'],
  ['true', 'enabled or disabled or ingress'],
])('%j is none: %s', (mode, proposed) =>
  expect(checkInjectModes(namespace(mode) as never)).toMatchObject([
    {
      code: 'control-plane-value-refused',
      parameters: { object: 'Namespace shop', annotation: 'linkerd.io/inject', mode: `"${mode}"`, proposed },
    },
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
  expect(checkInjectModes(job)).toMatchObject([
    { code: 'control-plane-value-refused', parameters: { object: 'CronJob shop/backup', mode: '"on"' } },
  ]);
});
