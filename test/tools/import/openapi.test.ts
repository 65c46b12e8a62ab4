import type { JsonSchema } from '#tools/import/json-schema';
import { kubernetesDocument, type Swagger } from '#tools/import/openapi';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function ref(name: string): JsonSchema {
  return { $ref: `#/definitions/${name}` };
}

function kind(group: string, version: string, name: string, properties: Record<string, JsonSchema>): JsonSchema {
  return {
    type: 'object',
    description: 'prose',
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: ref(META), ...properties },
    'x-kubernetes-group-version-kind': [{ group, version, kind: name }],
  };
}

const SWAGGER: Swagger = {
  definitions: {
    [META]: { type: 'object' },
    'io.k8s.api.core.v1.Pod': kind('', 'v1', 'Pod', {
      spec: ref('io.k8s.api.core.v1.PodSpec'),
      status: ref('io.k8s.api.core.v1.PodStatus'),
    }),
    'io.k8s.api.core.v1.PodStatus': { type: 'object', properties: {} },
    'io.k8s.api.core.v1.PodSpec': {
      type: 'object',
      required: ['subject'],
      properties: {
        subject: ref('io.k8s.api.core.v1.Subject'),
        volume: ref('io.k8s.api.core.v1.PersistentVolumeClaim'),
        port: ref('io.k8s.apimachinery.pkg.util.intstr.IntOrString'),
        memory: ref('io.k8s.apimachinery.pkg.api.resource.Quantity'),
        policies: { type: 'array', items: { type: 'string' } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    'io.k8s.api.core.v1.Subject': { type: 'object', properties: { name: { type: 'string', description: 'prose' } } },
    'io.k8s.api.core.v1.PersistentVolumeClaim': kind('', 'v1', 'PersistentVolumeClaim', {}),
    'io.k8s.api.rbac.v1.Role': kind('rbac', 'v1', 'Role', { subject: ref('io.k8s.api.rbac.v1.Subject') }),
    'io.k8s.api.rbac.v1beta1.Role': kind('rbac', 'v1beta1', 'Role', {
      subject: ref('io.k8s.api.rbac.v1beta1.Subject'),
    }),
    'io.k8s.api.rbac.v1.Subject': { type: 'object', properties: {} },
    'io.k8s.api.rbac.v1beta1.Subject': { type: 'object', properties: {} },
  },
};

function convert(wanted: Record<string, readonly string[]>, enumerations: Record<string, readonly string[]> = {}) {
  return kubernetesDocument(SWAGGER, wanted, enumerations);
}

test('a kind is indexed under its apiVersion, comes with what it is made of, and without status', () => {
  const { kinds, definitions } = convert({ v1: ['Pod'] });
  expect(kinds).toEqual({ 'v1/Pod': 'Pod' });
  expect(Object.keys(definitions.Pod?.properties ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
  expect(Object.keys(definitions)).toEqual(expect.arrayContaining(['ObjectMeta', 'Pod', 'PodSpec', 'Subject']));
  expect(Object.keys(definitions)).not.toContain('PodStatus');
});

test('definitions are closed and free of prose', () => {
  const { definitions } = convert({ v1: ['Pod'] });
  expect(definitions.Subject).toEqual({
    type: 'object',
    properties: { name: { type: 'string' } },
    additionalProperties: false,
  });
});

test('quantities and int-or-strings are what Kubernetes reads, not what OpenAPI says', () => {
  const properties = convert({ v1: ['Pod'] }).definitions.PodSpec?.properties;
  expect(properties?.memory).toEqual({ type: ['string', 'number'], format: 'quantity' });
  expect(properties?.port).toEqual({ type: ['integer', 'string'], format: 'int32' });
});

test('an object inside of another one need not say what it is', () => {
  const { definitions } = convert({ v1: ['Pod', 'PersistentVolumeClaim'] });
  expect(definitions.PodSpec?.properties?.volume).toEqual(ref('InlinePersistentVolumeClaim'));
  expect(definitions.InlinePersistentVolumeClaim?.required).toEqual([]);
  expect(definitions.PersistentVolumeClaim?.required).toEqual(['apiVersion', 'kind']);
});

test('definitions that end alike are told apart by group and version, kinds by version', () => {
  const { kinds, definitions } = convert({ v1: ['Pod'], 'rbac/v1': ['Role'], 'rbac/v1beta1': ['Role'] });
  expect(kinds).toMatchObject({ 'rbac/v1/Role': 'RoleV1', 'rbac/v1beta1/Role': 'RoleV1Beta1' });
  expect(definitions.Role).toEqual(ref('RoleV1'));
  expect(Object.keys(definitions)).toEqual(
    expect.arrayContaining(['CoreSubject', 'RbacSubject', 'RbacSubjectV1Beta1']),
  );
});

test('enumerations are of a property or of the items of its list', () => {
  const { definitions } = convert({ v1: ['Pod'] }, { 'PodSpec.policies': ['A'], 'Subject.name': ['B'] });
  expect(definitions.PodSpec?.properties?.policies?.items).toEqual({ type: 'string', enum: ['A'] });
  expect(definitions.Subject?.properties?.name).toEqual({ type: 'string', enum: ['B'] });
});

test('an enumeration of a property that is not there is refused', () => {
  expect(() => convert({ v1: ['Pod'] }, { 'Pod.nam': ['A'] })).toThrow('there is no Pod.nam to enumerate');
});

test('a kind that OpenAPI does not have is refused', () => {
  expect(() => convert({ v1: ['Pot'] })).toThrow("Kubernetes' OpenAPI has no v1 Pot");
});
