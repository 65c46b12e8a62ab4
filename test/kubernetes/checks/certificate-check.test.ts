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
  [{ duration: '24' }, 'certificate-refused', { field: 'duration', value: '24' }],
  [{ renewBefore: '30d' }, 'certificate-refused', { field: 'renewBefore', value: '30d' }],
  [{ duration: '' }, 'certificate-refused', { field: 'duration', value: '' }],
  [{ duration: '59m' }, 'certificate-refused', { fields: 'spec.duration is 59m' }],
  [
    { duration: '24h', renewBefore: '4m59s' },
    'certificate-refused',
    { fields: 'spec.renewBefore is 4m59s, and spec.duration 24h' },
  ],
  [
    { duration: '24h', renewBefore: '24h' },
    'certificate-refused',
    { fields: 'spec.renewBefore is 24h, and spec.duration 24h' },
  ],
  [
    { renewBefore: '2160h' },
    'certificate-refused',
    { fields: 'spec.renewBefore is 2160h, and spec.duration by default 2160h' },
  ],
  [
    { renewBefore: '1h', renewBeforePercentage: 30 },
    'certificate-refused',
    { fault: 'both spec.renewBefore and spec.renewBeforePercentage' },
  ],
  [{ renewal: {} }, 'certificate-refused', { fault: 'an empty spec.renewal' }],
])('%j is refused', (spec, code, parameters) => {
  expect(problems(spec)).toMatchObject([{ code, place: 'Certificate shop/api', parameters }]);
});

test('everything is reported at once', () => {
  expect(problems({ duration: '30d', renewBefore: '24', renewal: {} })).toHaveLength(3);
});

test('Certificates of others are not looked at', () => {
  expect(checkCertificate(certificate({ duration: '30d' }, 'networking.internal.knative.dev/v1'))).toEqual([]);
});
