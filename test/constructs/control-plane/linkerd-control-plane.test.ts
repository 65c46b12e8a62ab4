import { Cron, Duration, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { LinkerdCni } from '#lib/constructs/control-plane/linkerd-cni';
import {
  LinkerdControlPlane,
  type LinkerdControlPlaneProps,
} from '#lib/constructs/control-plane/linkerd-control-plane';
import { LinkerdCrds } from '#lib/constructs/control-plane/linkerd-crds';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import type { CertManagerPKIProps } from '#lib/constructs/pki/cert-manager-pki';
import { dependenciesOf } from '#lib/gitops/tree/order';
import { declarationsOf } from '#lib/gitops/tree/references';
import { referenceKey } from '#lib/kubernetes/references';
import { addPki, emitted } from '../../support/control-plane-fixture';
import { ruleErrorsIn, ruleFactsIn } from '../../support/findings';

type Props = Partial<LinkerdControlPlaneProps<'edge-26.8.3'>>;

function controlPlaneIn(chart = Testing.chart(), props: Props = {}, pkiProps: Partial<CertManagerPKIProps> = {}) {
  return new LinkerdControlPlane(chart, 'linkerd', { ...addPki(chart, pkiProps), delivery: 'helm', ...props });
}

function valuesOf(props: Props, pkiProps: Partial<CertManagerPKIProps> = {}) {
  return controlPlaneIn(Testing.chart(), props, pkiProps).effectiveValues;
}

describe('values', () => {
  test('what props decide, over the defaults of the chart', () => {
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

  test('lifetimes are those of the PKI', () => {
    const values = valuesOf({}, { issuanceLifetime: Duration.hours(12), clockSkewAllowance: Duration.seconds(40) });
    expect(values).toMatchObject({ identity: { issuer: { issuanceLifetime: '12h', clockSkewAllowance: '40s' } } });
  });

  test('high availability is the default', () => {
    expect(valuesOf({})).toEqual(valuesOf({ highAvailability: true }));
  });

  test('high availability is all of values-ha, which values may tune', () => {
    const values = valuesOf({ highAvailability: true, values: { controllerReplicas: 5 } });
    expect(values).toMatchObject({
      highAvailability: true,
      webhookFailurePolicy: 'Fail',
      enablePodAntiAffinity: true,
      enablePodDisruptionBudget: true,
      controllerReplicas: 5,
      deploymentStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: '25%' } },
      identityResources: { memory: { limit: '250Mi', request: '10Mi' } },
    });
  });

  test.each([
    [{}, true],
    [{ proxy: { nativeSidecar: false } }, false],
  ])('proxies are native sidecars unless values say otherwise: %j', (values, expected) => {
    const chart = Testing.chart();
    expect(new LinkerdControlPlane(chart, 'linkerd', { ...addPki(chart), values }).nativeSidecars).toBe(expected);
  });

  test('2.14 has no native sidecars', () => {
    const chart = Testing.chart();
    const version = 'stable-2.14.10';
    expect(new LinkerdControlPlane(chart, 'linkerd', { ...addPki(chart), version }).nativeSidecars).toBe(false);
  });

  test.each([
    [{ heartbeatSchedule: '61 * * * *' }, 1],
    [{ heartbeatSchedule: '61 * * * *', disableHeartBeat: true }, 0],
  ])('a schedule in values is checked where it counts: %j', (values, problems) => {
    const chart = Testing.chart();
    new LinkerdControlPlane(chart, 'linkerd', { ...addPki(chart), values });
    expect(ruleErrorsIn(chart)).toHaveLength(problems);
  });

  test('the heartbeat may be another one, or none', () => {
    const heartbeat = Cron.schedule({ minute: '5', hour: '4' });
    expect(valuesOf({ heartbeat }).heartbeatSchedule).toBe('5 4 * * *');
    expect(valuesOf({ values: { heartbeatSchedule: '6 4 * * *' } }).heartbeatSchedule).toBe('6 4 * * *');
    expect(valuesOf({ heartbeat: false })).toMatchObject({ disableHeartBeat: true });
    expect(valuesOf({ heartbeat: false }).heartbeatSchedule).toBeUndefined();
  });

  test('extensions decide values after construction', () => {
    const chart = Testing.chart();
    const controlPlane = controlPlaneIn(chart, { values: { podAnnotations: { own: 'yes' } } });
    controlPlane.addValues({ podAnnotations: { added: 'yes' } }, new Construct(chart, 'extension'));
    expect(controlPlane.effectiveValues.podAnnotations).toEqual({ own: 'yes', added: 'yes' });
    const { spec } = emitted(chart, 'Application')['linkerd-control-plane'] ?? { spec: {} };
    expect(JSON.stringify(spec)).toContain('added: ');
  });

  test('values must not contradict an extension', () => {
    const chart = Testing.chart();
    const controlPlane = controlPlaneIn(chart, { values: { podAnnotations: { key: 'own' } } });
    controlPlane.addValues({ podAnnotations: { key: 'other' } }, new Construct(chart, 'extension'));
    expect(ruleFactsIn(controlPlane)).toMatchObject([
      {
        finding: 'value-contradicts-prop',
        path: 'podAnnotations.key',
        value: '"own"',
        construct: 'test/extension',
        decided: '"other"',
      },
    ]);
  });

  test('values must not contradict the PKI', () => {
    const controlPlane = controlPlaneIn(Testing.chart(), { values: { identity: { externalCA: false } } });
    expect(ruleFactsIn(controlPlane)).toMatchObject([
      {
        finding: 'value-contradicts-prop',
        path: 'identity.externalCA',
        value: 'false',
        construct: 'test/linkerd',
        decided: 'true',
      },
    ]);
  });
});

describe('releases', () => {
  test('another release has its own chart and types of values', () => {
    const chart = Testing.chart();
    const controlPlane = new LinkerdControlPlane(chart, 'linkerd', {
      delivery: 'helm',
      ...addPki(chart),
      version: 'stable-2.14.10',
      values: { controlPlaneTracing: true },
    });
    expect(controlPlane.release.version).toBe('stable-2.14.10');
    expect(controlPlane.effectiveValues).toMatchObject({
      linkerdVersion: 'stable-2.14.10',
      controlPlaneTracing: true,
      proxyInit: { iptablesMode: 'legacy' },
    });
    expect(emitted(chart, 'Application')['linkerd-control-plane']?.spec).toMatchObject({
      source: { targetRevision: '1.16.11', repoURL: 'https://helm.linkerd.io/stable' },
    });
    expect(ruleErrorsIn(controlPlane)).toEqual([]);
  });

  test('the compiler knows the values of each release', () => {
    const chart = Testing.chart();
    const edge = () =>
      new LinkerdControlPlane(chart, 'one', {
        ...addPki(chart),
        // @ts-expect-error gone since 2.19
        values: { controlPlaneTracing: true },
      });
    const stable = () =>
      new LinkerdControlPlane(chart, 'two', {
        ...addPki(chart),
        version: 'stable-2.14.10',
        // @ts-expect-error not yet in 2.14
        values: { controller: { tracing: { enabled: false } } },
      });
    expect([edge, stable]).toHaveLength(2);
  });

  test('the CRDs of the release come along, unless given', () => {
    const chart = Testing.chart();
    controlPlaneIn(chart);
    expect(emitted(chart, 'Application')['linkerd-crds']?.spec).toMatchObject({
      source: { targetRevision: '2026.8.3' },
    });
    const other = Testing.chart();
    controlPlaneIn(other, { crds: LinkerdCrds.fromExisting(other, 'crds') });
    expect(emitted(other, 'Application')['linkerd-crds']).toBeUndefined();
  });
});

describe('namespaces', () => {
  test('it is where the PKI says', () => {
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
  ])('%s keeps the injector away from kube-system', (_, props) => {
    const chart = Testing.chart();
    controlPlaneIn(chart, props);
    expect(emitted(chart, 'Namespace')['kube-system']?.metadata.labels).toMatchObject(label);
    expect(emitted(chart, 'Namespace')['cert-manager']).toBeUndefined();
  });

  test('and from a cert-manager that the injector does not know by name', () => {
    const chart = Testing.chart();
    const certManager = CertManager.fromExisting(chart, 'certificates', { namespace: 'security' });
    controlPlaneIn(chart, { highAvailability: true }, { certManager });
    expect(emitted(chart, 'Namespace').security?.metadata.labels).toMatchObject(label);
  });

  test('otherwise kube-system is left alone', () => {
    const chart = Testing.chart();
    controlPlaneIn(chart, { highAvailability: false });
    expect(emitted(chart, 'Namespace')['kube-system']).toBeUndefined();
  });
});

describe('what it needs and brings', () => {
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

  test('pull secrets', () => {
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
  ])('no heartbeat account without a heartbeat, by %s', (_, props) => {
    const controlPlane = controlPlaneIn(Testing.chart(), props);
    expect(keysOf(controlPlane, 'provides')).not.toContain('ServiceAccount linkerd/linkerd-heartbeat');
  });

  test('a certificate for each webhook, before the chart', () => {
    const chart = Testing.chart();
    const controlPlane = controlPlaneIn(chart);
    expect(Object.keys(emitted(chart, 'Certificate'))).toEqual(
      expect.arrayContaining(['linkerd-policy-validator', 'linkerd-proxy-injector', 'linkerd-sp-validator']),
    );
    expect(dependenciesOf(controlPlane.node.findChild('chart')).map(({ node }) => node.id)).toEqual([
      'linkerd-proxy-injector',
      'linkerd-sp-validator',
      'linkerd-policy-validator',
    ]);
  });

  test('it comes after CRDs, PKI, trust roots and CNI plugin', () => {
    const chart = Testing.chart();
    const controlPlane = controlPlaneIn(chart, { cni: new LinkerdCni(chart, 'cni') });
    expect(dependenciesOf(controlPlane).map(({ node }) => node.id)).toEqual(['linkerd-crds', 'pki', 'trust', 'cni']);
  });
});

describe('mistakes', () => {
  test('a good control plane has none', () => {
    expect(ruleErrorsIn(controlPlaneIn(Testing.chart(), { highAvailability: true }))).toEqual([]);
  });

  test('rules see what values and extensions make together', () => {
    const chart = Testing.chart();
    const controlPlane = controlPlaneIn(chart);
    controlPlane.addValues({ proxy: { tracing: { enabled: true } } }, new Construct(chart, 'tracing'));
    expect(ruleErrorsIn(controlPlane)).toHaveLength(2);
  });

  test('values that the chart does not know, or refuses', () => {
    const chart = Testing.chart();
    // @ts-expect-error the compiler knows, too
    const values: Props['values'] = { proxy: { logHTTPHeaders: 'everything' }, controllerReplica: 3 };
    expect(ruleFactsIn(controlPlaneIn(chart, { values }))).toMatchObject([
      { finding: 'chart-value-refused/unknown', path: 'controllerReplica' },
      { finding: 'chart-value-refused/invalid', path: 'proxy.logHTTPHeaders' },
    ]);
  });

  test('a lifetime that nobody can write is left to the PKI', () => {
    const issuanceLifetime = Duration.millis(0.5);
    expect(() => controlPlaneIn(Testing.chart(), {}, { issuanceLifetime })).not.toThrow();
  });

  test('a heartbeat that no CronJob takes', () => {
    const heartbeat = Cron.schedule({ minute: '61' });
    expect(ruleErrorsIn(controlPlaneIn(Testing.chart(), { heartbeat }))).toEqual([
      expect.stringContaining('heartbeat'),
    ]);
  });
});
