import { ApiObject } from 'cdk8s';
import { checkPodMetadata } from '#lib/constructs/meshing/annotate';
import { ruleFindingsIn } from '../../support/findings';
import { mesh } from './fixture';

test.each([
  '/metadata',
  '/spec/podTemplate/metadata',
  '/spec/pods/0/metadata',
  '/spec/podOptions',
  '/spec/a~1b/metadata',
])('inject accepts the path %s of pod metadata', (place) => expect(checkPodMetadata(place)).toEqual([]));

test.each([
  ['spec.podTemplate', '/spec/podTemplate/metadata'],
  ['spec.podTemplate.metadata', '/spec/podTemplate/metadata'],
  ['spec/podTemplate/metadata', '/spec/podTemplate/metadata'],
  ['$.spec.podMetadata', '/spec/podMetadata'],
  ['/spec/podTemplate', '/spec/podTemplate/metadata'],
  ['/spec/template', '/spec/template/metadata'],
  ['/spec/podTemplateSpec', '/spec/podTemplateSpec/metadata'],
  ['/spec/podTemplate/metadata/', '/spec/podTemplate/metadata'],
  ['/spec/podTemplate/metadata/annotations', '/spec/podTemplate/metadata'],
  ['/spec/a~b/metadata', '/spec/a~b/metadata'],
  ['/spec/__proto__/metadata', '/spec/metadata'],
  ['', '/spec/metadata'],
  ['/', '/spec/metadata'],
])('inject refuses the path %j of pod metadata, and suggests %s', (place, proposed) => {
  expect(checkPodMetadata(place)).toMatchObject([{ code: 'pods-not-found', parameters: { place, proposed } }]);
});

test.each([
  [{ podTemplate: 'default' }, '/spec/podTemplate/metadata', '/spec/podTemplate', '"default"'],
  [{ pods: 3 }, '/spec/pods/metadata', '/spec/pods', '3'],
  [{ pods: { metadata: 'x' } }, '/spec/pods/metadata', '/spec/pods/metadata', '"x"'],
  [{ pods: { metadata: { annotations: ['a'] } } }, '/spec/pods/metadata', '/spec/pods/metadata/annotations', '["a"]'],
  [{ pods: [] }, '/spec/pods/0/metadata', '/spec/pods', '[]'],
  [{ pods: [{}] }, '/spec/pods/1/metadata', '/spec/pods', '[{}]'],
  [{ pods: [{}] }, '/spec/pods/metadata', '/spec/pods', '[{}]'],
  [{ pods: [{}] }, '/spec/pods/-/metadata', '/spec/pods', '[{}]'],
])('inject refuses the spec %j, which has no place for annotations at %s', (spec, podMetadata, at, value) => {
  const { chart, meshing } = mesh();
  const object = new ApiObject(chart, 'web', { apiVersion: 'example.com/v1', kind: 'App', spec });
  meshing.inject(object, { podMetadata });
  expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'pods-not-found', parameters: { at, value } }]);
  expect(object.toJson().spec).toEqual(spec);
});

test.each(['inject', 'exclude'] as const)(
  '%s reports an invalid path of pod metadata, and writes nothing',
  (method) => {
    const { chart, meshing } = mesh();
    const spec = { podTemplate: {} };
    const object = new ApiObject(chart, 'web', { apiVersion: 'example.com/v1', kind: 'App', spec });
    meshing[method](object, { podMetadata: 'spec.podTemplate' });
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'pods-not-found', parameters: { place: 'spec.podTemplate' } },
    ]);
    expect(object.toJson().spec).toEqual(spec);
  },
);

test.each([
  ['apps/v1', 'Deployment', { template: 'x' }, { at: '/spec/template', value: '"x"' }],
  ['kibana.k8s.elastic.co/v1', 'Kibana', { podTemplate: 'x' }, { at: '/spec/podTemplate', value: '"x"' }],
])('inject refuses the %s %s with a string as pod template', (apiVersion, kind, spec, parameters) => {
  const { chart, meshing } = mesh();
  const object = new ApiObject(chart, 'web', { apiVersion, kind, spec });
  meshing.inject(object);
  expect(ruleFindingsIn(chart)).toContainEqual(
    expect.objectContaining({ code: 'pods-not-found', parameters: expect.objectContaining(parameters) }),
  );
  expect(object.toJson().spec).toEqual(spec);
});
