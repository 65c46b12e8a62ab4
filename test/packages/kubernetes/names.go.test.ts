import fc from 'fast-check';
import type { Problem } from '#base/findings/problem';
import {
  checkAnnotationKey,
  checkDnsLabel,
  checkDnsSubdomain,
  checkHost,
  checkLabelKey,
  checkLabelValue,
  checkPort,
} from '#kubernetes/names';
import { askOracle, type Question } from '../../support/oracle';

type Check = (field: string, value: string) => readonly Problem[];

const CHECKS: readonly [Question, Check, string, string][] = [
  ['dns-label', checkDnsLabel, 'my-shop-1', 'My_Shop'],
  ['dns-subdomain', checkDnsSubdomain, 'my-shop.example.com', 'my-shop..com'],
  ['host', checkHost, '*.example.com', 'shop.*.com'],
  ['label-value', checkLabelValue, 'My_value.1', '-value'],
  ['label-key', checkLabelKey, 'linkerd.io/inject', 'a/b/c'],
  ['annotation-key', checkAnnotationKey, 'Linkerd.IO/inject', '/inject'],
];

describe.each(CHECKS)('the check of a %s', (question, check, good, bad) => {
  test('accepts a valid name and refuses an invalid one', () => {
    expect(check('field', good)).toEqual([]);
    expect(check('field', bad)).not.toEqual([]);
  });

  test('accepts and refuses the names that Kubernetes does', () => {
    const piece = fc.constantFrom(
      ...['a', 'Z', '0', '9', '-', '.', '_', '/', '*', '*.', 'ab', 'x1', '-a', 'a-', '..', ' ', 'é', '\n', '@', ':80'],
      ...['http://', 'a'.repeat(61), 'b'.repeat(62), 'c'.repeat(63), `${'d'.repeat(63)}.`.repeat(3)],
      ...['1.2.3.4', '010.0.0.1', '256.1.1.1', '::1'],
    );
    const name = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
    const plain = fc.stringMatching(/^[a-z0-9*][-a-z0-9._/*]{0,6}[a-z0-9]$/);
    const texts = ['', ...fc.sample(fc.oneof(name, plain), { numRuns: 5_000, seed: 1 })];

    const accepted = askOracle(question, texts).map(({ error }) => error === undefined);
    const differences = texts.filter((text, index) => (check('field', text).length === 0) !== accepted[index]);

    expect(differences).toEqual([]);
    expect(accepted.filter((isAccepted) => isAccepted).length).toBeGreaterThan(300);
  });
});

describe('a check of names', () => {
  test.each<[Check, string, string]>([
    [checkDnsLabel, 'My_Shop', 'my-shop'],
    [checkDnsLabel, 'shop.eu', 'shop-eu'],
    [checkDnsLabel, '---', 'my-name'],
    [checkDnsSubdomain, 'Shop.Example.com', 'shop.example.com'],
    [checkDnsSubdomain, 'Example_.com', 'example.com'],
    [checkDnsSubdomain, 'a.-b..c', 'a.b.c'],
    [checkHost, 'https://Shop.example.com:8443/path', 'shop.example.com'],
    [checkHost, '*shop.example.com', '*.example.com'],
    [checkLabelValue, 'My shop!', 'My-shop'],
  ])('proposes a valid name: %p, for %j: %j', (check, value, near) => {
    expect(check('metadata.name', value)).toMatchObject([
      {
        code: 'name-invalid',
        parameters: { field: 'metadata.name', value: `"${value}"`, proposed: near },
      },
    ]);
  });

  test('proposes a shorter name for one that is too long', () => {
    const parameters = { field: 'namespace', value: `"${'a'.repeat(64)}"`, form: 'DNS label', length: 64, most: 63 };
    expect(checkDnsLabel('namespace', 'a'.repeat(64))).toMatchObject([
      { code: 'name-invalid', parameters: { ...parameters, proposed: 'a'.repeat(63) } },
    ]);
  });

  test('checks the prefix and the name of a key', () => {
    expect(checkLabelKey('labels', 'Linkerd.io/-x').map(({ parameters }) => parameters?.field)).toEqual([
      'The prefix of labels "Linkerd.io/-x"',
      'The name in labels "Linkerd.io/-x"',
    ]);
  });

  test('refuses an IP address as a host', () => {
    expect(checkHost('host', '10.0.0.1')).toMatchObject([
      { code: 'name-invalid', cause: 'address', parameters: { value: '"10.0.0.1"' } },
    ]);
  });
});

test('checkPort accepts whole numbers from 1 to 65535 only', () => {
  const bad = [0, 65_536, -1, 80.5, Number.NaN, Number.POSITIVE_INFINITY];
  expect([1, 80, 65_535].flatMap((port) => checkPort('port', port))).toEqual([]);
  expect(bad.flatMap((port) => checkPort('port', port)).map(({ parameters }) => parameters)).toEqual(
    bad.map((port) => ({ field: 'port', port: `${port}` })),
  );
});
