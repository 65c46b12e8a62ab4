import { describeProblem } from '#base/findings/problem';

test('a problem prints as one line of sentences', () => {
  expect(
    describeProblem({
      severity: 'error',
      code: 'operator-setting-refused',
      what: 'replicas is 0',
      why: 'Nothing runs!',
      fix: 'give at least 1',
    }),
  ).toBe('replicas is 0. Nothing runs! Fix: give at least 1.');
});

test.each([
  ['whole', '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----'],
  ['in JSON', JSON.stringify('-----BEGIN PRIVATE KEY-----\nMHcCAQEE\n-----END PRIVATE KEY-----')],
  ['cut off', '-----BEGIN RSA PRIVATE KEY-----\nMHcCAQEE'],
])('a problem never shows a private key: %s', (_how, key) => {
  const text = describeProblem({
    severity: 'error',
    code: 'operator-setting-refused',
    what: `logLevel is ${key}`,
    why: 'It is none',
    fix: `remove ${key}`,
  });
  expect(text).toMatch(/^logLevel is "?<private key>/);
  expect(text).not.toContain('MHcCAQEE');
});
