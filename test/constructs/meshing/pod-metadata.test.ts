import { ApiObject } from 'cdk8s';
import { checkPodMetadata } from '../../../lib/constructs/meshing/pod-metadata';
import { mesh, problemsOf } from './fixture';

test.each([
  '/metadata',
  '/spec/podTemplate/metadata',
  '/spec/pods/0/metadata',
  '/spec/podOptions',
  '/spec/a~1b/metadata',
])('%s is a place', (place) => expect(checkPodMetadata(place)).toEqual([]));

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
])('%j is none, %s would be', (place, better) => {
  expect(checkPodMetadata(place)).toEqual([
    expect.objectContaining({ what: `podMetadata is "${place}"`, fix: `write it as "${better}"` }),
  ]);
});

test.each([
  [{ podTemplate: 'default' }, '/spec/podTemplate/metadata', '/spec/podTemplate is "default"'],
  [{ pods: 3 }, '/spec/pods/metadata', '/spec/pods is 3'],
  [{ pods: { metadata: 'x' } }, '/spec/pods/metadata', '/spec/pods/metadata is "x"'],
  [{ pods: { metadata: { annotations: ['a'] } } }, '/spec/pods/metadata', '/spec/pods/metadata/annotations is ["a"]'],
  [{ pods: [] }, '/spec/pods/0/metadata', '/spec/pods is []'],
  [{ pods: [{}] }, '/spec/pods/1/metadata', '/spec/pods is [{}]'],
  [{ pods: [{}] }, '/spec/pods/metadata', '/spec/pods is [{}]'],
  [{ pods: [{}] }, '/spec/pods/-/metadata', '/spec/pods is [{}]'],
])('nothing is put into %j at %s', (spec, podMetadata, what) => {
  const { chart, meshing } = mesh();
  const object = new ApiObject(chart, 'web', { apiVersion: 'example.com/v1', kind: 'App', spec });
  meshing.inject(object, { podMetadata });
  expect(problemsOf(chart)).toEqual([expect.stringContaining(`, but ${what}`)]);
  expect(object.toJson().spec).toEqual(spec);
});

test.each(['inject', 'exclude'] as const)('a place that is none is said of %s, and nothing is written', (method) => {
  const { chart, meshing } = mesh();
  const spec = { podTemplate: {} };
  const object = new ApiObject(chart, 'web', { apiVersion: 'example.com/v1', kind: 'App', spec });
  meshing[method](object, { podMetadata: 'spec.podTemplate' });
  expect(problemsOf(chart)).toEqual([expect.stringContaining('podMetadata is "spec.podTemplate"')]);
  expect(object.toJson().spec).toEqual(spec);
});

test.each([
  ['apps/v1', 'Deployment', { template: 'x' }, '/spec/template is "x"'],
  ['kibana.k8s.elastic.co/v1', 'Kibana', { podTemplate: 'x' }, '/spec/podTemplate is "x"'],
])('nor into a %s %s that says something else there', (apiVersion, kind, spec, what) => {
  const { chart, meshing } = mesh();
  const object = new ApiObject(chart, 'web', { apiVersion, kind, spec });
  meshing.inject(object);
  expect(problemsOf(chart)).toContainEqual(expect.stringContaining(what));
  expect(object.toJson().spec).toEqual(spec);
});
