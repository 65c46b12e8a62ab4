import { ApiObject } from 'cdk8s';
import { ingressNginxValues } from '../../../lib/constructs/recipes/ingress-nginx';
import { ensureNamespace } from '../../../lib/gitops/tree/namespace';
import { ruleFindingsIn } from '../../support/findings';
import { mesh, problemsOf } from '../meshing/fixture';

test("the controller's pods are injected", () => {
  const { chart, meshing } = mesh();
  expect(ingressNginxValues(meshing, { config: { skipInboundPorts: [8443] } })).toEqual({
    controller: {
      podAnnotations: { 'linkerd.io/inject': 'enabled', 'config.linkerd.io/skip-inbound-ports': '8443' },
    },
  });
  expect(problemsOf(chart)).toEqual([]);
});

const bad = { code: 'jobs-in-mesh', parameters: { annotation: 'linkerd.io/inject' } };

test('its namespace must not be', () => {
  const { chart, meshing } = mesh();
  ingressNginxValues(meshing);
  meshing.namespace('ingress-nginx');
  expect(ruleFindingsIn(chart)).toMatchObject([bad]);
});

test('not in ingress mode either, in whatever order', () => {
  const { chart, meshing } = mesh();
  meshing.injectIngress(
    new ApiObject(chart, 'edge', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'edge' } }),
  );
  ingressNginxValues(meshing, { namespace: 'edge' });
  expect(ruleFindingsIn(chart)).toMatchObject([bad]);
});

test('a namespace that is not meshed, or another one, is fine', () => {
  const { chart, meshing } = mesh();
  ingressNginxValues(meshing);
  ensureNamespace(chart, 'ingress-nginx');
  meshing.namespace('other');
  expect(problemsOf(chart)).toEqual([]);
});

test('nor can it lie in kube-system', () => {
  const { chart, meshing } = mesh();
  ingressNginxValues(meshing, { namespace: 'kube-system' });
  expect(ruleFindingsIn(chart)).toMatchObject([
    { code: 'namespace-never-injected', parameters: { workload: 'ingress-nginx', namespace: 'kube-system' } },
  ]);
});
