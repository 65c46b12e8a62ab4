import { checkProxyInit, type ProxyInitValues } from '#linkerd/injection/proxy-init';
import { facts } from '#test/support/findings';

const whats = (proxyInit: ProxyInitValues['proxyInit'], cniEnabled?: boolean, closeWaitNeedsRoot = true) =>
  checkProxyInit({ cniEnabled, proxyInit: { iptablesMode: 'nft', ...proxyInit } }, { closeWaitNeedsRoot }).map(facts);

test.each(['nft', 'legacy'])('the check of the init container accepts iptables mode %s', (iptablesMode) => {
  expect(whats({ iptablesMode })).toEqual([]);
});

test.each(['plain', '', null, 1])('the check of the init container reports iptables mode %j', (iptablesMode) => {
  expect(whats({ iptablesMode })).toMatchObject([
    {
      finding: 'injected-value-refused/iptables-mode',
      field: 'values.proxyInit.iptablesMode',
      expected: '"nft" or "legacy", depending on the nodes',
    },
  ]);
});

test('the check of the init container reports a missing iptables mode', () => {
  expect(whats({ iptablesMode: undefined })).toMatchObject([
    { finding: 'injected-value-refused/iptables-mode', field: 'values.proxyInit.iptablesMode', value: 'null' },
  ]);
});

test.each([false, null, undefined])(
  'the check of the init container reports a kernel parameter with runAsRoot %j',
  (runAsRoot) => {
    expect(whats({ closeWaitTimeoutSecs: 30, runAsRoot })).toMatchObject([
      { finding: 'injected-value-refused/init-wait', seconds: '30' },
    ]);
  },
);

test('the check of the init container accepts a kernel parameter with runAsRoot true', () => {
  expect(whats({ closeWaitTimeoutSecs: 30, runAsRoot: true })).toEqual([]);
});

test.each([0, null])('the check of the init container treats %j as no kernel parameter', (closeWaitTimeoutSecs) => {
  expect(whats({ closeWaitTimeoutSecs })).toEqual([]);
});

test('the check of the init container reports all problems', () => {
  expect(whats({ iptablesMode: 'plain', closeWaitTimeoutSecs: 30 })).toHaveLength(2);
});

test('the check of the init container accepts any value with the CNI plugin', () => {
  expect(whats({ iptablesMode: 'plain', closeWaitTimeoutSecs: 30 }, true)).toEqual([]);
  expect(whats({ iptablesMode: 'plain', closeWaitTimeoutSecs: 30 }, false)).toHaveLength(2);
});
