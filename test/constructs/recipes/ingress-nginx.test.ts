import { ApiObject } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { ingressNginxValues, sendToService } from '#lib/constructs/recipes/ingress-nginx';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
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

const bad = { code: 'namespace-meshed', parameters: { annotation: 'linkerd.io/inject' } };

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

describe('sendToService', () => {
  const annotations = { 'nginx.ingress.kubernetes.io/service-upstream': 'true' };
  const plain = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' };

  test('a plain Ingress gets the annotation', () => {
    const { chart } = mesh();
    const ingress = new ApiObject(chart, 'ingress', plain);
    sendToService(ingress);
    expect(ingress.toJson().metadata.annotations).toEqual(annotations);
    expect(problemsOf(chart)).toEqual([]);
  });

  test('one of cdk8s-plus, too', () => {
    const { chart } = mesh();
    const service = new kplus.Service(chart, 'web', { ports: [{ port: 80 }] });
    const ingress = new kplus.Ingress(chart, 'ingress', { defaultBackend: kplus.IngressBackend.fromService(service) });
    sendToService(ingress);
    expect(ingress.metadata.toJson().annotations).toEqual(annotations);
    expect(problemsOf(chart)).toEqual([]);
  });

  test('an Ingress that says the opposite is a problem', () => {
    const { chart } = mesh();
    const opposite = { annotations: { 'nginx.ingress.kubernetes.io/service-upstream': 'false' } };
    sendToService(new ApiObject(chart, 'ingress', { ...plain, metadata: opposite }));
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'annotation-contested', parameters: { existing: 'false' } }]);
  });

  test('anything else is a problem', () => {
    const { chart } = mesh();
    sendToService(new kplus.ConfigMap(chart, 'config'));
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'middleware-refused', parameters: { call: 'sendToService()', controller: 'NGINX' } },
    ]);
  });
});
