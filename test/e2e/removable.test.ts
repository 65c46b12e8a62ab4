import type { Listed } from './inventory';
import { inRemovalOrder, promisesOf, removable, staysWithoutApplication } from './removable';

const listed = (kind: string, name: string, more: Partial<Listed> = {}): Listed => ({
  kind,
  apiVersion: 'v1',
  name,
  uid: `${kind}-${name}-${more.namespace}`,
  isOwned: false,
  ...more,
});

const OWNERSHIP = {
  objects: [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'linkerd-policy' } },
  ],
  namespaces: ['linkerd', 'linkerd-e2e'],
  run: 'e2e-1',
  certManagerNamespace: 'cert-manager',
};

const names = (fresh: readonly Listed[]) => removable(fresh, OWNERSHIP).map(({ name }) => name);

describe('the cleanup of an end-to-end run', () => {
  test('removes objects in its namespaces, with its label, or in its output', () => {
    const fresh = [
      listed('ConfigMap', 'inside', { namespace: 'linkerd' }),
      listed('ClusterRole', 'labelled', { run: 'e2e-1' }),
      listed('ClusterRole', 'linkerd-policy'),
      listed('Namespace', 'linkerd-e2e'),
    ];
    expect(names(fresh)).toEqual(['inside', 'labelled', 'linkerd-policy', 'linkerd-e2e']);
  });

  test('removes no namespace of other programs, even with its label or in its output', () => {
    expect(names([listed('Namespace', 'kube-system'), listed('Namespace', 'theirs', { run: 'e2e-1' })])).toEqual([]);
  });

  test('removes no objects that other programs created meanwhile', () => {
    const fresh = [
      listed('ConfigMap', 'theirs', { namespace: 'shop' }),
      listed('ClusterRole', 'theirs'),
      listed('Secret', 'theirs', { namespace: 'cert-manager' }),
    ];
    expect(names(fresh)).toEqual([]);
  });

  test("removes the operator's anchors in the namespace of an existing cert-manager", () => {
    const anchor = listed('Secret', 'linkerd-trust-anchor-1', { namespace: 'cert-manager' });
    const issuer = listed('ClusterIssuer', 'linkerd-identity-issuer', { apiVersion: 'cert-manager.io/v1' });
    expect(names([anchor, issuer, listed('ClusterIssuer', 'letsencrypt')])).toEqual([anchor.name, issuer.name]);
  });
});

describe('inRemovalOrder', () => {
  test('begins with objects that can refuse deletions, ends with CRDs, and leaves objects to the deletion of their namespace', () => {
    const objects = [
      listed('CustomResourceDefinition', 'servers.policy.linkerd.io'),
      listed('Namespace', 'linkerd'),
      listed('ConfigMap', 'inside', { namespace: 'linkerd' }),
      listed('TrustAnchor', 'linkerd', { apiVersion: 'config.linkerd.io/v1alpha1' }),
      listed('ValidatingAdmissionPolicy', 'linkerd-trust-roots'),
    ];
    expect(inRemovalOrder(objects).map((stage) => stage.map(({ kind }) => kind))).toEqual([
      ['ValidatingAdmissionPolicy'],
      ['TrustAnchor'],
      ['Namespace'],
      ['CustomResourceDefinition'],
    ]);
  });

  test('is empty for no objects', () => expect(inRemovalOrder([])).toEqual([]));
});

describe('an object of an end-to-end run whose Applications are deleted', () => {
  const object = (options: string) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'linkerd', annotations: { 'argocd.argoproj.io/sync-options': options } },
  });

  test('stays if it has Delete=false', () => {
    expect(staysWithoutApplication(object('Prune=false,Delete=false'))).toBe(true);
    expect(staysWithoutApplication(object('Prune=false'))).toBe(false);
    expect(staysWithoutApplication({ ...object(''), metadata: { name: 'linkerd' } })).toBe(false);
  });

  test('has a reason to stay if it has Delete=false or if the cluster or the operator made it', () => {
    const promises = promisesOf([object('Delete=false')], ['linkerd']);
    const reasonOf = (one: Listed) => promises.find(({ is }) => is(one))?.reason;
    expect(reasonOf(listed('Namespace', 'linkerd'))).toBe('Delete=false');
    expect(reasonOf(listed('ServiceAccount', 'default', { namespace: 'linkerd' }))).toBeDefined();
    expect(reasonOf(listed('ServiceAccount', 'default', { namespace: 'shop' }))).toBeUndefined();
    expect(reasonOf(listed('ConfigMap', 'linkerd-config-baseline', { namespace: 'linkerd' }))).toBeDefined();
    expect(reasonOf(listed('ConfigMap', 'linkerd-config', { namespace: 'linkerd' }))).toBeUndefined();
    expect(reasonOf(listed('Deployment', 'linkerd-identity', { namespace: 'linkerd' }))).toBeUndefined();
    expect(reasonOf(listed('ClusterRole', 'linkerd-policy'))).toBeUndefined();
  });
});
