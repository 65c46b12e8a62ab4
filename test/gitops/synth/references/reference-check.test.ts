import type { Problem } from '#base/findings/problem';
import type { Reference } from '#kubernetes/objects/references';
import type { Provided } from '#lib/gitops/synth/references/reference-check';
import { checkReferences, type Required } from '#lib/gitops/synth/references/reference-check';

const secret = (name: string, namespace = 'linkerd'): Reference => ({ kind: 'Secret', namespace, name });

function need(reference: Reference | readonly Reference[], fields: Partial<Required> = {}): Required {
  const accepts = Array.isArray(reference) ? reference : [reference as Reference];
  return { path: 'home/mesh', by: 'Deployment linkerd/identity', stage: 1, field: 'spec.x', accepts, ...fields };
}

function check(required: readonly Required[], references: readonly Reference[] = [], stage = 0): readonly Problem[] {
  const provided: Provided[] = references.map((reference) => ({ reference, stage }));
  return checkReferences(required, provided).map(({ problem }) => problem);
}

test('an object of an earlier or the same stage satisfies a reference', () => {
  expect(check([need(secret('a'))], [secret('a')], 0)).toEqual([]);
  expect(check([need(secret('a'))], [secret('a')], 1)).toEqual([]);
});

test('an object of a later stage comes too late for a reference', () => {
  expect(check([need(secret('a'))], [secret('a')], 2)).toMatchObject([
    {
      code: 'reference-too-late',
      parameters: { reference: 'Secret linkerd/a', user: 'Deployment linkerd/identity (spec.x)' },
    },
  ]);
});

test('a reference with anyStage may be to an object of a later stage, which must exist', () => {
  expect(check([need(secret('a'), { anyStage: true })], [secret('a')], 2)).toEqual([]);
  expect(check([need(secret('a'), { anyStage: true })])).toHaveLength(1);
});

test('synth compares the stage of the earliest provider', () => {
  const provided = [
    { reference: secret('a'), stage: 5 },
    { reference: secret('a'), stage: 0 },
  ];
  expect(checkReferences([need(secret('a'))], provided)).toEqual([]);
});

test('a missing object is a problem at the construct that refers to it', () => {
  const parameters = {
    reference: 'Secret linkerd/a',
    users: 'Deployment linkerd/identity (spec.x)',
    literal: "{ kind: 'Secret', namespace: 'linkerd', name: 'a' }",
    similar: undefined,
  };
  expect(checkReferences([need(secret('a'))], [])).toEqual([
    {
      severity: 'error',
      path: 'home/mesh',
      problem: expect.objectContaining({ code: 'reference-missing', parameters }),
    },
  ]);
});

test('synth suggests a similar name for a missing object', () => {
  expect(check([need(secret('identity-isuer'))], [secret('identity-issuer')])).toMatchObject([
    { parameters: { similar: 'identity-issuer' } },
  ]);
});

test('synth names another namespace that has the missing object', () => {
  expect(check([need(secret('a'))], [secret('a', 'certs')])).toMatchObject([
    { cause: 'elsewhere', parameters: { namespaces: 'certs' } },
  ]);
});

test('synth reports a missing object once for all objects that refer to it', () => {
  const namespace: Reference = { kind: 'Namespace', name: 'lost' };
  const needs = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    need(namespace, { by: `ConfigMap lost/${name}`, field: undefined }),
  );
  expect(check(needs)).toMatchObject([
    { parameters: { users: 'ConfigMap lost/a, ConfigMap lost/b, ConfigMap lost/c and 2 more' } },
  ]);
});

test('a reference without a namespace is satisfied by any namespace', () => {
  expect(check([need({ kind: 'Secret', name: 'a' })], [secret('a', 'anywhere')])).toEqual([]);
  expect(check([need({ kind: 'Secret', name: 'a' })])).toHaveLength(1);
});

test.each<Reference>([
  { kind: 'Namespace', name: 'default' },
  { kind: 'Namespace', name: 'kube-system' },
  { kind: 'Namespace', name: 'kube-public' },
  { kind: 'Namespace', name: 'kube-node-lease' },
  { kind: 'ServiceAccount', namespace: 'any', name: 'default' },
  { kind: 'ConfigMap', namespace: 'any', name: 'kube-root-ca.crt' },
  { kind: 'Service', namespace: 'default', name: 'kubernetes' },
])('$kind $name exists in every cluster', (reference) => expect(check([need(reference, { stage: 0 })])).toEqual([]));
