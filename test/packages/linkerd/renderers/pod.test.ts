import { livenessProbe, readinessProbe } from '#linkerd/renderers/pod/probes';
import { resources } from '#linkerd/renderers/pod/resources';
import { caInjection, pinnedCa } from '#linkerd/renderers/pod/serving-certificate';

// Values that the comparisons with Helm lack.

test('probes omit a timeout of zero, which the API server refuses', () => {
  expect(livenessProbe({ timeoutSeconds: 0 }, 9990)).not.toHaveProperty('timeoutSeconds');
  expect(readinessProbe({ timeoutSeconds: 0 }, 9990)).not.toHaveProperty('timeoutSeconds');
});

test('resources are written as strings, because Kubernetes stores quantities as strings', () => {
  expect(resources({ cpu: { limit: 2 } })?.limits).toEqual({ cpu: '2' });
});

const NONE = { caBundle: undefined, injectCaFrom: undefined, injectCaFromSecret: undefined };

test('caInjection names a Certificate or a Secret for cert-manager', () => {
  expect(caInjection({ ...NONE, injectCaFrom: 'a/b' })).toEqual({
    annotations: { 'cert-manager.io/inject-ca-from': 'a/b' },
  });
  expect(caInjection({ ...NONE, injectCaFromSecret: 'a/b' })).toEqual({
    annotations: { 'cert-manager.io/inject-ca-from-secret': 'a/b' },
  });
  expect(caInjection(NONE)).toEqual({});
});

test('pinnedCa encodes a CA of values in base64, unless cert-manager injects one', () => {
  expect(pinnedCa({ ...NONE, caBundle: '-----BEGIN A-----\n' })).toEqual({ caBundle: 'LS0tLS1CRUdJTiBBLS0tLS0=' });
  expect(pinnedCa({ ...NONE, caBundle: 'A', injectCaFrom: 'a/b' })).toEqual({});
  expect(pinnedCa({ ...NONE, caBundle: '' })).toEqual({});
});
