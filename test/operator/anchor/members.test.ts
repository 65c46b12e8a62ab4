import type { ConfigMap } from '../../../operator/src/anchor/objects/trust-anchor';
import { memberCertificates, memberOf, observeMembers } from '../../../operator/src/anchor/observe/members';
import { knownCertificates } from '../../../operator/src/pki/known-certificate';
import { issueCertificate } from '../../support/cluster/certificates';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];

const told = (name: string, data: Readonly<Record<string, string>>): ConfigMap => ({ metadata: { name }, data });

test('a cluster tells which anchors sign there, and which its pods know', () => {
  const data = { cluster: 'east', signing: `${A}\n${B}`, adopted: B, updated: '2026-11-22T00:00:00Z' };
  expect(memberOf(data)).toEqual({ name: 'east', signing: [A, B], adopted: [B], roots: [] });
});

test.each([
  ['no name', { signing: A, adopted: A }],
  ['a name that is none', { cluster: 'East!', signing: A, adopted: A }],
  ['nobody who signs', { cluster: 'east', signing: '', adopted: A }],
  ['keys that are none', { cluster: 'east', signing: 'A', adopted: A }],
  ['too much', { cluster: 'east', signing: `${A}\n`.repeat(1_000), adopted: A }],
])('%s is not what clusters tell', (_, data) => {
  expect(memberOf(data)).toBeUndefined();
});

test('only those count that were named, and not this one', () => {
  const maps = [
    told('east', { cluster: 'east', signing: A, adopted: A }),
    told('west', { cluster: 'west', signing: A, adopted: A }),
    told('strange', { cluster: 'strange', signing: A, adopted: A }),
    told('linkerd-trust-anchor-member', { cluster: 'east', signing: B, adopted: B }),
  ];
  expect(observeMembers(maps, { cluster: 'west', members: ['east', 'west'] })).toEqual([
    { name: 'east', signing: [A], adopted: [A], roots: [] },
  ]);
});

test('of two that call themselves alike, what both know counts, and what either signs with', () => {
  const maps = [
    told('one', { cluster: 'east', signing: A, adopted: `${A}\n${C}` }),
    told('two', { cluster: 'east', signing: B, adopted: C }),
  ];
  expect(observeMembers(maps, { cluster: undefined, members: ['east'] })).toEqual([
    { name: 'east', signing: [A, B], adopted: [C], roots: [] },
  ]);
});

test('the anchors by which a cluster signs come along, and no others', () => {
  const [signing, other] = ['east', 'other'].map((commonName) => issueCertificate({ commonName, ca: true }).cert);
  const leaf = issueCertificate({ commonName: 'east' }).cert;
  const [known] = knownCertificates(signing ?? '');
  const keys = [known?.key, ...knownCertificates(leaf).map(({ key }) => key)].join('\n');
  const data = { cluster: 'east', signing: keys, adopted: '', 'ca-bundle.crt': `${signing}${other}${leaf}` };
  const sharing = { cluster: undefined, members: ['east'] };
  expect(observeMembers([told('east', data)], sharing)).toMatchObject([{ roots: [known?.key] }]);
  expect(memberCertificates([told('east', data)], sharing)).toEqual([known]);
  expect(memberCertificates([told('east', data)], { ...sharing, members: [] })).toEqual([]);
});
