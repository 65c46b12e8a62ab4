import fc from 'fast-check';
import { BadAdmissionRequest } from '#controller-runtime/webhook/admission';
import { readAdmissionReview, writeAdmissionReview } from '#controller-runtime/webhook/admission-review';

const REQUEST = {
  uid: 'f0b2',
  operation: 'CREATE',
  kind: { group: '', version: 'v1', kind: 'Pod' },
  resource: { group: '', version: 'v1', resource: 'pods' },
  namespace: 'shop',
  userInfo: { username: 'jane' },
  object: { metadata: {} },
};
const review = (request: unknown) => ({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });

test('the webhook reads the request of a review', () => {
  expect(readAdmissionReview(JSON.stringify(review(REQUEST)))).toEqual(REQUEST);
});

test.each<[string, string]>([
  ['the body is not JSON', ''],
  ['the body is not JSON', '{"apiVersion":'],
  ['the body is not an object', 'null'],
  ['the body is not an AdmissionReview of admission.k8s.io/v1', '{}'],
  ['the body is not an AdmissionReview of admission.k8s.io/v1', '[]'],
  [
    'the body is not an AdmissionReview of admission.k8s.io/v1',
    JSON.stringify({ ...review(REQUEST), apiVersion: 'admission.k8s.io/v1beta1' }),
  ],
  ['the body is not an AdmissionReview of admission.k8s.io/v1', JSON.stringify({ ...review(REQUEST), kind: 'Pod' })],
  ['request is not an object', JSON.stringify(review(undefined))],
  ['request.kind is not an object', JSON.stringify(review({ ...REQUEST, kind: 'Pod' }))],
  ['request.resource is not an object', JSON.stringify(review({ ...REQUEST, resource: null }))],
  ['request.userInfo is not an object', JSON.stringify(review({ ...REQUEST, userInfo: undefined }))],
  ['request.uid is missing', JSON.stringify(review({ ...REQUEST, uid: '' }))],
  ['request.uid is missing', JSON.stringify(review({ ...REQUEST, uid: 5 }))],
  ['request.operation is missing', JSON.stringify(review({ ...REQUEST, operation: undefined }))],
])('the webhook rejects with the message "%s" the review %j', (message, text) =>
  expect(() => readAdmissionReview(text)).toThrow(new BadAdmissionRequest(message)),
);

test('the webhook reads any body as a request or rejects it', () => {
  const read = (text: string): boolean => {
    try {
      readAdmissionReview(text);
      return true;
    } catch (error) {
      return error instanceof BadAdmissionRequest;
    }
  };
  fc.assert(fc.property(fc.string(), read));
  fc.assert(fc.property(fc.json(), read));
  fc.assert(fc.property(fc.jsonValue(), (request) => read(JSON.stringify(review(request)))));
});

const response = (...args: Parameters<typeof writeAdmissionReview>) => JSON.parse(writeAdmissionReview(...args));

test('the webhook answers with a patch as base64 of JSON', () => {
  const patch = [{ op: 'add', path: '/metadata/annotations', value: { ü: '1' } }] as const;
  const { response: answer, ...rest } = response('f0b2', { allowed: true, patch, warnings: ['mind the gap'] });
  expect(rest).toEqual({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' });
  expect(answer).toEqual({
    uid: 'f0b2',
    allowed: true,
    patchType: 'JSONPatch',
    patch: expect.any(String),
    warnings: ['mind the gap'],
  });
  expect(JSON.parse(Buffer.from(answer.patch, 'base64').toString())).toEqual(patch);
});

test.each([undefined, []])('the webhook answers without a patch for %j', (patch) => {
  expect(response('f0b2', { allowed: true, patch }).response).toEqual({ uid: 'f0b2', allowed: true });
});

test('a refusal has a message', () => {
  expect(response('f0b2', { allowed: false, message: 'there is one already' }).response).toEqual({
    uid: 'f0b2',
    allowed: false,
    status: { code: 403, reason: 'Forbidden', message: 'there is one already' },
  });
});
