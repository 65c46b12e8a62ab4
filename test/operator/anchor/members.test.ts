import { next } from '#anchor/rotation/next';
import type { ConfigMap } from '#operator/src/anchor/objects/trust-anchor';
import { memberCertificates, memberData, memberOf, observeMembers } from '#operator/src/anchor/observe/members';
import { knownCertificates } from '#operator/src/pki/known-certificate';
import { anchor, ca, issued, NOW, observed } from '../../packages/anchor/fixture';
import { createSigningRequest } from '../../support/anchor/cert-manager/signing-request';
import { issueCertificate } from '../../support/cluster/certificates';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];

const reportMap = (name: string, data: Readonly<Record<string, string>>): ConfigMap => ({ metadata: { name }, data });

test('the report of a cluster lists its signing anchors and the anchors that its pods trust', () => {
  const data = { cluster: 'east', signing: `${A}\n${B}`, adopted: B, updated: '2026-11-22T00:00:00Z' };
  const updated = Date.parse(data.updated);
  expect(memberOf(data)).toEqual({ name: 'east', signing: [A, B], adopted: [B], roots: [], updated });
});

test.each([
  ['no name', { signing: A, adopted: A }],
  ['an invalid name', { cluster: 'East!', signing: A, adopted: A }],
  ['no signing anchor', { cluster: 'east', signing: '', adopted: A }],
  ['invalid keys', { cluster: 'east', signing: 'A', adopted: A }],
  ['too many keys', { cluster: 'east', signing: `${A}\n`.repeat(1_000), adopted: A }],
])('the operator ignores a report with %s', (_, data) => expect(memberOf(data)).toBeUndefined());

test('the operator counts only reports of configured members, and none of its own cluster', () => {
  const maps = [
    reportMap('east', { cluster: 'east', signing: A, adopted: A }),
    reportMap('west', { cluster: 'west', signing: A, adopted: A }),
    reportMap('strange', { cluster: 'strange', signing: A, adopted: A }),
    reportMap('linkerd-trust-anchor-member', { cluster: 'east', signing: B, adopted: B }),
  ];
  expect(observeMembers(maps, { cluster: 'west', members: ['east', 'west'] })).toEqual([
    { name: 'east', signing: [A], adopted: [A], roots: [] },
  ]);
});

test('of two reports with one name, the operator counts anchors trusted in both, and signing in either', () => {
  const maps = [
    reportMap('one', { cluster: 'east', signing: A, adopted: `${A}\n${C}` }),
    reportMap('two', { cluster: 'east', signing: B, adopted: C }),
  ];
  expect(observeMembers(maps, { cluster: undefined, members: ['east'] })).toEqual([
    { name: 'east', signing: [A, B], adopted: [C], roots: [] },
  ]);
});

test("the operator takes the signing anchors of a member's bundle, and no others", () => {
  const [signing, other] = ['east', 'other'].map((commonName) => issueCertificate({ commonName, ca: true }).cert);
  const leaf = issueCertificate({ commonName: 'east' }).cert;
  const [known] = knownCertificates(signing ?? '');
  const keys = [known?.key, ...knownCertificates(leaf).map(({ key }) => key)].join('\n');
  const data = { cluster: 'east', signing: keys, adopted: '', 'ca-bundle.crt': `${signing}${other}${leaf}` };
  const sharing = { cluster: undefined, members: ['east'] };
  expect(observeMembers([reportMap('east', data)], sharing)).toMatchObject([{ roots: [known?.key] }]);
  expect(memberCertificates([reportMap('east', data)], sharing)).toEqual([known]);
  expect(memberCertificates([reportMap('east', data)], { ...sharing, members: [] })).toEqual([]);
});

test('members together add no more anchors than the bundle of a proxy can hold', () => {
  const { cert = '' } = issueCertificate({ commonName: 'root', ca: true });
  const names = Array.from({ length: 200 }, (_, index) => `m${String(index).padStart(3, '0')}`);
  const roots = names.map((commonName) => issueCertificate({ commonName, ca: true }).cert);
  const maps = names.map((name, index) => {
    const pem = roots[index] ?? '';
    const signing = knownCertificates(pem).map(({ key }) => key);
    return reportMap(name, { cluster: name, signing: signing.join(''), adopted: '', 'ca-bundle.crt': pem });
  });
  const sharing = { cluster: undefined, members: names };
  const brought = memberCertificates(maps, sharing);
  const size = brought.reduce((sum, { pem }) => sum + pem.length, 0);
  expect(size).toBeLessThanOrEqual(96 * 1024);
  expect(size).toBeGreaterThan(96 * 1024 - 2 * cert.length);
  expect(memberCertificates(maps.toReversed(), sharing)).toEqual(brought);
  const last = observeMembers(maps.slice(-100), sharing).at(-1);
  expect(last).toMatchObject({ name: 'm199', roots: [expect.any(String)] });
  expect(observeMembers(maps, sharing).flatMap(({ roots = [] }) => roots).length).toBeLessThanOrEqual(brought.length);
});

