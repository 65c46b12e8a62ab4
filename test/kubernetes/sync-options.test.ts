import type { KubernetesObject } from '#lib/kubernetes/kubernetes-object';
import { keepOnPrune, withSyncAnnotations } from '#lib/kubernetes/sync-options';

test('Argo CD neither prunes nor deletes an object to keep, nor reports it as a difference', () => {
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

test('a built-in object in wave 0 stays as it is', () => {
  expect(annotations('apps/v1', 0)).toBeUndefined();
});

test('any other wave is written beside existing sync options', () => {
  expect(annotations('v1', -2, { a: 'b' })).toEqual({ a: 'b', [WAVE]: '-2' });
});

test.each(['cert-manager.io/v1', 'trust.cert-manager.io/v1alpha1', 'gateway.networking.k8s.io/v1', 'example.com/v1'])(
  'a custom resource (%s) is not tried out before its definition is there',
  (apiVersion) => {
    expect(annotations(apiVersion, 0)).toEqual({ [OPTIONS]: 'SkipDryRunOnMissingResource=true' });
  },
);

test.each(['v1', 'apps/v1', 'batch/v1', 'rbac.authorization.k8s.io/v1', 'apiextensions.k8s.io/v1'])(
  'a built-in kind (%s) needs no definition',
  (apiVersion) => {
    expect(annotations(apiVersion, 0)).toBeUndefined();
  },
);

test('other sync options stay', () => {
  expect(annotations('cert-manager.io/v1', 0, { [OPTIONS]: 'Prune=false' })).toEqual({
    [OPTIONS]: 'Prune=false,SkipDryRunOnMissingResource=true',
  });
});

test('an option that is set already is not set again', () => {
  const before = { [OPTIONS]: 'SkipDryRunOnMissingResource=false' };
  expect(annotations('cert-manager.io/v1', 0, before)).toEqual(before);
});
