import { ApiObject } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { ingressNginxValues, sendToService } from '#lib/constructs/recipes/ingress-nginx';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
import { ruleFindingsIn } from '../../support/findings';
import { mesh, problemsOf } from '../meshing/fixture';

test('the recipe for ingress-nginx injects the pods of the controller', () => {
  const { chart, meshing } = mesh();
  expect(ingressNginxValues(meshing, { config: { skipInboundPorts: [8443] } })).toEqual({
    controller: { podAnnotations: { 'linkerd.io/inject': 'enabled', 'config.linkerd.io/skip-inbound-ports': '8443' } },
  });
  expect(problemsOf(chart)).toEqual([]);
});

const bad = { code: 'namespace-meshed', parameters: { annotation: 'linkerd.io/inject' } };

test('the recipe for ingress-nginx refuses a meshed namespace', () => {
  const { chart, meshing } = mesh();
  ingressNginxValues(meshing);
  meshing.namespace('ingress-nginx');
  expect(ruleFindingsIn(chart)).toMatchObject([bad]);
});

test('the recipe for ingress-nginx refuses a namespace in ingress mode, in any order', () => {
  const { chart, meshing } = mesh();
  meshing.injectIngress(
    new ApiObject(chart, 'edge', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'edge' } }),
  );
  ingressNginxValues(meshing, { namespace: 'edge' });
  expect(ruleFindingsIn(chart)).toMatchObject([bad]);
});

test('the recipe for ingress-nginx accepts a namespace that is not meshed', () => {
  const { chart, meshing } = mesh();
  ingressNginxValues(meshing);
  ensureNamespace(chart, 'ingress-nginx');
  meshing.namespace('other');
  expect(problemsOf(chart)).toEqual([]);
});

test('the recipe for ingress-nginx refuses kube-system', () => {
  const { chart, meshing } = mesh();
  ingressNginxValues(meshing, { namespace: 'kube-system' });
  expect(ruleFindingsIn(chart)).toMatchObject([
    { code: 'namespace-never-injected', parameters: { workload: 'ingress-nginx', namespace: 'kube-system' } },
  ]);
});

describe('sendToService', () => {
  const annotations = { 'nginx.ingress.kubernetes.io/service-upstream': 'true' };
  const plain = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' };

  test('annotates a plain Ingress', () => {
    const { chart } = mesh();
    const ingress = new ApiObject(chart, 'ingress', plain);
    sendToService(ingress);
    expect(ingress.toJson().metadata.annotations).toEqual(annotations);
    expect(problemsOf(chart)).toEqual([]);
  });

  test('annotates an Ingress of cdk8s-plus', () => {
    const { chart } = mesh();
    const service = new kplus.Service(chart, 'web', { ports: [{ port: 80 }] });
    const ingress = new kplus.Ingress(chart, 'ingress', { defaultBackend: kplus.IngressBackend.fromService(service) });
    sendToService(ingress);
    expect(ingress.metadata.toJson().annotations).toEqual(annotations);
    expect(problemsOf(chart)).toEqual([]);
  });

  test('refuses an Ingress with the opposite annotation', () => {
    const { chart } = mesh();
    const opposite = { annotations: { 'nginx.ingress.kubernetes.io/service-upstream': 'false' } };
    sendToService(new ApiObject(chart, 'ingress', { ...plain, metadata: opposite }));
    expect(ruleFindingsIn(chart)).toMatchObject([{ code: 'annotation-contested', parameters: { existing: 'false' } }]);
  });

  test('refuses other kinds of objects', () => {
    const { chart } = mesh();
    sendToService(new kplus.ConfigMap(chart, 'config'));
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'middleware-refused', parameters: { call: 'sendToService()', controller: 'NGINX' } },
    ]);
  });
});
