import { checkEnforcedHost, enforcedHosts, enforcedHostWarnings, exactHost } from '#lib/constructs/viz/host-regexp';

const FIELD = 'enforcedHostRegexp';
const hosts = enforcedHosts('linkerd.example.com', 'web.linkerd-viz.svc', 'cluster.local');

describe('enforcedHosts', () => {
  test.each([
    'linkerd.example.com',
    'linkerd.example.com:8443',
    'localhost:50750',
    '[::1]:50750',
    'web.linkerd-viz.svc',
  ])('admits %s', (host) => expect(new RegExp(hosts).test(host)).toBe(true));

  test.each(['linkerd.example.com.attacker.example', 'x-linkerd.example.com', 'linkerdXexample.com', ''])(
    'refuses %j',
    (host) => expect(new RegExp(hosts).test(host)).toBe(false),
  );

  test('produces expressions that pass checkEnforcedHost', () => {
    expect(checkEnforcedHost(FIELD, hosts, 'linkerd.example.com')).toEqual([]);
    expect(enforcedHostWarnings(FIELD, hosts, 'linkerd.example.com')).toEqual([]);
  });

  test('matches one level by a wildcard', () => {
    const wildcard = new RegExp(`^${exactHost('*.example.com')}$`);
    expect(wildcard.test('linkerd.example.com')).toBe(true);
    expect(wildcard.test('a.b.example.com')).toBe(false);
    expect(wildcard.test('example.com')).toBe(false);
  });
});

describe('checkEnforcedHost', () => {
  test('reports an expression that Go does not compile', () => {
    expect(checkEnforcedHost(FIELD, '^(?!evil)', 'a.example')).toMatchObject([
      {
        code: 'host-regexp-refused',
        parameters: { field: FIELD, fault: expect.stringContaining('invalid or unsupported Perl syntax') },
      },
    ]);
  });

  test.each(['^a b$', '^a:'])('reports %j, which is not a plain YAML text', (expression) => {
    expect(checkEnforcedHost(FIELD, expression)).toMatchObject([
      { code: 'host-regexp-refused', parameters: { field: FIELD, expression } },
    ]);
  });

  test('reports an expression that does not match the host of the ingress', () => {
    expect(checkEnforcedHost(FIELD, '^other\\.example\\.com$', 'linkerd.example.com')).toMatchObject([
      { code: 'host-regexp-refused', parameters: { field: FIELD, host: 'linkerd.example.com' } },
    ]);
  });

  test.each([
    ['(?i)^LINKERD\\.EXAMPLE\\.COM\\z', 'linkerd.example.com', 'linkerd'],
    ['^[[:alpha:]]+$', 'linkerd', 'linkerd.example.com'],
    ['\\A\\Qa.b\\E(?-i:c)', 'a.bc', 'axbc'],
    ['^*a', 'a', 'b'],
    // Parentheses that do not open a group.
    ['[(?<n>]', '<', 'x'],
    ['\\(?<n>', '<n>', 'n'],
  ])('reads %s as Go does', (expression, host, other) => {
    expect(checkEnforcedHost(FIELD, expression, host)).toEqual([]);
    expect(checkEnforcedHost(FIELD, expression, other)).toHaveLength(1);
  });

  test.each([
    // Compiles only in Go 1.22 and later; Linkerd 2.14 was built with an older Go.
    ['(?<name>a)', 'invalid or unsupported Perl syntax: `(?<`'],
    // Go 1.25 and later accept this name.
    ['\\p{Letter}', 'invalid character class range: `\\p{Letter}`'],
    ['*.example.com', 'missing argument to repetition operator: `*`'],
    ['(a', 'missing closing ): `(a`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['(a{11}){100}', 'invalid repeat count: `{100}`'],
  ])('reports %s with the message of Go', (expression, fault) => {
    expect(checkEnforcedHost(FIELD, expression)).toMatchObject([
      { code: 'host-regexp-refused', parameters: { fault } },
    ]);
  });

  test('accepts named groups', () => expect(checkEnforcedHost(FIELD, '^(?P<sub>a)$', 'b')).toHaveLength(1));
});

describe('enforcedHostWarnings', () => {
  test.each(['.*', 'example', '^linkerd\\.example\\.com'])('warns that %s admits foreign hosts', (expression) => {
    expect(enforcedHostWarnings(FIELD, expression, 'linkerd.example.com')).toMatchObject([
      { code: 'host-regexp-too-broad', parameters: { field: FIELD, expression, matched: expect.any(String) } },
    ]);
  });

  test('warns of .* without an ingress, too', () => expect(enforcedHostWarnings(FIELD, '.*')).toHaveLength(1));
});
