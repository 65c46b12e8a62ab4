import { keepOnPrune, withSyncAnnotations } from '#kubernetes/objects/argocd-annotations';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';

test('keepOnPrune forbids Argo CD to prune, delete or report an object', () => {
  expect(keepOnPrune()).toEqual({
    'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
    'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  });
});

const OPTIONS = 'argocd.argoproj.io/sync-options';
const WAVE = 'argocd.argoproj.io/sync-wave';

function annotations(apiVersion: string, wave: number, before?: Record<string, string>) {
  const object: KubernetesObject = { apiVersion, kind: 'X', metadata: { name: 'x', annotations: before } };
  return withSyncAnnotations(object, wave).metadata.annotations;
}

test('withSyncAnnotations does not change a built-in object in wave 0', () => {
  expect(annotations('apps/v1', 0)).toBeUndefined();
});

test('withSyncAnnotations adds a wave other than 0 to existing annotations', () => {
  expect(annotations('v1', -2, { a: 'b' })).toEqual({ a: 'b', [WAVE]: '-2' });
});

test.each(['cert-manager.io/v1', 'trust.cert-manager.io/v1alpha1', 'gateway.networking.k8s.io/v1', 'example.com/v1'])(
  'withSyncAnnotations adds SkipDryRunOnMissingResource to a custom resource (%s)',
  (apiVersion) => expect(annotations(apiVersion, 0)).toEqual({ [OPTIONS]: 'SkipDryRunOnMissingResource=true' }),
);

test.each(['v1', 'apps/v1', 'batch/v1', 'rbac.authorization.k8s.io/v1', 'apiextensions.k8s.io/v1'])(
  'withSyncAnnotations does not change an object of a built-in kind (%s)',
  (apiVersion) => expect(annotations(apiVersion, 0)).toBeUndefined(),
);

test('withSyncAnnotations keeps other sync options', () => {
  expect(annotations('cert-manager.io/v1', 0, { [OPTIONS]: 'Prune=false' })).toEqual({
    [OPTIONS]: 'Prune=false,SkipDryRunOnMissingResource=true',
  });
});

test('withSyncAnnotations does not override an option that is set', () => {
  const before = { [OPTIONS]: 'SkipDryRunOnMissingResource=false' };
  expect(annotations('cert-manager.io/v1', 0, before)).toEqual(before);
});
