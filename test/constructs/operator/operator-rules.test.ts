import { type Cluster, MultusAttach, OperatorImage, ReconcilerOperator } from '#lib';
import { prepareTree } from '#lib/gitops/tree/prepare';
import { addControlPlane, build, buildOperator } from './fixture';

const problemOf = (...args: Parameters<typeof buildOperator>) => {
  const [problem, ...ofObjects] = buildOperator(...args).errors;
  // What is made of the value may be refused as well.
  expect(ofObjects.length).toBeLessThanOrEqual(1);
  return problem;
};

test.each([0, -1, 1.5, Number.NaN])('%d replicas are refused', (replicas) => {
  expect(problemOf({ replicas })).toMatchObject({ code: 'operator-setting-refused', parameters: { replicas } });
});

test.each([[[]], [['a,b']], [['']], [[' ']]])('installers %j are refused', (installerFieldManagers) => {
  expect(problemOf({ installerFieldManagers })).toMatchObject({
    code: 'operator-setting-refused',
    parameters: { managers: installerFieldManagers.map((manager) => `"${manager}"`).join(', ') },
  });
});

test.each(['kube-system', 'cert-manager'])('%s is no place for it, since nothing is meshed there', (namespace) => {
  expect(buildOperator({ namespace }).errors).toContainEqual(
    expect.objectContaining({
      code: 'namespace-never-injected',
      parameters: expect.objectContaining({ workload: 'The operator', namespace }),
    }),
  );
});

test('an image needs a version', () => {
  expect(problemOf({ image: OperatorImage.fromRegistry('ghcr.io/acme/operator') })).toMatchObject({
    code: 'operator-image-refused',
    parameters: { field: 'image', reference: 'ghcr.io/acme/operator' },
  });
});

test('resources are quantities', () => {
  expect(problemOf({ resources: { memory: { limit: '1 GB' } } })).toMatchObject({
    what: expect.stringContaining('resources.memory.limit is "1 GB"'),
  });
});

test.each([
  [{ namespace: 'monitoring', labels: { 'not ok!': 'x' } }, 'monitoring.labels'],
  [{ namespace: 'monitoring', labels: { ok: 'not ok!' } }, 'monitoring.labels["ok"]'],
])('%j is refused', (monitoring, field) => {
  expect(buildOperator({ monitoring }).problems.join()).toContain(field);
});

describe('Multus', () => {
  const attached = { cni: {}, attached: [] };

  test('needs a CNI plugin', () => {
    expect(problemOf({ multus: true })).toMatchObject({ code: 'multus-without-cni' });
  });

  test('needs the control plane to attach', () => {
    expect(problemOf({ multus: true }, { cni: {} })).toMatchObject({ code: 'multus-attach-mismatch' });
  });

  test.each([
    ['linkerd', 'control plane'],
    ['linkerd-cni', 'CNI plugin'],
  ])('cannot be served from %s', (namespace, owner) => {
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

  test('is noticed where it comes after the operator', () => {
    for (const multus of [undefined, true]) {
      const { objects, problems } = build(attachLater(multus));
      expect(problems).toEqual([]);
      const { template } = objects.get('linkerd-reconciler/deployment.linkerd-reconciler').spec;
      expect(template.metadata.annotations).toMatchObject({ 'k8s.v1.cni.cncf.io/networks': 'linkerd-cni' });
      expect(template.spec.containers[0].args).toContain('--cni-namespace=linkerd-cni');
    }
  });

  test('is reported where it comes after code that looked into the operator', () => {
    const look = (operator: ReconcilerOperator) => prepareTree(operator, 'Platform');
    expect(build(attachLater(undefined, look)).errors).toMatchObject([{ code: 'multus-attach-mismatch' }]);
    expect(build(attachLater(true, look)).problems).toEqual([]);
  });

  test("does not concern an operator in the control plane's namespace", () => {
    expect(buildOperator({ multus: false, namespace: 'linkerd' }, attached).problems).toEqual([]);
  });
});
