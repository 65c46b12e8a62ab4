import { Chart } from 'cdk8s';
import { dependenciesOf } from '#lib/gitops/tree/order';
import { ruleErrorsIn } from '../../support/findings';
import { objectOf, pkiChart } from './mesh';

test('a webhook certificate and its Secret may have other names', () => {
  const { chart, pki } = pkiChart();
  const certificate = pki.webhookCertificate(chart, 'tap', {
    service: 'tap-injector',
    namespace: 'linkerd-viz',
    name: 'linkerd-tap-injector',
    secretName: 'tap-tls',
  });
  expect(certificate.injectCaFrom).toBe('linkerd-viz/linkerd-tap-injector');
  expect(objectOf(chart, 'Certificate', 'linkerd-tap-injector').spec).toMatchObject({
    secretName: 'tap-tls',
    dnsNames: ['tap-injector.linkerd-viz.svc'],
  });
});

test('a webhook certificate has a long name in dnsNames only', () => {
  const { chart, pki } = pkiChart();
  const namespace = 'a'.repeat(63);
  pki.webhookCertificate(chart, 'tap', { service: 'tap', namespace });
  const { spec } = objectOf(chart, 'Certificate', 'tap');
  expect(spec).not.toHaveProperty('commonName');
  expect(spec).toMatchObject({ dnsNames: [`tap.${namespace}.svc`] });
});

test('a webhook certificate is in its namespace, and applied after its issuer', () => {
  const { chart, pki } = pkiChart();
  const other = new Chart(chart.node.root, 'other');
  const certificate = pki.webhookCertificate(other, 'tap', { service: 'tap', namespace: 'linkerd-viz' });
  expect(Chart.of(certificate)).toBe(other);
  expect(dependenciesOf(certificate).map(({ node }) => node.path)).toEqual([`${pki.node.path}/webhooks`]);
});

test.each([
  [undefined, 'tap'],
  ['linkerd-tap', 'linkerd-tap'],
  [false, undefined],
] as const)('rotation of a webhook certificate with deployment %s restarts %s', (deployment, restarted) => {
  const { chart, pki } = pkiChart();
  const certificate = pki.webhookCertificate(chart, 'tap', { service: 'tap', namespace: 'linkerd-viz', deployment });
  expect(certificate.deployment).toBe(restarted);
});

test('the PKI lists all webhook certificates in order', () => {
  const { chart, pki } = pkiChart();
  const made = ['b', 'a'].map((service) => pki.webhookCertificate(chart, service, { service, namespace: 'linkerd' }));
  expect(pki.webhookCertificates).toEqual(made);
});

test('synth refuses invalid names of webhook certificates', () => {
  const { chart, pki } = pkiChart();
  pki.webhookCertificate(chart, 'tap', {
    service: 'Tap',
    namespace: 'linkerd',
    name: '-',
    secretName: 'x_y',
    deployment: 'D',
  });
  expect(ruleErrorsIn(chart).map((error) => error.slice(0, error.indexOf(',')))).toEqual([
    expect.stringContaining('service is "Tap"'),
    expect.stringContaining('name is "-"'),
    expect.stringContaining('secretName is "x_y"'),
    expect.stringContaining('deployment is "D"'),
  ]);
});
