import { type Cluster, MultusAttach, OperatorImage, ReconcilerOperator } from '#lib';
import { prepareTree } from '#lib/gitops/tree/prepare';
import { addControlPlane, build, buildOperator } from './fixture';

const problemOf = (...args: Parameters<typeof buildOperator>) => {
  const [problem, ...ofObjects] = buildOperator(...args).errors;
  // An object with the wrong value may be refused, too.
  expect(ofObjects.length).toBeLessThanOrEqual(1);
  return problem;
};

test.each([0, -1, 1.5, Number.NaN])('synth refuses %d replicas of the operator', (replicas) => {
  expect(problemOf({ replicas })).toMatchObject({ code: 'operator-setting-refused', parameters: { replicas } });
});

test.each([[[]], [['a,b']], [['']], [[' ']]])('synth refuses the installers %j', (installerFieldManagers) => {
  expect(problemOf({ installerFieldManagers })).toMatchObject({
    code: 'operator-setting-refused',
    parameters: { managers: installerFieldManagers.map((manager) => `"${manager}"`).join(', ') },
  });
});

test.each(['kube-system', 'cert-manager'])(
  'synth refuses an operator in %s, where the injector meshes no pods',
  (namespace) => {
    expect(buildOperator({ namespace }).errors).toContainEqual(
      expect.objectContaining({
        code: 'namespace-never-injected',
        parameters: expect.objectContaining({ workload: 'The operator', namespace }),
      }),
    );
  },
);

test('synth refuses an operator image without a version', () => {
  expect(problemOf({ image: OperatorImage.fromRegistry('ghcr.io/acme/operator') })).toMatchObject({
    code: 'operator-image-refused',
    parameters: { field: 'image', reference: 'ghcr.io/acme/operator' },
  });
});

test('synth refuses operator resources that are not quantities', () => {
  expect(problemOf({ resources: { memory: { limit: '1 GB' } } })).toMatchObject({
    what: expect.stringContaining('resources.memory.limit is "1 GB"'),
  });
});

test.each([
  [{ namespace: 'monitoring', labels: { 'not ok!': 'x' } }, 'monitoring.labels'],
  [{ namespace: 'monitoring', labels: { ok: 'not ok!' } }, 'monitoring.labels["ok"]'],
])('synth refuses an operator with %j', (monitoring, field) => {
  expect(buildOperator({ monitoring }).problems.join()).toContain(field);
});

describe('the attachment of pods by Multus', () => {
  const attached = { cni: {}, attached: [] };

  test('needs a CNI plugin', () => expect(problemOf({ multus: true })).toMatchObject({ code: 'multus-without-cni' }));

  test('requires a MultusAttach for the control plane', () => {
    expect(problemOf({ multus: true }, { cni: {} })).toMatchObject({ code: 'multus-attach-mismatch' });
  });

  test.each([
    ['linkerd', 'control plane'],
    ['linkerd-cni', 'CNI plugin'],
  ])('is refused for an operator in the namespace %s', (namespace, owner) => {
    const { errors } = buildOperator({ multus: true, namespace }, attached);
    expect(errors).toContainEqual(
      expect.objectContaining({
        code: 'operator-namespace-taken',
        parameters: { field: 'namespace', namespace, owner },
      }),
    );
  });

  const attachLater =
    (multus: boolean | undefined, between: (operator: ReconcilerOperator) => void = () => {}) =>
    (cluster: Cluster) => {
      const controlPlane = addControlPlane(cluster, { cni: {} });
      between(new ReconcilerOperator(cluster, 'operator', { controlPlane, multus }));
      new MultusAttach(cluster, 'multus', { controlPlane, namespaces: [], operatorNamespace: 'linkerd-reconciler' });
    };

  test('is detected if MultusAttach is created after the operator', () => {
    for (const multus of [undefined, true]) {
      const { objects, problems } = build(attachLater(multus));
      expect(problems).toEqual([]);
      const { template } = objects.get('linkerd-reconciler/deployment.linkerd-reconciler').spec;
      expect(template.metadata.annotations).toMatchObject({ 'k8s.v1.cni.cncf.io/networks': 'linkerd-cni' });
      expect(template.spec.containers[0].args).toContain('--cni-namespace=linkerd-cni');
    }
  });

  test('is refused if MultusAttach is created after the operator was prepared', () => {
    const look = (operator: ReconcilerOperator) => prepareTree(operator, 'Platform');
    expect(build(attachLater(undefined, look)).errors).toMatchObject([{ code: 'multus-attach-mismatch' }]);
    expect(build(attachLater(true, look)).problems).toEqual([]);
  });

  test('can be turned off for an operator in the namespace of the control plane', () => {
    expect(buildOperator({ multus: false, namespace: 'linkerd' }, attached).problems).toEqual([]);
  });
});
