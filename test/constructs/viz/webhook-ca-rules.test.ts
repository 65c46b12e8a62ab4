import { checkExtensionKeys } from '#lib/constructs/control-plane/key-material-rules';
import { facts } from '../../support/findings';

const problems = (values: Parameters<typeof checkExtensionKeys>[0]) =>
  checkExtensionKeys(values, ['webhook']).map(facts);

test('synth accepts the blank CA defaults of charts', () => {
  expect(
    problems({ webhook: { crtPEM: '\n', keyPEM: '\n', caBundle: '\n', injectCaFromSecret: '', injectCaFrom: 'a/b' } }),
  ).toEqual([]);
});

test('synth refuses private keys in CA values', () => {
  expect(problems({ webhook: { keyPEM: '-----BEGIN' } })).toMatchObject([
    { finding: 'private-key-found/values', path: 'values.webhook.keyPEM' },
  ]);
});

test.each(['caBundle', 'injectCaFromSecret'])('synth refuses %s, which would be a second CA', (key) => {
  expect(problems({ webhook: { [key]: 'x' } })).toMatchObject([
    { finding: 'certificate-source-conflict/webhook-ca', path: `webhook.${key}` },
  ]);
  expect(problems({ other: { [key]: 'x' } })).toEqual([]);
});
