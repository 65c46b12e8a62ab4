import { type Chart, Cron, Duration, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { referenceKey } from '#kubernetes/objects/references';
import {
  LinkerdControlPlane,
  type LinkerdControlPlaneProps,
} from '#lib/constructs/control-plane/linkerd-control-plane';
import { LinkerdCrds } from '#lib/constructs/control-plane/linkerd-crds';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import type { CertManagerPKIProps } from '#lib/constructs/pki/cert-manager-pki';
import { declarationsOf } from '#lib/gitops/tree/references';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { addPki, emitted } from '../../support/control-plane-fixture';
import { facts, findingsAt, ruleErrorsIn, ruleFactsIn } from '../../support/findings';

type Props = Partial<LinkerdControlPlaneProps<'edge-26.8.3'>>;

function controlPlaneIn(chart = Testing.chart(), props: Props = {}, pkiProps: Partial<CertManagerPKIProps> = {}) {
  return new LinkerdControlPlane(chart, 'linkerd', { ...addPki(chart, pkiProps), delivery: 'helm', ...props });
}

function valuesOf(props: Props, pkiProps: Partial<CertManagerPKIProps> = {}) {
  return controlPlaneIn(Testing.chart(), props, pkiProps).effectiveValues;
}

describe('values', () => {
  test('replace the defaults of the chart by what props decide', () => {
    const domains = { trustDomain: 'mesh.corp', clusterDomain: 'k8s.corp' };
    expect(valuesOf({ highAvailability: false }, domains)).toMatchObject({
      clusterDomain: 'k8s.corp',
      identityTrustDomain: 'mesh.corp',
      identity: { externalCA: true, issuer: { scheme: 'kubernetes.io/tls', issuanceLifetime: '24h' } },
      proxyInjector: { externalSecret: true, injectCaFrom: 'linkerd/linkerd-proxy-injector' },
      controllerReplicas: 1,
      cniEnabled: false,
    });
  });

  test('contain the lifetimes of the PKI', () => {
    const values = valuesOf({}, { issuanceLifetime: Duration.hours(12), clockSkewAllowance: Duration.seconds(40) });
    expect(values).toMatchObject({ identity: { issuer: { issuanceLifetime: '12h', clockSkewAllowance: '40s' } } });
  });

  test('are highly available by default', () => expect(valuesOf({})).toEqual(valuesOf({ highAvailability: true })));

  test.each<[LinkerdVersion, object, boolean]>([
    ['edge-26.8.3', {}, true],
    ['edge-26.8.3', { proxy: { nativeSidecar: false } }, false],
    ['stable-2.14.10', {}, false],
  ])('with %s and %j decide whether proxies are native sidecars: %s', (version, values, expected) => {
    const chart = Testing.chart();
    const props = { ...addPki(chart), version, values };
    expect(new LinkerdControlPlane(chart, 'linkerd', props).nativeSidecars).toBe(expected);
  });

  test('may have any schedule for a disabled heartbeat', () => {
    const chart = Testing.chart();
    const values = { heartbeatSchedule: '61 * * * *', disableHeartBeat: true };
    new LinkerdControlPlane(chart, 'linkerd', { ...addPki(chart), values });
    expect(ruleErrorsIn(chart)).toEqual([]);
  });

  test('may name another heartbeat schedule, or turn the heartbeat off', () => {
    const heartbeat = Cron.schedule({ minute: '5', hour: '4' });
    expect(valuesOf({ heartbeat }).heartbeatSchedule).toBe('5 4 * * *');
    expect(valuesOf({ values: { heartbeatSchedule: '6 4 * * *' } }).heartbeatSchedule).toBe('6 4 * * *');
    expect(valuesOf({ heartbeat: false })).toMatchObject({ disableHeartBeat: true });
    expect(valuesOf({ heartbeat: false }).heartbeatSchedule).toBeUndefined();
  });

  test('include what extensions add after construction', () => {
    const chart = Testing.chart();
    const controlPlane = controlPlaneIn(chart, { values: { podAnnotations: { own: 'yes' } } });
    controlPlane.addValues({ podAnnotations: { added: 'yes' } }, new Construct(chart, 'extension'));
    expect(controlPlane.effectiveValues.podAnnotations).toEqual({ own: 'yes', added: 'yes' });
    const { spec } = emitted(chart, 'Application')['linkerd-control-plane'] ?? { spec: {} };
    expect(JSON.stringify(spec)).toContain('added: ');
  });

  test.each<[string, Props['values'], object]>([
    ['linkerd', { identity: { externalCA: false } }, { path: 'identity.externalCA', value: 'false', decided: 'true' }],
    ['extension', { podAnnotations: { key: 'a' } }, { path: 'podAnnotations.key', value: '"a"', decided: '"other"' }],
  ])('of the user may not contradict what the construct %s decides: %j', (construct, values, parameters) => {
    const chart = Testing.chart();
    const controlPlane = controlPlaneIn(chart, { values });
    controlPlane.addValues({ podAnnotations: { key: 'other' } }, new Construct(chart, 'extension'));
    expect(ruleFactsIn(controlPlane)).toMatchObject([
      { finding: 'value-contradicts-prop', construct: `test/${construct}`, ...parameters },
    ]);
  });
});

test('LinkerdControlPlane creates the CRDs of its release, unless it gets them by a prop', () => {
  const chart = Testing.chart();
  controlPlaneIn(chart);
  expect(emitted(chart, 'Application')['linkerd-crds']?.spec).toMatchObject({ source: { targetRevision: '2026.8.3' } });
  const other = Testing.chart();
  controlPlaneIn(other, { crds: LinkerdCrds.fromExisting(other, 'crds') });
  expect(emitted(other, 'Application')['linkerd-crds']).toBeUndefined();
});

test.each<[string, (chart: Chart, parts: ReturnType<typeof addPki>, version: LinkerdVersion) => unknown]>([
  [
    'new',
    (chart, parts, version) => new LinkerdControlPlane(chart, 'linkerd', { ...parts, version, delivery: 'helm' }),
  ],
  ['existing', (chart, { pki }, version) => LinkerdControlPlane.fromExisting(chart, 'linkerd', { pki, version })],
])('synth warns that a control plane (%s) of an early release does not constrain SPIFFE identities', (_, add) => {
  const causes = (version: LinkerdVersion) => {
    const chart = Testing.chart();
    const trustAnchor = {
      duration: Duration.days(3650),
      renewBefore: Duration.days(365),
      rotation: 'operator',
      operator: { cluster: 'east', members: ['west'], certifies: [{ cluster: 'west', trustDomain: 'west.example' }] },
    } as const;
    add(chart, addPki(chart, { trustAnchor }), version);
    return findingsAt(chart.node.findChild('linkerd')).map((problem) => facts(problem).finding);
  };
  const found = 'anchor-certified-unconstrained/release';
  expect(causes('edge-26.4.3')).toContain(found);
  expect(causes('edge-26.4.4')).not.toContain(found);
});

describe('namespaces', () => {
  test('include the namespace of the control plane that the PKI defines', () => {
    const chart = Testing.chart();
    const controlPlane = controlPlaneIn(chart, {}, { controlPlaneNamespace: 'mesh' });
    expect(controlPlane.namespace).toBe('mesh');
    expect(emitted(chart, 'Namespace').mesh?.metadata.labels).toMatchObject({ 'linkerd.io/control-plane-ns': 'mesh' });
    expect(controlPlane.effectiveValues).toMatchObject({
      proxyInjector: { injectCaFrom: 'mesh/linkerd-proxy-injector' },
    });
  });

  const label = { 'config.linkerd.io/admission-webhooks': 'disabled' };

  test.each<[string, Props]>([
    ['high availability', { highAvailability: true }],
    ['webhookFailurePolicy: Fail', { values: { webhookFailurePolicy: 'Fail' } }],
  ])('with %s keep the injector away from kube-system', (_, props) => {
    const chart = Testing.chart();
    controlPlaneIn(chart, props);
    expect(emitted(chart, 'Namespace')['kube-system']?.metadata.labels).toMatchObject(label);
    expect(emitted(chart, 'Namespace')['cert-manager']).toBeUndefined();
  });

  test('keep the injector away from cert-manager in a namespace of another name', () => {
    const chart = Testing.chart();
    const certManager = CertManager.fromExisting(chart, 'certificates', { namespace: 'security' });
    controlPlaneIn(chart, { highAvailability: true }, { certManager });
    expect(emitted(chart, 'Namespace').security?.metadata.labels).toMatchObject(label);
  });

  test('do not include kube-system without high availability', () => {
    const chart = Testing.chart();
    controlPlaneIn(chart, { highAvailability: false });
    expect(emitted(chart, 'Namespace')['kube-system']).toBeUndefined();
  });
});

describe('the control plane requires or provides', () => {
  const keysOf = (controlPlane: LinkerdControlPlane, part: 'provides' | 'requires') =>
    controlPlane.node
      .findAll()
      .flatMap(declarationsOf)
      .flatMap((declarations) => declarations[part] ?? [])
      .map(referenceKey);

  test('the Secrets, Certificates and ConfigMap that its pods mount', () => {
    expect(keysOf(controlPlaneIn(), 'requires')).toEqual([
      'Secret linkerd/linkerd-identity-issuer',
      'ConfigMap linkerd/linkerd-identity-trust-roots',
      'Certificate linkerd/linkerd-proxy-injector',
      'Secret linkerd/linkerd-proxy-injector-k8s-tls',
      'Certificate linkerd/linkerd-sp-validator',
      'Secret linkerd/linkerd-sp-validator-k8s-tls',
      'Certificate linkerd/linkerd-policy-validator',
      'Secret linkerd/linkerd-policy-validator-k8s-tls',
    ]);
  });

  test('the pull secrets of its values', () => {
    const controlPlane = controlPlaneIn(Testing.chart(), { values: { imagePullSecrets: [{ name: 'registry' }] } });
    expect(keysOf(controlPlane, 'requires')).toContain('Secret linkerd/registry');
  });

  test('the objects of its chart', () => {
    expect(keysOf(controlPlaneIn(), 'provides')).toEqual([
      'ServiceAccount linkerd/linkerd-destination',
      'ServiceAccount linkerd/linkerd-identity',
      'ServiceAccount linkerd/linkerd-proxy-injector',
      'ServiceAccount linkerd/linkerd-heartbeat',
      'Service linkerd/linkerd-dst',
      'Service linkerd/linkerd-dst-headless',
      'Service linkerd/linkerd-identity',
      'Service linkerd/linkerd-identity-headless',
      'Service linkerd/linkerd-policy',
      'Service linkerd/linkerd-policy-validator',
      'Service linkerd/linkerd-proxy-injector',
      'Service linkerd/linkerd-sp-validator',
      'ConfigMap linkerd/linkerd-config',
    ]);
  });

  test.each<[string, Props]>([
    ['the prop', { heartbeat: false }],
    ['values', { values: { disableHeartBeat: true } }],
  ])('no ServiceAccount of a heartbeat that is disabled by %s', (_, props) => {
    const controlPlane = controlPlaneIn(Testing.chart(), props);
    expect(keysOf(controlPlane, 'provides')).not.toContain('ServiceAccount linkerd/linkerd-heartbeat');
  });
});

describe('the control plane', () => {
  test('is checked with the values of users and extensions together', () => {
    const chart = Testing.chart();
    const controlPlane = controlPlaneIn(chart);
    controlPlane.addValues({ proxy: { tracing: { enabled: true } } }, new Construct(chart, 'tracing'));
    expect(ruleErrorsIn(controlPlane)).toHaveLength(2);
  });

  test('leaves the report of an invalid lifetime to the PKI', () => {
    const issuanceLifetime = Duration.millis(0.5);
    expect(() => controlPlaneIn(Testing.chart(), {}, { issuanceLifetime })).not.toThrow();
  });
});
