import { mergeValues } from '#base/values';
import { networkAttachment } from '#lib/constructs/control-plane/network-attachment';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { releaseOf } from '#linkerd/releases/release';
import { type CniConfigMap, readCniConfig } from '#operator/src/multus/cni-config';
import { fingerprintFile, readFingerprints } from '#tools/conformance/fingerprint';
import { FINGERPRINTS } from '#tools/conformance/known-renders';
import { renderCni } from '../../packages/linkerd/renderers/linkerd2-cni/fixture';

const configMap = (data?: Readonly<Record<string, string>>): CniConfigMap => ({
  metadata: { name: 'linkerd-cni-config', namespace: 'linkerd-cni' },
  data,
});

function config(pluginConfig: unknown, kubeconfig?: string, directory = '/etc/cni/net.d'): string {
  const data = { cni_network_config: JSON.stringify(pluginConfig), dest_cni_net_dir: directory };
  const read = readCniConfig(configMap(data), kubeconfig);
  if ('problem' in read) throw new Error(read.problem);
  return read.config;
}

const problem = (map: CniConfigMap | undefined) => {
  const read = readCniConfig(map);
  return 'problem' in read ? read.problem : undefined;
};

test('the network keeps the whole CNI configuration in order, after the version that Multus requires', () => {
  const plugin = {
    type: 'linkerd-cni',
    name: 'n',
    z: [1, null, { y: true }],
    linkerd: { 'iptables-mode': 'nft', a: 1.5 },
  };
  expect(config(plugin)).toBe(JSON.stringify({ cniVersion: '0.3.0', ...plugin }, undefined, 2));
});

test("the network keeps the plugin's own CNI version", () => {
  expect(JSON.parse(config({ cniVersion: '1.0.0' }))).toEqual({ cniVersion: '1.0.0' });
});

describe('the path of the kubeconfig', () => {
  const plugin = { kubernetes: { kubeconfig: '__KUBECONFIG_FILEPATH__' } };

  test('is the default one if the configuration contains none', () => {
    const read = readCniConfig(configMap({ cni_network_config: JSON.stringify(plugin) }));
    expect(read).toMatchObject({ config: expect.stringContaining('"/etc/cni/net.d/ZZZ-linkerd-cni-kubeconfig"') });
  });
});

test.each([
  ['no ConfigMap', undefined, 'there is no ConfigMap linkerd-cni-config: is linkerd-cni installed?'],
  ['no data', configMap(), 'ConfigMap linkerd-cni-config has no key cni_network_config'],
  ['no key', configMap({}), 'ConfigMap linkerd-cni-config has no key cni_network_config'],
  [
    'invalid JSON',
    configMap({ cni_network_config: '{"token": "secret"' }),
    'key cni_network_config of ConfigMap linkerd-cni-config is not a JSON object',
  ],
  [
    'a JSON list',
    configMap({ cni_network_config: '[]' }),
    'key cni_network_config of ConfigMap linkerd-cni-config is not a JSON object',
  ],
])('the operator reports why it cannot read the path of the kubeconfig: %s', (_case, map, why) =>
  expect(problem(map)).toBe(why),
);

describe('the library and the operator create the same network from the CNI chart with the values of', () => {
  const { variants } = readFingerprints(fingerprintFile(FINGERPRINTS, 'linkerd2-cni', 'edge-26.8.3'));

  test.each([{ name: 'base', values: {} }, ...variants])('$name', ({ values: changes }) => {
    const values = mergeValues(defaultsOf(releaseOf('edge-26.8.3')).cni, changes);
    const installed = renderCni(values, { namespace: 'linkerd-cni' }).find(({ kind }) => kind === 'ConfigMap');
    expect(readCniConfig(installed as unknown as CniConfigMap)).toEqual({
      config: networkAttachment('shop', { effectiveValues: values }).spec?.config,
    });
    const kubeconfig = '/host/kubeconfig';
    expect(readCniConfig(installed as unknown as CniConfigMap, kubeconfig)).toEqual({
      config: networkAttachment('shop', { effectiveValues: values, kubeconfig }).spec?.config,
    });
  });
});
