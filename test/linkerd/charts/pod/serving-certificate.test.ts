import { caInjection, pinnedCa } from '../../../../lib/linkerd/charts/pod/serving-certificate';

const NONE = { caBundle: undefined, injectCaFrom: undefined, injectCaFromSecret: undefined };

test('cert-manager injects the CA of a Certificate, or of a Secret', () => {
  expect(caInjection({ ...NONE, injectCaFrom: 'a/b' })).toEqual({
    annotations: { 'cert-manager.io/inject-ca-from': 'a/b' },
  });
  expect(caInjection({ ...NONE, injectCaFromSecret: 'a/b' })).toEqual({
    annotations: { 'cert-manager.io/inject-ca-from-secret': 'a/b' },
  });
  expect(caInjection(NONE)).toEqual({});
});

test('a CA in values is there in base64, unless cert-manager injects one', () => {
  expect(pinnedCa({ ...NONE, caBundle: '-----BEGIN A-----\n' })).toEqual({ caBundle: 'LS0tLS1CRUdJTiBBLS0tLS0=' });
  expect(pinnedCa({ ...NONE, caBundle: 'A', injectCaFrom: 'a/b' })).toEqual({});
  expect(pinnedCa({ ...NONE, caBundle: '' })).toEqual({});
});
