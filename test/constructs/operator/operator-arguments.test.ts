import { checkProxyUsers, type OperatorSettings, operatorArguments } from '#lib/constructs/operator/operator-arguments';
import { OPERATOR_PORTS } from '#lib/constructs/operator/operator-names';
import { parseFlags, readFlags } from '#operator/src/flags/read-flags';
import { checkRunOptions, RUN_FLAGS } from '#operator/src/run-options';

/** Returns the options that the operator parses from the arguments. */
function read(settings: Partial<OperatorSettings> = {}) {
  const [name, ...args] = operatorArguments({ controlPlaneNamespace: 'mesh', webhooks: true, ...settings });
  expect(name).toBe('run');
  const options = readFlags(parseFlags(args, RUN_FLAGS), RUN_FLAGS, {});
  if ('problems' in options) throw new Error(options.problems.join('\n'));
  expect(checkRunOptions(options.values)).toEqual([]);
  return options.values;
}

test('the operator parses the arguments of its pod', () => {
  expect(read({ cniNamespace: 'cni' })).toMatchObject({
    leaderElect: true,
    linkerdNamespace: 'mesh',
    multus: true,
    cniNamespace: 'cni',
    enableWebhooks: true,
    webhookCertDir: '/certificate',
  });
});

test('the arguments disable Multus and webhooks if the operator has none', () => {
  expect(read({ webhooks: false })).toMatchObject({ multus: false, enableWebhooks: false });
});

test('the arguments name the namespaces of workloads', () => {
  expect(read({ workloadNamespaces: ['shop', 'web'] }).workloadNamespaces).toEqual(['shop', 'web']);
  expect(read().workloadNamespaces).toEqual([]);
});

test('the arguments place the trust anchor in the namespace of cert-manager', () => {
  expect(read({ certManagerNamespace: 'certs' })).toMatchObject({ trustAnchor: true, certManagerNamespace: 'certs' });
  expect(read().trustAnchor).toBe(false);
});

test('the arguments name the path at which the CA of clients is mounted', () => {
  expect(read({ clientCa: true }).webhookClientCa).toBe('/client-ca/ca.crt');
  expect(read({ clientCa: true, webhooks: false }).webhookClientCa).toBeUndefined();
});

test('the arguments contain the options of the user', () => {
  const settings = { installerFieldManagers: ['kustomize-controller', 'helm'], logLevel: 'debug' as const };
  expect(read(settings)).toMatchObject(settings);
});

test('the ports of the pod are the default ports of the operator', () => {
  const { webhookPort, metricsPort, healthPort } = read();
  expect(OPERATOR_PORTS).toEqual({ webhook: webhookPort, metrics: metricsPort, health: healthPort });
});

test('the arguments contain the kubeconfig of the CNI plugin only with Multus', () => {
  const cniKubeconfig = '/host/kubeconfig';
  expect(read({ cniNamespace: 'cni', cniKubeconfig })).toMatchObject({ cniKubeconfig });
  expect(read({ cniKubeconfig }).cniKubeconfig).toBeUndefined();
  expect(read({ cniNamespace: 'cni' }).cniKubeconfig).toBeUndefined();
});

test('the arguments contain the offset and the annotation of the range of user IDs', () => {
  expect(read({ cniNamespace: 'cni', proxyUsers: { offset: 7, rangeAnnotation: 'example.com/users' } })).toMatchObject({
    linkerdProxyUidOffset: 7,
    namespaceUidRangeAnnotation: 'example.com/users',
  });
  expect(read({ cniNamespace: 'cni', proxyUsers: {} })).toMatchObject({ linkerdProxyUidOffset: 2102 });
});

test.each([0, 2 ** 31, Number.NaN])('synth refuses the offset %d of user IDs', (offset) => {
  expect(checkProxyUsers({ offset }, true)).toMatchObject([
    { code: 'operator-setting-refused', parameters: { offset } },
  ]);
});

test('synth refuses proxyUsers without Multus, or with an invalid rangeAnnotation', () => {
  expect(checkProxyUsers({ offset: 7 }, false)).toMatchObject([{ code: 'operator-setting-refused' }]);
  expect(checkProxyUsers({ rangeAnnotation: 'a b' }, true)).toMatchObject([
    { what: expect.stringContaining('proxyUsers.rangeAnnotation') },
  ]);
});
