import { type Cluster, LinkerdCni, LinkerdControlPlane, MultusAttach, ReconcilerOperator } from '#lib';
import { addPki } from '../../support/control-plane-fixture';
import { build } from './fixture';

type Props = Partial<ConstructorParameters<typeof ReconcilerOperator>[2]>;

/** Builds a MultusAttach for the operator in a namespace, and then a ReconcilerOperator. */
const beside = (operatorNamespace: string | undefined, props: Props = {}) => {
  let multus: boolean | undefined;
  const { errors } = build((cluster) => {
    const controlPlane = attached(cluster, operatorNamespace);
    multus = new ReconcilerOperator(cluster, 'operator', { controlPlane, ...props }).multus;
  });
  return { multus, problems: errors };
};

function attached(cluster: Cluster, operatorNamespace: string | undefined): LinkerdControlPlane {
  const cni = new LinkerdCni(cluster, 'cni');
  const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', { ...addPki(cluster), cni });
  new MultusAttach(cluster, 'multus', { controlPlane, namespaces: [], operatorNamespace });
  return controlPlane;
}

test.each([undefined, 'linkerd-reconciler'])('an operator attaches pods for operatorNamespace: %j', (namespace) => {
  expect(beside(namespace)).toEqual({ multus: true, problems: [] });
});

test('an operator attaches no pods if MultusAttach names another operator', () => {
  expect(beside('linkerd-multus-controller')).toEqual({ multus: false, problems: [] });
});

test('synth refuses two operators that attach the same pods', () => {
  expect(beside('linkerd-multus-controller', { multus: true }).problems).toMatchObject([
    { code: 'multus-attach-mismatch', parameters: { path: 'home/multus', other: 'linkerd-multus-controller' } },
  ]);
});

test('synth refuses multus: false of the operator that MultusAttach names', () => {
  expect(beside('linkerd-reconciler', { multus: false }).problems).toMatchObject([
    { code: 'multus-attach-mismatch', parameters: { path: 'home/multus', namespace: 'linkerd-reconciler' } },
  ]);
});

test('MultusAttach finds an operator in another namespace than the default', () => {
  expect(beside('operators', { namespace: 'operators' })).toEqual({ multus: true, problems: [] });
  expect(beside('linkerd-reconciler', { namespace: 'operators', multus: true }).problems).toHaveLength(1);
});

test('synth compares an operator with a MultusAttach that is created later', () => {
  const { errors } = build((cluster) => {
    const cni = new LinkerdCni(cluster, 'cni');
    const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', { ...addPki(cluster), cni });
    new ReconcilerOperator(cluster, 'operator', { controlPlane, multus: true });
    new MultusAttach(cluster, 'multus', { controlPlane, namespaces: [], operatorNamespace: 'elsewhere' });
  });
  expect(errors).toMatchObject([
    { code: 'multus-attach-mismatch', parameters: { path: 'home/multus', other: 'elsewhere' } },
  ]);
});

test('synth reports an invalid namespace of the operator once, at MultusAttach', () => {
  const taken = (field: string) =>
    expect.objectContaining({
      code: 'operator-namespace-taken',
      parameters: { field, namespace: 'linkerd-cni', owner: 'CNI plugin' },
    });
  const both = beside('linkerd-cni', { namespace: 'linkerd-cni' });
  expect(both.problems).toContainEqual(taken('operatorNamespace'));
  expect(both.problems).not.toContainEqual(taken('namespace'));
  expect(beside(undefined, { namespace: 'linkerd-cni', multus: true }).problems).toContainEqual(taken('namespace'));
});
