import { createHash } from 'node:crypto';
import { seenBundles } from '#operator/src/anchor/observe/seen-bundles';
import { issueCertificate } from '../../support/cluster/certificates';

const [a, b] = ['1.root', '2.root'].map((commonName) => issueCertificate({ commonName, ca: true }).cert) as [
  string,
  string,
];

const configMap = (text: string) => ({ metadata: { name: 'roots' }, data: { 'ca-bundle.crt': text } });
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

test('the operator remembers a bundle that existed for a moment between two reconciliations', () => {
  const seen = seenBundles();
  for (const [time, text] of [a, a + b, b + a, b + a].entries()) seen.add(configMap(text), time);
  const memory = { bundles: [{ hash: hashOf(a), keys: ['a'], since: 0 }] };
  const { bundles } = seen.addedTo(memory);
  expect(bundles.map(({ hash, since }) => [hash, since])).toEqual([
    [hashOf(a), 0],
    [hashOf(a + b), 1],
    [hashOf(b + a), 2],
  ]);
  expect(bundles.map(({ keys }) => keys.length)).toEqual([1, 2, 2]);
  expect(seen.addedTo({ bundles })).toEqual({ bundles });
});

test('an operator without memory begins with the present bundle', () => {
  const seen = seenBundles();
  seen.add(configMap(a), 1);
  expect(seen.addedTo({ bundles: [] })).toEqual({ bundles: [] });
});
