import { checkCertificate } from '../../../lib/kubernetes/checks/certificate-check';

const certificate = (spec: unknown, apiVersion = 'cert-manager.io/v1') => ({
  apiVersion,
  kind: 'Certificate',
  metadata: { name: 'api', namespace: 'shop' },
  spec,
});
const whats = (spec: unknown) => checkCertificate(certificate(spec)).map(({ what }) => what);

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
  expect(whats(spec)).toEqual([]);
});

test.each([
  [{ duration: '24' }, 'Certificate shop/api: spec.duration is "24", which is no duration'],
  [{ renewBefore: '30d' }, 'Certificate shop/api: spec.renewBefore is "30d", which is no duration'],
  [{ duration: '' }, 'Certificate shop/api: spec.duration is "", which is no duration'],
  [{ duration: '59m' }, 'Certificate shop/api: spec.duration is 59m'],
  [{ duration: '24h', renewBefore: '4m59s' }, 'Certificate shop/api: spec.renewBefore is 4m59s'],
  [{ duration: '24h', renewBefore: '24h' }, 'Certificate shop/api: spec.renewBefore is 24h, and spec.duration 24h'],
  [{ renewBefore: '2160h' }, 'Certificate shop/api: spec.renewBefore is 2160h, and spec.duration by default 2160h'],
  [
    { renewBefore: '1h', renewBeforePercentage: 30 },
    'Certificate shop/api has both spec.renewBefore and spec.renewBeforePercentage',
  ],
  [{ renewal: {} }, 'Certificate shop/api: spec.renewal is empty'],
])('%j is refused', (spec, what) => {
  expect(whats(spec)).toEqual([what]);
});

test('everything is reported at once', () => {
  expect(whats({ duration: '30d', renewBefore: '24', renewal: {} })).toHaveLength(3);
});

test('Certificates of others are not looked at', () => {
  expect(checkCertificate(certificate({ duration: '30d' }, 'networking.internal.knative.dev/v1'))).toEqual([]);
});
