import { proxySettings } from '#lib/checks/policy/proxy-settings';

test('proxySettings has no ports for values that are null, and the defaults for values that are missing', () => {
  const removed = { proxy: { opaquePorts: null }, proxyInit: { ignoreInboundPorts: null, ignoreOutboundPorts: null } };
  expect(proxySettings(removed)).toMatchObject({ opaquePorts: '', skippedInbound: '', skippedOutbound: '' });
  expect(proxySettings({ proxyInit: {} })).toMatchObject({ skippedInbound: '4567,4568' });
});
