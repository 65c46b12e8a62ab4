import { catalogue, entriesOf, textWithNames } from '#base/findings/catalogue';

const EXAMPLE = catalogue({
  'anchor-not-ca': {
    severity: 'error',
    what: ({ name }: { name: string }) => `${name} is not a CA certificate`,
    why: 'Proxies accept no chain that ends in it',
    fix: ({ days }: { days: number }) => `give a CA certificate that lives for ${days} days`,
  },
  'certificate-alerts-missing': {
    severity: 'warning',
    what: 'The PKI has no alerts',
    why: 'It ends unseen',
    fix: 'set alerts',
  },
});

test('a factory makes a finding from the parameters of its three sentences', () => {
  expect(EXAMPLE.anchorNotCa({ name: 'root.pem', days: 3 }, { about: 'roots' })).toEqual({
    severity: 'error',
    code: 'anchor-not-ca',
    what: 'root.pem is not a CA certificate',
    why: 'Proxies accept no chain that ends in it',
    fix: 'give a CA certificate that lives for 3 days',
    parameters: { name: 'root.pem', days: 3 },
    about: 'roots',
  });
  expect(EXAMPLE.certificateAlertsMissing()).toMatchObject({ code: 'certificate-alerts-missing', parameters: {} });
});

test('the compiler requires exactly the parameters of a finding', () => {
  // @ts-expect-error days is missing
  EXAMPLE.anchorNotCa({ name: 'root.pem' });
  // @ts-expect-error there is no such parameter
  EXAMPLE.certificateAlertsMissing({ name: 'root.pem' });
  // @ts-expect-error there is no such finding
  expect(() => EXAMPLE.others()).toThrow(TypeError);
});

test('the catalogue lists entries with their codes, and prints the names of their parameters', () => {
  expect(entriesOf(EXAMPLE).map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    'error anchor-not-ca',
    'warning certificate-alerts-missing',
  ]);
  expect(entriesOf(EXAMPLE).map(({ fix }) => textWithNames(fix))).toEqual([
    'give a CA certificate that lives for <days> days',
    'set alerts',
  ]);
  expect(
    textWithNames(({ kind, name }: Record<'kind' | 'name', string>) => `${kind} ${name}`, undefined, { kind: 'Pod' }),
  ).toBe('Pod <name>');
});

test('the catalogue has an entry for each cause of a code', () => {
  const CAUSES = catalogue({
    'ca-unclear/none': { severity: 'error', what: 'There is no CA', why: 'None is trusted', fix: 'name one' },
    'ca-unclear/two-sources': {
      severity: 'error',
      what: ({ name }: { name: string }) => `${name} has two CAs`,
      why: 'One is trusted',
      fix: 'remove one',
    },
  });
  expect(CAUSES.caUnclearNone()).toMatchObject({ code: 'ca-unclear', cause: 'none', what: 'There is no CA' });
  expect(CAUSES.caUnclearTwoSources({ name: 'tap' })).toMatchObject({
    code: 'ca-unclear',
    cause: 'two-sources',
    parameters: { name: 'tap' },
  });
  expect(entriesOf(CAUSES).map(({ code }) => code)).toEqual(['ca-unclear', 'ca-unclear']);
});
