import { parse } from 'yaml';
import type { Values } from '../../../../../lib/kubernetes/values';
import { configText } from '../../../../../lib/linkerd/charts/linkerd-control-plane/config';
import { find, render, viewOf } from '../fixture';

function config(values: Values): Values {
  const { data } = find(render(values), 'ConfigMap', 'linkerd-config') as unknown as { data: { values: string } };
  return parse(data.values);
}

test('the configuration has all values, and the trust domain', () => {
  expect(config({ controllerReplicas: 3 })).toMatchObject({
    controllerReplicas: 3,
    identityTrustDomain: 'cluster.local',
    proxy: { logLevel: 'warn,linkerd=info,hickory=error' },
  });
  expect(config({ identityTrustDomain: 'mesh.corp' }).identityTrustDomain).toBe('mesh.corp');
});

test('no private key is readable in it', () => {
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

test('switches that YAML would read as booleans stay text', () => {
  expect(config({ proxy: { logHTTPHeaders: 'off' } })).toMatchObject({ proxy: { logHTTPHeaders: 'off' } });
});
