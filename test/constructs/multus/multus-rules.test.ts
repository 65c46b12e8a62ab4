import { checkMultus, type MultusFacts } from '../../../lib/constructs/multus/multus-rules';

const facts: MultusFacts = {
  namespaces: [{ name: 'shop' }],
  controlPlaneNamespace: 'linkerd',
  cniNamespace: 'linkerd-cni',
  operatorNamespace: 'multus-operator',
};
const whats = (changes: Partial<MultusFacts>) => checkMultus({ ...facts, ...changes }).map(({ what }) => what);

test('a good one has no problems', () => {
  expect(whats({})).toEqual([]);
  expect(whats({ operatorNamespace: undefined })).toEqual([]);
});

test('without a CNI plugin there is nothing to attach to', () => {
  expect(whats({ cniNamespace: undefined })).toEqual(['The control plane of MultusAttach has no cni']);
  expect(whats({ cniNamespace: undefined, operatorNamespace: undefined })).toHaveLength(1);
});

test.each(['kube-system', 'linkerd-cni'])('%s is not attached', (name) => {
  expect(whats({ namespaces: [{ name }] })).toEqual([`namespaces names ${name}`]);
});

test('namespaces have names that Kubernetes takes', () => {
  expect(whats({ namespaces: [{ name: 'Shop' }] })).toEqual([expect.stringContaining('"Shop"')]);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])('%d is no user of a proxy', (proxyUid) => {
  expect(whats({ namespaces: [{ name: 'shop', proxyUid }] })).toEqual([`proxyUid of namespace shop is ${proxyUid}`]);
});

test.each([
  ['linkerd', "the control plane's"],
  ['linkerd-cni', "the CNI plugin's"],
])('an operator in %s would not see its pods', (operatorNamespace, whose) => {
  expect(whats({ operatorNamespace })).toEqual([`operatorNamespace is ${operatorNamespace}, ${whose} namespace`]);
});
