import { memberData } from '#operator/src/anchor/observe/members';
import { nextVersion } from '#operator/src/anchor/report-version';
import { copiedReport } from '#operator/src/exchange/copied-report';
import { checkExchangeOptions, type ExchangeOptions } from '#operator/src/exchange/exchange-options';

const KEY = 'a'.repeat(64);
const NAMES = { cluster: 'west', member: 'east' };
const REPORT = { cluster: 'east', signing: KEY, adopted: KEY, 'ca-bundle.crt': 'PEM', updated: 'now' };

test("the exchange copies all fields of an operator's report", () => {
  const report = {
    signing: [KEY],
    adopted: [KEY],
    certifier: KEY,
    holds: [KEY],
    certifiers: [KEY],
    certified: [KEY],
    isCovered: true,
    compromised: [KEY],
    distrusts: [KEY],
    vouched: [{ key: KEY, by: KEY }],
  } as const;
  const data = memberData('east', report, () => 'PEM', { request: 'PEM', answers: { west: 'PEM' } });
  expect(copiedReport(data, NAMES)).toEqual({ data });
});

test.each<[string, Readonly<Record<string, unknown>> | undefined]>([
  ['a missing report', undefined],
  ['a report of another cluster', { ...REPORT, cluster: 'north' }],
  ['a report without a name', { ...REPORT, cluster: undefined }],
  ['a report without signers', { ...REPORT, signing: '' }],
  ['a report with invalid keys', { ...REPORT, adopted: 'everything' }],
  ['a report with values that are not strings', { ...REPORT, signing: { a: 1 }, adopted: null }],
  ['a report over 128 KiB', { ...REPORT, 'ca-bundle.crt': 'x'.repeat(128 * 1024) }],
])('the exchange does not copy %s', (_, report) => {
  expect(copiedReport(report, NAMES)).toEqual({ refused: expect.any(String) });
});

test.each([
  ['older than the copy', '7', '8', false],
  ['as old as the copy', '8', '8', true],
  ['newer than the copy', '9', '8', true],
  ['newer as a number, but not as a string', '10', '9', true],
  ['of an earlier release', undefined, '8', true],
  ['of a later release than the copy', '8', undefined, true],
  ['with an invalid version', '1e3', '8', true],
])('the exchange decides whether to copy a report that is %s', (_, version, copied, isCopied) => {
  const report = { ...REPORT, ...(version !== undefined && { version }) };
  const copy = { ...REPORT, ...(copied !== undefined && { version: copied }) };
  expect('data' in copiedReport(report, NAMES, copy)).toBe(isCopied);
});

test('the version of a copy grows with time, even if a clock goes back or the last report is lost', () => {
  expect([undefined, '5', '2000', 'none'].map((before) => nextVersion(before, 1000.5))).toEqual([
    '1000',
    '1000',
    '2001',
    '1000',
  ]);
});

const OPTIONS: ExchangeOptions = {
  kubeconfig: undefined,
  logLevel: 'info',
  cluster: 'west',
  member: 'east',
  memberKubeconfig: '/member/kubeconfig',
  memberCertManagerNamespace: 'cert-manager',
  certManagerNamespace: 'cert-manager',
  interval: 30_000,
  healthPort: 8081,
};

test.each<[Partial<ExchangeOptions>, readonly string[]]>([
  [{}, []],
  [
    { cluster: undefined, member: undefined, memberKubeconfig: undefined },
    ['--cluster', '--member', '--member-kubeconfig'],
  ],
  [{ member: 'west' }, ['--member']],
  [{ interval: 0 }, ['--interval']],
])('the options of the exchange, changed by %p, have problems in %j', (change, flags) => {
  expect(checkExchangeOptions({ ...OPTIONS, ...change }).map((line) => line.split(':')[0])).toEqual(flags);
});
