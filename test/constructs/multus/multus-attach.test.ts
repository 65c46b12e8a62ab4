import { Testing } from 'cdk8s';
import { LinkerdCni, type LinkerdCniProps } from '#lib/constructs/control-plane/linkerd-cni';
import {
  LinkerdControlPlane,
  type LinkerdControlPlaneProps,
} from '#lib/constructs/control-plane/linkerd-control-plane';
import { MultusAttach, type MultusAttachProps } from '#lib/constructs/multus/multus-attach';
import { ReconcilerOperator } from '#lib/constructs/operator/reconciler-operator';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
import { addPki, emitted } from '../../support/control-plane-fixture';
import { findingsAt, ruleErrorsIn, ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { addControlPlane, build } from '../operator/fixture';

const MULTUS_CRD = {
  external: [{ kind: 'CustomResourceDefinition', name: 'network-attachment-definitions.k8s.cni.cncf.io' }],
} as const;

function attach(
  props: Partial<MultusAttachProps> = {},
  cni: LinkerdCniProps<'edge-26.8.3'> = {},
  linkerd: Partial<LinkerdControlPlaneProps<'edge-26.8.3'>> = {},
) {
  const chart = Testing.chart();
  const controlPlane = new LinkerdControlPlane(chart, 'linkerd', {
    delivery: 'helm',
    ...addPki(chart),
    cni: new LinkerdCni(chart, 'cni', cni),
    ...linkerd,
  });
  const multus = new MultusAttach(chart, 'multus', { controlPlane, namespaces: ['shop'], ...props });
  return { chart, controlPlane, multus };
}

/** Returns the objects of a kind, each as `<namespace>/<name>`. */
function placesOf(chart: Parameters<typeof Testing.synth>[0], kind: string) {
  const objects = plainObjects(chart) as { kind: string; metadata: { name: string; namespace: string } }[];
  return objects
    .filter((object) => object.kind === kind)
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

test('networks from Git and from the operator name the same kubeconfig in any order of construction', () => {
  const kubeconfig = '/host/etc/kubeconfig';
  const built = build((cluster) => {
    const controlPlane = addControlPlane(cluster, { cni: { kubeconfig } });
    new ReconcilerOperator(cluster, 'operator', { controlPlane, multus: true });
    new MultusAttach(cluster, 'multus', { controlPlane, namespaces: ['shop'] });
  }, MULTUS_CRD);
  expect(built.problems).toEqual([]);
  for (const namespace of ['linkerd', 'shop']) {
    const { spec } = built.objects.get(`${namespace}/networkattachmentdefinition.linkerd-cni`);
    expect(JSON.parse(spec.config)).toMatchObject({ kubernetes: { kubeconfig } });
  }
  const { spec } = built.objects.get('linkerd-reconciler/deployment.linkerd-reconciler');
  expect(spec.template.spec.containers[0].args).toContain(`--cni-kubeconfig=${kubeconfig}`);
});

test.each(['etc/kubeconfig', '/etc/$(HOME)', '/etc/../x', '/etc/', '', '/a b'])(
  'synth refuses a kubeconfig at "%s", also of an existing plugin',
  (kubeconfig) => {
    const refused = expect.objectContaining({ code: 'control-plane-value-refused', parameters: { path: kubeconfig } });
    expect(ruleFindingsIn(attach({}, { kubeconfig }).chart)).toContainEqual(refused);
    const chart = Testing.chart();
    LinkerdCni.fromExisting(chart, 'cni', { kubeconfig });
    expect(ruleFindingsIn(chart)).toContainEqual(refused);
  },
);

test('MultusAttach annotates namespaces with the user ID of their proxies', () => {
  const { chart, multus } = attach({ namespaces: ['shop', { name: 'bank', proxyUid: 1000682102 }] });
  expect(multus.namespaces.map(({ name }) => name)).toEqual(['shop', 'bank']);
  const { shop, bank } = emitted(chart, 'Namespace');
  expect(shop?.metadata.annotations).toMatchObject({ 'linkerd.io/multus': 'enabled' });
  expect(shop?.metadata.annotations).not.toHaveProperty('config.linkerd.io/proxy-uid');
  expect(bank?.metadata.annotations).toMatchObject({ 'config.linkerd.io/proxy-uid': '1000682102' });
});

test('control plane pods attach without an operator', () => {
  const { controlPlane } = attach();
  expect(controlPlane.effectiveValues.podAnnotations).toEqual({ 'k8s.v1.cni.cncf.io/networks': 'linkerd-cni' });
  expect(MultusAttach.podAnnotations).toEqual({ 'k8s.v1.cni.cncf.io/networks': 'linkerd-cni' });
});

describe('OpenShift', () => {
  const grants = (chart: Parameters<typeof Testing.synth>[0]) => placesOf(chart, 'RoleBinding');

  test('grants the mesh its SCCs', () => {
    const { chart } = attach({ namespaces: ['shop', 'linkerd-viz'] }, { openShift: true });
    expect(grants(chart)).toEqual([
      'linkerd-cni/linkerd-scc-privileged',
      'linkerd/linkerd-scc-privileged',
      'linkerd/linkerd-scc-nonroot-v2',
      'linkerd-viz/linkerd-scc-anyuid',
      'linkerd-viz/linkerd-scc-nonroot-v2',
    ]);
  });

  test('grants nothing to a Viz that is not attached', () => {
    const { chart } = attach({ vizNamespace: 'mesh-viz' }, { openShift: true });
    expect(grants(chart).filter((place) => place.includes('viz'))).toEqual([]);
  });

  test.each([{ heartbeat: false }, { values: { disableHeartBeat: true } }] as const)(
    'grants nothing to a heartbeat that %j turns off',
    (linkerd) => {
      const { chart } = attach({}, { openShift: true }, linkerd);
      expect(grants(chart)).toEqual(['linkerd-cni/linkerd-scc-privileged', 'linkerd/linkerd-scc-privileged']);
      expect(ruleErrorsIn(chart)).toEqual([]);
    },
  );

  const validator = ({ effectiveValues }: LinkerdControlPlane) => effectiveValues.networkValidator;

  test("assigns the user ID of each pod's network validator", () => {
    const { controlPlane } = attach({}, { openShift: true });
    // A null removes the default of the chart.
    expect(validator(controlPlane)).toMatchObject({
      securityContext: { runAsNonRoot: true, runAsUser: null, runAsGroup: null },
    });
    expect(validator(attach().controlPlane)).toMatchObject({ securityContext: { runAsUser: 65534 } });
  });

  test('assigns the user ID of the network validator with 2.14, too', () => {
    const chart = Testing.chart();
    const version = 'stable-2.14.10';
    const cni = new LinkerdCni(chart, 'cni', { version, openShift: true });
    const controlPlane = new LinkerdControlPlane(chart, 'linkerd', { ...addPki(chart), version, cni });
    new MultusAttach(chart, 'multus', { controlPlane, namespaces: ['shop'] });
    expect(controlPlane.effectiveValues.networkValidator).toMatchObject({ enableSecurityContext: false });
    expect(ruleErrorsIn(chart)).toEqual([]);
  });

  test('requires user IDs for proxies, or an operator that sets them', () => {
    const openShift = { openShift: true };
    const warnings = (props: Partial<MultusAttachProps>, cni = openShift) => findingsAt(attach(props, cni).multus);
    expect(warnings({ namespaces: ['shop', 'bank', 'linkerd-viz'] })).toMatchObject([
      { code: 'proxy-user-unset', parameters: { namespaces: 'shop, bank' } },
    ]);
    expect(warnings({ namespaces: [{ name: 'shop', proxyUid: 1000682102 }] })).toEqual([]);
    expect(warnings({ operatorNamespace: 'multus-operator' })).toEqual([]);
    expect(warnings({}, { openShift: false })).toEqual([]);
  });
});

describe('mistakes in MultusAttach', () => {
  test('are all reported at once', () => {
    const { multus } = attach({ namespaces: ['kube-system', 'Shop'], operatorNamespace: 'linkerd' });
    expect(ruleErrorsIn(multus)).toHaveLength(3);
  });
});

test.each([
  ['enabled', 1],
  ['ingress', 1],
  ['disabled', 0],
])('a namespace with injection %s that is not attached has problems: %d', (mode, count) => {
  const { chart } = attach();
  ensureNamespace(chart, 'bank', { annotations: { 'linkerd.io/inject': mode } });
  const finding = { code: 'namespace-not-attached', parameters: { namespace: 'bank' } };
  expect(ruleFindingsIn(chart)).toMatchObject(Array(count).fill(finding));
});
