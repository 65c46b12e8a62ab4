import type { Provided } from '../../../../lib/gitops/synth/references/provided-index';
import { checkReferences, type Required } from '../../../../lib/gitops/synth/references/reference-check';
import type { Reference } from '../../../../lib/kubernetes/references';
import { errorsIn } from '../../../support/findings';

const secret = (name: string, namespace = 'linkerd'): Reference => ({ kind: 'Secret', namespace, name });

function need(reference: Reference | readonly Reference[], fields: Partial<Required> = {}): Required {
  const accepts = Array.isArray(reference) ? reference : [reference as Reference];
  return { path: 'home/mesh', by: 'Deployment linkerd/identity', stage: 1, field: 'spec.x', accepts, ...fields };
}

function check(required: readonly Required[], references: readonly Reference[] = [], stage = 0): readonly string[] {
  const provided: Provided[] = references.map((reference) => ({ reference, stage }));
  return errorsIn(checkReferences(required, provided)).map(({ message }) => message);
}

test('what is provided in an earlier or the same stage satisfies', () => {
  expect(check([need(secret('a'))], [secret('a')], 0)).toEqual([]);
  expect(check([need(secret('a'))], [secret('a')], 1)).toEqual([]);
});

test('what is provided in a later stage comes too late', () => {
  expect(check([need(secret('a'))], [secret('a')], 2)).toEqual([
    expect.stringContaining(
      'Secret linkerd/a comes into being in a later stage than Deployment linkerd/identity (spec.x)',
    ),
  ]);
});

test('what is named whenever it comes may come later, but must come', () => {
  expect(check([need(secret('a'), { anyStage: true })], [secret('a')], 2)).toEqual([]);
  expect(check([need(secret('a'), { anyStage: true })])).toHaveLength(1);
});

test('the earliest provider counts', () => {
  const provided = [
    { reference: secret('a'), stage: 5 },
    { reference: secret('a'), stage: 0 },
  ];
  expect(checkReferences([need(secret('a'))], provided)).toEqual([]);
});

test('what nobody provides is a problem at the construct that needs it', () => {
  expect(errorsIn(checkReferences([need(secret('a'))], []))).toEqual([
    {
      path: 'home/mesh',
      message:
        'Secret linkerd/a does not exist, but Deployment linkerd/identity (spec.x) needs it. ' +
        'No construct of this cluster emits it or declares that it comes into being. ' +
        "Fix: emit it, or declare that it exists: external: [{ kind: 'Secret', namespace: 'linkerd', name: 'a' }].",
    },
  ]);
});

test('a similar name is suggested', () => {
  expect(check([need(secret('identity-isuer'))], [secret('identity-issuer')])).toEqual([
    expect.stringContaining('did you mean identity-issuer?'),
  ]);
});

test('names that have little in common are not suggested', () => {
  expect(check([need(secret('identity'))], [secret('webhook')])[0]).not.toContain('did you mean');
});

test('the same name in another namespace is pointed out', () => {
  expect(check([need(secret('a'))], [secret('a', 'certs')])).toEqual([
    expect.stringContaining('one of that name is in namespace certs'),
  ]);
});

test('another kind of that name does not satisfy', () => {
  expect(check([need(secret('a'))], [{ kind: 'ConfigMap', namespace: 'linkerd', name: 'a' }])).toHaveLength(1);
});

test('an object that several need is one problem', () => {
  const namespace: Reference = { kind: 'Namespace', name: 'lost' };
  const needs = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    need(namespace, { by: `ConfigMap lost/${name}`, field: undefined }),
  );
  expect(check(needs)).toEqual([
    expect.stringContaining('but ConfigMap lost/a, ConfigMap lost/b, ConfigMap lost/c and 2 more need it'),
  ]);
});

test('one of several readings is enough', () => {
  const readings: Reference[] = [
    { kind: 'Middleware', namespace: 'my', name: 'ns-auth' },
    { kind: 'Middleware', namespace: 'my-ns', name: 'auth' },
  ];
  expect(check([need(readings)], [{ kind: 'Middleware', namespace: 'my-ns', name: 'auth' }])).toEqual([]);
  expect(check([need(readings)])).toEqual([expect.stringContaining('Middleware my-ns-auth does not exist')]);
});

test('without a namespace any will do', () => {
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
])('$kind $name exists in every cluster', (reference) => {
  expect(check([need(reference, { stage: 0 })])).toEqual([]);
});
