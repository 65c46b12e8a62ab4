import { proxySettings } from '#lib/linkerd/policy/proxy-settings';

test('ports that values remove are none, and those that values do not name are the defaults', () => {
  const removed = { proxy: { opaquePorts: null }, proxyInit: { ignoreInboundPorts: null, ignoreOutboundPorts: null } };
  expect(proxySettings(removed)).toMatchObject({ opaquePorts: '', skippedInbound: '', skippedOutbound: '' });
  expect(proxySettings({ proxyInit: {} })).toMatchObject({ skippedInbound: '4567,4568' });
});
