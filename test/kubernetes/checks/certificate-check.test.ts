import { checkCertificate } from '../../../lib/kubernetes/checks/certificate-checks';

const certificate = (spec: unknown, apiVersion = 'cert-manager.io/v1') => ({
  apiVersion,
  kind: 'Certificate',
  metadata: { name: 'api', namespace: 'shop' },
  spec,
});
const problems = (spec: unknown) => checkCertificate(certificate(spec));

test.each([
  [{}],
  [{ duration: '1h', renewBefore: '5m' }],
  [{ renewBefore: '2159h59m' }],
  [{ duration: '24h', renewBeforePercentage: 30 }],
  [{ renewal: { policy: 'Disabled' } }],
  // Not for us, but for the schema.
  [{ duration: 24 }],
  ['none'],
])('nothing is wrong with %j', (spec) => {
  expect(problems(spec)).toEqual([]);
});

test.each<[object, string, object]>([
  [{ duration: '24' }, 'duration', { field: 'duration', value: '24' }],
  [{ renewBefore: '30d' }, 'duration', { field: 'renewBefore', value: '30d' }],
  [{ duration: '' }, 'duration', { field: 'duration', value: '' }],
  [{ duration: '59m' }, 'duration-short', { duration: '59m' }],
  [{ duration: '24h', renewBefore: '4m59s' }, 'window', { renewBefore: '4m59s', duration: '24h' }],
  [{ duration: '24h', renewBefore: '24h' }, 'window', { renewBefore: '24h', duration: '24h' }],
  [{ renewBefore: '2160h' }, 'window', { renewBefore: '2160h', duration: '2160h' }],
  [{ renewBefore: '1h', renewBeforePercentage: 30 }, 'renewal-twice', {}],
  [{ renewal: {} }, 'renewal-empty', {}],
])('%j is refused: %s', (spec, cause, parameters) => {
  expect(problems(spec)).toMatchObject([
    { code: 'certificate-refused', cause, place: 'Certificate shop/api', parameters },
  ]);
});

test('everything is reported at once', () => {
  expect(problems({ duration: '30d', renewBefore: '24', renewal: {} })).toHaveLength(3);
});

test('Certificates of others are not looked at', () => {
  expect(checkCertificate(certificate({ duration: '30d' }, 'networking.internal.knative.dev/v1'))).toEqual([]);
});
