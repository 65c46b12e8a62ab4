import { isBase64 } from '#kubernetes/schemas/schema-formats';

test.each(['', 'YQ==', 'YWI=', 'YWJj', 'YW\nJj', 'YWJj\r\n', '+/+/'])('isBase64 accepts %j, as Go does', (text) => {
  expect(isBase64(text)).toBe(true);
});

test('isBase64 accepts two megabytes', () => expect(isBase64('A'.repeat(2_000_000))).toBe(true));

test.each(['a', 'YQ=', 'YQ', 'Y===', '====', '=', 'Y=Q=', 'YQ==YQ==', 'YW Jj', 'YWJ-', 'YWJ_', 'é===', ' YQ=='])(
  'isBase64 refuses %j, as Go does',
  (text) => expect(isBase64(text)).toBe(false),
);
