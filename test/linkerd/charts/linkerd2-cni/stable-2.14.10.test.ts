import type { ConfigMap, DaemonSet } from '../../../../imports/kubernetes';
import { mergeValues, type Values } from '../../../../lib/kubernetes/values';
import { cniChart } from '../../../../lib/linkerd/charts/linkerd2-cni/chart';
import { cniRenderer } from '../../../../lib/linkerd/charts/linkerd2-cni/native';
import { CNI, type CniTemplates } from '../../../../lib/linkerd/releases/groups/cni';
import { releaseOf } from '../../../../lib/linkerd/releases/release';
import { chartConformance } from '../../../support/chart-conformance';

const EDGE = CNI['edge-26.8.3'].templates;
const { defaults } = cniChart(releaseOf('edge-26.8.3'));

/** The DaemonSet and the network configuration by templates that differ in one feature from those of edge. */
function rendered(feature: Partial<CniTemplates>, values: Values = {}) {
  const { render } = cniRenderer({ ...EDGE, ...feature });
  const objects = render(mergeValues(defaults, values), { namespace: 'linkerd-cni' });
  const daemonSet = objects.find(({ kind }) => kind === 'DaemonSet') as DaemonSet;
  const config = (objects.find(({ kind }) => kind === 'ConfigMap') as ConfigMap).data?.cni_network_config ?? '';
  const [, repair] = daemonSet.spec?.template.spec?.containers ?? [];
  return { daemonSet, repair, network: JSON.parse(config) as { linkerd: Values; policy?: Values } };
}

describe('the CNI plugin of stable-2.14.10 is what its chart renders', () => {
  const { variants, refused, differences } = chartConformance(cniChart(releaseOf('stable-2.14.10')));

  test('for about fifty variants of values, of which the chart refuses none', () => {
    expect(variants).toHaveLength(46);
    expect(refused).toEqual([]);
  });

  test.each(variants)('$name', (variant) => expect(differences(variant)).toEqual([]));
});

describe('a plugin that chooses the redirection by itself', () => {
  const feature = { redirectionChosen: false };

  test('is told of the API server, and nothing of iptables, IPv6 and groups', () => {
    const { network } = rendered(feature, { proxyGID: 5 });
    expect(network.policy).toMatchObject({ type: 'k8s' });
    expect(network.linkerd).not.toHaveProperty('iptables-mode');
    expect(network.linkerd).not.toHaveProperty('ipv6');
    expect(network.linkerd).not.toHaveProperty('proxy-gid');
    expect(rendered({}).network).not.toHaveProperty('policy');
  });

  test('is repaired by way of IPv4', () => {
    const { repair } = rendered(feature, { disableIPv6: false, repairController: { enabled: true } });
    expect(repair?.args?.[0]).toBe('--admin-addr=0.0.0.0:9990');
  });

  test('needs no values that say it', () => {
    const values = mergeValues(defaults, { iptablesMode: null, disableIPv6: null, proxyGID: null });
    expect(cniRenderer({ ...EDGE, ...feature }).check(values)).toEqual([]);
    expect(cniRenderer(EDGE).check(values)).toHaveLength(3);
  });
});

test('a rollout that values do not choose is that of one node after the other', () => {
  const values = { revisionHistoryLimit: 3, updateStrategy: { type: 'OnDelete' } };
  const { spec } = rendered({ rolloutChosen: false }, values).daemonSet;
  expect(spec?.updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } });
  expect(spec?.revisionHistoryLimit).toBeUndefined();
  expect(rendered({}, values).daemonSet.spec).toMatchObject({ revisionHistoryLimit: 3 });
});

test("a repair controller with the installer's resources names its port as controllers do", () => {
  const values = {
    repairController: { enabled: true, resources: { cpu: { limit: 1 } } },
    resources: { cpu: { limit: 2 } },
  };
  const { repair } = rendered({ repairController: "the installer's resources" }, values);
  expect(repair?.resources).toEqual({ limits: { cpu: '2' } });
  expect(repair?.ports).toEqual([{ containerPort: 9990, name: 'admin-http' }]);
  expect(repair?.livenessProbe?.httpGet?.port).toBe('admin-http');
  expect(rendered({}, values).repair).toMatchObject({
    resources: { limits: { cpu: '1' } },
    ports: [{ name: 'repair-admin' }],
  });
});
