import { ApiObject } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { sendToService } from '../../../../lib/constructs/meshing/ingress/send-to-service';
import { ruleFindingsIn } from '../../../support/findings';
import { mesh, problemsOf } from '../fixture';

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
    { code: 'annotation-without-ingress', parameters: { call: 'sendToService()', controller: 'NGINX' } },
  ]);
});