test('each of a hundred clusters reports all anchors that its pods trust, and adds only its own', () => {
  const keys = Array.from({ length: 200 }, (_, index) => String(index).padStart(64, 'a'));
  const [own = ''] = keys;
  const trust = observed({
    memory: { bundles: [{ hash: 'all', keys, since: 0 }], current: { key: own, generation: 1 } },
    anchors: [anchor(1, { certificate: ca(own) })],
    issuer: issued(own),
    bundle: { hash: 'all', anchors: keys.map((key) => ca(key)) },
    kept: keys,
  });
  const data = memberData('east', next(trust, NOW).report ?? { signing: [], adopted: [] }, (key) => `<${key}>`);
  expect(data['ca-bundle.crt']).toBe(`<${own}>`);
  expect(memberOf({ ...data })).toEqual({ name: 'east', signing: [own], adopted: keys, roots: [] });
});

test('a report has the certifying anchor even if it no longer signs, leaked keys, and each certification', () => {
  const pems = ['next', 'hub', 'west'].map((commonName) => issueCertificate({ commonName, ca: true }).cert);
  const known = knownCertificates(pems.join(''));
  const [next = '', hub = '', west = ''] = known.map(({ key }) => key);
  const report = {
    signing: [next],
    adopted: [next, hub],
    certifier: hub,
    holds: [hub],
    distrusts: [A, B],
    vouched: [{ key: west, by: hub }],
  };
  const data = memberData('east', report, (key) => known.find((one) => one.key === key)?.pem ?? '');
  const sharing = { cluster: 'west', members: ['east'] };
  const copy = { metadata: { name: 'copy' }, data: { ...data, updated: '2026-11-22T00:00:00Z' } };
  const { holds: _, ...shown } = report;
  expect(observeMembers([copy], sharing)).toEqual([
    { ...shown, name: 'east', roots: expect.arrayContaining([next, hub]), updated: Date.parse('2026-11-22T00:00:00Z') },
  ]);
  // Of two reports with one name, a leak counts if both report it, and a signature if either does.
  const other = memberData('east', { ...report, distrusts: [B], vouched: [{ key: next, by: hub }] }, () => '');
  expect(observeMembers([copy, { metadata: { name: 'other' }, data: other }], sharing)).toMatchObject([
    {
      distrusts: [B],
      vouched: [
        { key: west, by: hub },
        { key: next, by: hub },
      ],
    },
  ]);
});

test.each([
  ['a text that is not a key', 'x', 0],
  ['a key without a signer', `${A}`, 0],
  ['a line without a signer', `${A} ${B}\n${C}`, 1],
  ['thousands of keys on one line', `${A} `.repeat(5_000), 0],
])('the operator ignores unreadable signatures: %s', (_, vouched, count) => {
  const read = memberOf({ cluster: 'east', signing: A, adopted: A, vouched });
  expect(read?.vouched ?? []).toHaveLength(count);
});

test('a requested anchor may share its name with an earlier one of its cluster, not of another cluster', () => {
  const spec = { commonName: '1.root.west', isCA: true };
  const [lost, present] = [1, 2].map(() => issueCertificate({ ...spec, ca: true }));
  const known = knownCertificates(`${lost?.cert}${present?.cert}`);
  const [before = '', now = ''] = known.map(({ key }) => key);
  const request = createSigningRequest(spec, present?.key ?? '');
  const west = reportMap('west', { cluster: 'west', signing: now, adopted: '', request });
  const read = (own: readonly string[], ...more: ConfigMap[]) =>
    observeMembers(
      [west, ...more],
      { cluster: 'east', members: ['west', 'north'] },
      known,
      own.map((key) => ({ certificate: ca(key) })),
    )[0]?.request;
  expect(read([])).not.toHaveProperty('isNamesake');
  expect(read([before])).toMatchObject({ isNamesake: true });
  expect(read([], reportMap('north', { cluster: 'north', signing: before, adopted: '' }))).toMatchObject({
    isNamesake: true,
  });
});
