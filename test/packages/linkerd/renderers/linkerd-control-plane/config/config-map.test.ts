import type { Values } from '#base/values';
import { configText } from '#linkerd/renderers/linkerd-control-plane/config';
import { podOf, viewOf } from '../fixture';

test('the values in ConfigMap linkerd-config contain no private key', () => {
  const keyPEM = 'KEY';
  const values = {
    identity: { issuer: { tls: { crtPEM: 'CRT', keyPEM } } },
    policyValidator: { keyPEM },
    profileValidator: { keyPEM },
    proxyInjector: { keyPEM },
  };
  const text = configText(values, viewOf(values));
  expect(text).not.toContain('KEY');
  expect(text).toContain('crtPEM: CRT');
});

// Comparisons with Helm ignore checksums.
test('the injector has a checksum that changes with its configuration; destination and identity have none', () => {
  const checksum = (values: Values, component = 'proxy-injector') =>
    podOf(values, component).metadata?.annotations?.['checksum/config'];
  expect(checksum({})).toMatch(/^[0-9a-f]{64}$/);
  expect(checksum({ proxy: { waitBeforeExitSeconds: 5 } })).not.toBe(checksum({}));
  expect(['destination', 'identity'].map((component) => checksum({}, component))).toEqual([undefined, undefined]);
});
