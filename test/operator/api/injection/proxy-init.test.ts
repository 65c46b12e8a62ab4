import { checkProxyInit, type ProxyInitValues } from '#operator/api/injection/proxy-init';
import { facts } from '#test/support/findings';

const whats = (proxyInit: ProxyInitValues['proxyInit'], cniEnabled?: boolean, closeWaitNeedsRoot = true) =>
  checkProxyInit({ cniEnabled, proxyInit: { iptablesMode: 'nft', ...proxyInit } }, { closeWaitNeedsRoot }).map(facts);

test.each(['nft', 'legacy'])('there are tools for %s', (iptablesMode) => {
  expect(whats({ iptablesMode })).toEqual([]);
});

test.each(['plain', '', null, 1])('there are none for %j', (iptablesMode) => {
  expect(whats({ iptablesMode })).toMatchObject([
    {
      finding: 'injected-value-refused/iptables-mode',
      field: 'values.proxyInit.iptablesMode',
      expected: '"nft" or "legacy", as the nodes use',
    },
  ]);
});

test('there is no kind of iptables by default', () => {
  expect(whats({ iptablesMode: undefined })).toMatchObject([
    { finding: 'injected-value-refused/iptables-mode', field: 'values.proxyInit.iptablesMode', value: 'null' },
  ]);
});

test.each([false, null, undefined])('a kernel parameter cannot be set with runAsRoot %j', (runAsRoot) => {
  expect(whats({ closeWaitTimeoutSecs: 30, runAsRoot })).toMatchObject([
    { finding: 'injected-value-refused/init-wait', seconds: '30' },
  ]);
});

test('root may set it', () => {
  expect(whats({ closeWaitTimeoutSecs: 30, runAsRoot: true })).toEqual([]);
});

test.each([0, null])('%j sets none', (closeWaitTimeoutSecs) => {
  expect(whats({ closeWaitTimeoutSecs })).toEqual([]);
});

test('all that is wrong is said', () => {
  expect(whats({ iptablesMode: 'plain', closeWaitTimeoutSecs: 30 })).toHaveLength(2);
});

test('with the CNI plugin there is no init container', () => {
  expect(whats({ iptablesMode: 'plain', closeWaitTimeoutSecs: 30 }, true)).toEqual([]);
  expect(whats({ iptablesMode: 'plain', closeWaitTimeoutSecs: 30 }, false)).toHaveLength(2);
});
