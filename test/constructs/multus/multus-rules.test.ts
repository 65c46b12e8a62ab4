import { checkMultus, type MultusFacts } from '#lib/constructs/multus/multus-attach';

const facts: MultusFacts = {
  namespaces: [{ name: 'shop' }],
  controlPlaneNamespace: 'linkerd',
  cniNamespace: 'linkerd-cni',
  operatorNamespace: 'multus-operator',
};
const check = (changes: Partial<MultusFacts>) => checkMultus({ ...facts, ...changes });

test('synth refuses MultusAttach without a CNI plugin', () => {
  expect(check({ cniNamespace: undefined })).toMatchObject([
    { code: 'multus-without-cni', parameters: { needing: 'MultusAttach' } },
  ]);
  expect(check({ cniNamespace: undefined, operatorNamespace: undefined })).toHaveLength(1);
});

test.each(['kube-system', 'linkerd-cni'])('synth refuses to attach the namespace %s', (name) => {
  expect(check({ namespaces: [{ name }] })).toMatchObject([
    { code: 'namespace-not-attachable', parameters: { namespace: name } },
  ]);
});

test('synth refuses to attach namespaces of invalid names', () => {
  expect(check({ namespaces: [{ name: 'Shop' }] })).toMatchObject([{ what: expect.stringContaining('"Shop"') }]);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])('synth refuses %d as the user ID of a proxy', (proxyUid) => {
  expect(check({ namespaces: [{ name: 'shop', proxyUid }] })).toMatchObject([
    { code: 'control-plane-value-refused', parameters: { path: 'proxyUid of namespace shop', value: proxyUid } },
  ]);
});

test.each([
  ['linkerd', 'control plane'],
  ['linkerd-cni', 'CNI plugin'],
])('synth refuses an operator in %s, whose other pods it would not attach', (operatorNamespace, owner) => {
  expect(check({ operatorNamespace })).toMatchObject([
    {
      code: 'operator-namespace-taken',
      parameters: { field: 'operatorNamespace', namespace: operatorNamespace, owner },
    },
  ]);
});
