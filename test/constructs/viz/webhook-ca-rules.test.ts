import { checkExtensionKeys } from '#lib/constructs/control-plane/key-material-rules';
import { facts } from '../../support/findings';

const problems = (values: Parameters<typeof checkExtensionKeys>[0]) =>
  checkExtensionKeys(values, ['webhook']).map(facts);

test('the charts’ blank defaults are no key material', () => {
  expect(
    problems({ webhook: { crtPEM: '\n', keyPEM: '\n', caBundle: '\n', injectCaFromSecret: '', injectCaFrom: 'a/b' } }),
  ).toEqual([]);
});

test('private keys never go to Git', () => {
  expect(problems({ webhook: { keyPEM: '-----BEGIN' } })).toMatchObject([
    { finding: 'private-key-found/values', path: 'values.webhook.keyPEM' },
  ]);
});

test.each(['caBundle', 'injectCaFromSecret'])('%s would be a second CA', (key) => {
  expect(problems({ webhook: { [key]: 'x' } })).toMatchObject([
    { finding: 'certificate-source-conflict/webhook-ca', path: `webhook.${key}` },
  ]);
  expect(problems({ other: { [key]: 'x' } })).toEqual([]);
});
