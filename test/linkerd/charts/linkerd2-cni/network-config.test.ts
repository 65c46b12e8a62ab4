import { networkConfig } from '../../../../lib/linkerd/charts/linkerd2-cni/network-config';
import { viewOf } from './fixture';

const linkerd = (values: Parameters<typeof viewOf>[0]) =>
  (JSON.parse(networkConfig(viewOf(values))) as { readonly linkerd: Readonly<Record<string, unknown>> }).linkerd;

test('is JSON that the plugin reads', () => {
  expect(JSON.parse(networkConfig(viewOf({ logLevel: 'debug' })))).toMatchObject({
    name: 'linkerd-cni',
    type: 'linkerd-cni',
    log_level: 'debug',
    kubernetes: { kubeconfig: '__KUBECONFIG_FILEPATH__' },
    linkerd: { 'proxy-uid': 2102, 'ports-to-redirect': [], 'iptables-mode': 'nft', ipv6: false },
  });
});

test('ports of the proxy itself are not redirected, nor are those that values name', () => {
  const ports = linkerd({ proxyAdminPort: 1, ignoreInboundPorts: '25,1000-2000', ignoreOutboundPorts: '443' });
  expect(ports['inbound-ports-to-ignore']).toEqual(['1', '4190', '25', '1000-2000']);
  expect(ports['outbound-ports-to-ignore']).toEqual(['443']);
  expect(linkerd({})).not.toHaveProperty('outbound-ports-to-ignore');
});

test('a group of the proxy counts from zero on', () => {
  expect(linkerd({ proxyGID: 0 })['proxy-gid']).toBe(0);
  expect(linkerd({ proxyGID: -1 })).not.toHaveProperty('proxy-gid');
  expect(linkerd({ proxyGID: null })).not.toHaveProperty('proxy-gid');
});

test('great numbers stay what the plugin can read', () => {
  expect(networkConfig(viewOf({ proxyUID: 1_000_700_000 }))).toContain('"proxy-uid": 1000700000,');
});
