import { crdKinds, parseCrd } from '#tools/import/crd';

const WIDGETS = `
{{- if .Values.installWidgets }}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  annotations:
    {{ include "created-by" . }}
  labels:
    helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
spec:
  group: example.com
  names: { kind: Widget, plural: widgets }
  scope: Namespaced
  versions:
    - { name: v1alpha1, served: false, storage: false, schema: { openAPIV3Schema: { type: object } } }
    - { name: v1beta1, served: true, storage: false, schema: { openAPIV3Schema: { type: object } } }
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [spec, status]
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec: { type: object, properties: { size: { type: integer } } }
            status: { type: object }
{{- end }}
`;

test('a CRD is read through the Helm directives around it', () => {
  expect(parseCrd(WIDGETS)).toMatchObject({ group: 'example.com', kind: 'Widget' });
});

test('versions that are not served are left out, the one of storage comes first', () => {
  expect(crdKinds(parseCrd(WIDGETS)).map(({ apiVersion }) => apiVersion)).toEqual([
    'example.com/v1',
    'example.com/v1beta1',
  ]);
});

test('an object says what it is, has no status, and leaves its metadata to Kubernetes', () => {
  const [v1] = crdKinds(parseCrd(WIDGETS));
  expect(v1?.schema).toEqual({
    type: 'object',
    properties: {
      apiVersion: { const: 'example.com/v1' },
      kind: { const: 'Widget' },
      metadata: { $ref: '#/definitions/ObjectMeta' },
      spec: { type: 'object', properties: { size: { type: 'integer' } }, additionalProperties: false },
    },
    required: ['apiVersion', 'kind', 'spec'],
    additionalProperties: false,
  });
});

test('a file without a CRD is refused', () => {
  expect(() => parseCrd('kind: ConfigMap')).toThrow('there is no CustomResourceDefinition in it');
});

test('a file that is not YAML is refused', () => {
  expect(() => parseCrd('a: b: c')).toThrow('Nested mappings are not allowed');
});
