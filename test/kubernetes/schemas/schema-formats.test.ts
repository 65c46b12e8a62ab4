import { isBase64 } from '#lib/kubernetes/schemas/schema-formats';

test.each(['', 'YQ==', 'YWI=', 'YWJj', 'YW\nJj', 'YWJj\r\n', '+/+/'])('Go decodes %j', (text) => {
  expect(isBase64(text)).toBe(true);
});

test('also two megabytes', () => {
  expect(isBase64('A'.repeat(2_000_000))).toBe(true);
});

test.each(['a', 'YQ=', 'YQ', 'Y===', '====', '=', 'Y=Q=', 'YQ==YQ==', 'YW Jj', 'YWJ-', 'YWJ_', 'é===', ' YQ=='])(
  'Go does not decode %j',
  (text) => {
    expect(isBase64(text)).toBe(false);
  },
);
