import { apiErrorOfResponse, apiErrorOfStatus } from '#controller-runtime/client/api-status';

const status = (fields: object) => JSON.stringify({ kind: 'Status', apiVersion: 'v1', ...fields });

test('an error of the API server has the message of its Status', () => {
  const body = status({ code: 409, reason: 'Conflict', message: 'the object has been modified' });
  const error = apiErrorOfResponse('PUT /api/v1/x', { status: 409, headers: {}, body });
  expect(error).toMatchObject({ name: 'ApiError', status: 409, reason: 'Conflict', retryAfterSeconds: undefined });
  expect(error.message).toBe('PUT /api/v1/x: 409: the object has been modified');
});

test.each([
  ['a page of a proxy', '<html>nope</html>', '<html>nope</html>'],
  ['JSON that is not a Status', '{"error":"nope"}', '{"error":"nope"}'],
  ['null', 'null', 'null'],
  ['an empty body', '', 'no explanation'],
  ['a long body', 'x'.repeat(9_999), 'x'.repeat(200)],
])('the error quotes an answer from another server (%s)', (_name, body, quoted) => {
  const error = apiErrorOfResponse('GET /x', { status: 502, headers: {}, body });
  expect(error).toMatchObject({ status: 502, reason: '', message: `GET /x: 502: ${quoted}` });
});

test.each([
  ['from the header', { 'retry-after': '3' }, {}, 3],
  ['from the header rather than the details', { 'retry-after': '3' }, { details: { retryAfterSeconds: 9 } }, 3],
  ['from the details', {}, { details: { retryAfterSeconds: 9 } }, 9],
  ['not from a header with a date', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, {}, undefined],
])('the client reads the time to wait %s', (_name, headers, fields, expected) => {
  const error = apiErrorOfResponse('GET /x', { status: 429, headers, body: status(fields) });
  expect(error.retryAfterSeconds).toBe(expected);
});

test('the client makes an error from the object of an ERROR event', () => {
  const object = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version: 1 (2)' };
  expect(apiErrorOfStatus('watch', object)).toMatchObject({
    status: 410,
    reason: 'Expired',
    message: 'watch: 410: too old resource version: 1 (2)',
  });
});

test.each([[null], ['text'], [undefined], [{}]])(
  'the client treats an ERROR event with %j as a failure of the server',
  (object) => {
    expect(apiErrorOfStatus('watch', object)).toMatchObject({ status: 500, message: 'watch: ERROR: no explanation' });
  },
);
