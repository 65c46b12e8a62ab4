import { checkExtensionKeys } from '../../../lib/constructs/control-plane/key-material-rules';

const what = (values: Parameters<typeof checkExtensionKeys>[0]) =>
  checkExtensionKeys(values, ['webhook']).map((problem) => problem.what);

test('the charts’ blank defaults are no key material', () => {
  expect(
    what({ webhook: { crtPEM: '\n', keyPEM: '\n', caBundle: '\n', injectCaFromSecret: '', injectCaFrom: 'a/b' } }),
  ).toEqual([]);
});

test('private keys never go to Git', () => {
  expect(what({ webhook: { keyPEM: '-----BEGIN' } })).toEqual(['values.webhook.keyPEM holds a private key']);
});

test.each(['caBundle', 'injectCaFromSecret'])('%s would be a second CA', (key) => {
  expect(what({ webhook: { [key]: 'x' } })).toEqual([expect.stringContaining(`values.webhook.${key} is set`)]);
  expect(what({ other: { [key]: 'x' } })).toEqual([]);
});
