import { mergeValues, type Values } from '#base/values';
import { cniNetworkConfig } from '#lib/constructs/control-plane/network-attachment';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { releaseOf } from '#linkerd/releases/release';

const edge = (values: Values) => cniNetworkConfig(mergeValues(defaultsOf(releaseOf('edge-26.8.3')).cni, values));

test('the CNI plugin of 2.14 gets neither iptables-mode nor ipv6', () => {
  const { linkerd } = cniNetworkConfig(defaultsOf(releaseOf('stable-2.14.10')).cni);
  expect(Object.keys(linkerd as Values)).toEqual([
    'incoming-proxy-port',
    'outgoing-proxy-port',
    'proxy-uid',
    'ports-to-redirect',
    'inbound-ports-to-ignore',
    'simulate',
    'use-wait-flag',
  ]);
});

test.each<[Values, Values]>([
  [{ inboundProxyPort: 4150 }, { linkerd: { 'incoming-proxy-port': 4150 } }],
  [{ outboundProxyPort: 4150 }, { linkerd: { 'outgoing-proxy-port': 4150 } }],
  [{ proxyUID: 5000 }, { linkerd: { 'proxy-uid': 5000 } }],
  [{ proxyGID: 1001 }, { linkerd: { 'proxy-gid': 1001 } }],
  [{ portsToRedirect: '8080,9090' }, { linkerd: { 'ports-to-redirect': [8080, 9090] } }],
  [{ proxyAdminPort: 4198 }, { linkerd: { 'inbound-ports-to-ignore': ['4198', '4190'] } }],
  [{ proxyControlPort: 4197 }, { linkerd: { 'inbound-ports-to-ignore': ['4191', '4197'] } }],
  [{ ignoreInboundPorts: '25,3306' }, { linkerd: { 'inbound-ports-to-ignore': ['4191', '4190', '25', '3306'] } }],
  [{ ignoreOutboundPorts: '443' }, { linkerd: { 'outbound-ports-to-ignore': ['443'] } }],
  [{ useWaitFlag: true }, { linkerd: { 'use-wait-flag': true } }],
  [{ iptablesMode: 'legacy' }, { linkerd: { 'iptables-mode': 'legacy' } }],
  [{ disableIPv6: false }, { linkerd: { ipv6: true } }],
  [{ logLevel: 'debug' }, { log_level: 'debug' }],
  [
    { destCNINetDir: '/etc/kubernetes/cni/net.d' },
    { kubernetes: { kubeconfig: '/etc/kubernetes/cni/net.d/ZZZ-linkerd-cni-kubeconfig' } },
  ],
])('a network attachment turns %j into %j', (values, config) => expect(edge(values)).toMatchObject(config));
