import type { Values } from '#base/values';
import { defaultingPatch, leftEmpty } from '#operator/src/config/webhooks/routes';

const RUNNING: Values = {
  linkerdVersion: 'edge-26.8.3',
  identityTrustAnchorsPEM: 'PEM',
  proxy: { image: { version: '' } },
};

function patched(values: Values | undefined, running = RUNNING) {
  return defaultingPatch(leftEmpty(values), running);
}

test('the webhook replaces an empty trust anchor with the one in use', () => {
  expect(patched({ identityTrustAnchorsPEM: '' })).toEqual([
    { op: 'replace', path: '/spec/values/identityTrustAnchorsPEM', value: 'PEM' },
  ]);
});

test('the webhook replaces an empty proxy version with the one in use', () => {
  expect(patched({ proxy: { image: { version: '' } } })).toEqual([
    { op: 'replace', path: '/spec/values/proxy/image/version', value: 'edge-26.8.3' },
  ]);
});
