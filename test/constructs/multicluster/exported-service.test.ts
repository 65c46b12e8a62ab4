import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { Service } from 'cdk8s-plus-28';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkExportedService, type ExportMode, exportService } from '#lib/constructs/multicluster/exported-service';
import { ruleErrorsIn, ruleFindingsIn } from '../../support/findings';

const exporter = { cluster: 'west', hasGateway: true };

function service(spec: object = {}, name = 'web'): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { ports: [{ port: 80 }], ...spec },
  };
}

const codes = (object: KubernetesObject, mode: ExportMode = 'gateway', by = exporter) =>
  checkExportedService(object, mode, by).map(({ code }) => code);

test('a Service with ports can be exported in all modes', () => {
  expect(codes(service())).toEqual([]);
  expect(codes(service(), 'remote-discovery', { ...exporter, hasGateway: false })).toEqual([]);
  expect(codes(service(), 'federated')).toEqual([]);
  expect(codes(service({ clusterIP: 'None' }))).toEqual([]);
});

test.each<[string, KubernetesObject, ExportMode, string]>([
  ['an ExternalName', service({ type: 'ExternalName', externalName: 'a.b' }), 'gateway', 'export-refused'],
  ['a headless Service as a federated member', service({ clusterIP: 'None' }), 'federated', 'export-refused'],
  ['a Service without ports', service({ ports: [] }), 'gateway', 'export-refused'],
  ['a Service of UDP', service({ ports: [{ port: 53, protocol: 'UDP' }] }), 'gateway', 'export-refused'],
  ['a long name', service({}, 'a'.repeat(59)), 'gateway', 'export-refused'],
  ['a long name of a federated member', service({}, 'a'.repeat(54)), 'federated', 'export-refused'],
  ['a Deployment', { ...service(), apiVersion: 'apps/v1', kind: 'Deployment' }, 'gateway', 'export-refused'],
])('an export refuses %s', (_, object, mode, code) => expect(codes(object, mode)).toEqual([code]));

test('the name of an exported Service may have 58 characters, and 53 as a federated member', () => {
  expect(codes(service({}, 'a'.repeat(58)))).toEqual([]);
  expect(codes(service({}, 'a'.repeat(53)), 'federated')).toEqual([]);
  expect(codes(service({}, 'a'.repeat(63)), 'gateway', { hasGateway: true } as never)).toEqual([]);
});

test('synth refuses an export by gateway without a gateway', () => {
  expect(codes(service(), 'gateway', { ...exporter, hasGateway: false })).toEqual(['export-refused']);
});

describe('export labels', () => {
  const chart = () => new Chart(new App(), 'chart');
  const object = (scope: Chart, labels = {}) =>
    new ApiObject(scope, 'web', { ...service(), metadata: { name: 'web', namespace: 'shop', labels } } as never);

  test('are added to plain objects and to those of cdk8s-plus', () => {
    const plain = object(chart());
    exportService(plain, 'remote-discovery', exporter);
    exportService(plain, 'federated', exporter);
    expect(plain.metadata.toJson()).toMatchObject({
      labels: { 'mirror.linkerd.io/exported': 'remote-discovery', 'mirror.linkerd.io/federated': 'member' },
    });
    const plus = new Service(chart(), 'plus', { ports: [{ port: 80 }] });
    exportService(plus, 'gateway', exporter);
    expect(plus.metadata.getLabel('mirror.linkerd.io/exported')).toBe('true');
    expect(ruleErrorsIn(plus)).toEqual([]);
  });

  test('do not replace another value in the manifest', () => {
    const plain = object(chart(), { 'mirror.linkerd.io/exported': 'remote-discovery' });
    exportService(plain, 'gateway', exporter);
    expect(plain.metadata.getLabel('mirror.linkerd.io/exported')).toBe('remote-discovery');
    expect(ruleFindingsIn(plain)).toMatchObject([
      { code: 'export-refused', parameters: { value: 'true', existing: 'remote-discovery' } },
    ]);
  });

  test('of an unknown mode are refused', () => {
    const plain = object(chart());
    exportService(plain, '__proto__' as never, exporter);
    expect(ruleFindingsIn(plain)).toMatchObject([
      { code: 'export-refused', parameters: { mode: '"__proto__"', known: 'gateway, remote-discovery, federated' } },
    ]);
  });

  test('are checked against the final Service', () => {
    const plain = object(chart());
    exportService(plain, 'gateway', exporter);
    plain.addJsonPatch(JsonPatch.add('/spec/type', 'ExternalName'));
    expect(ruleErrorsIn(plain)).toHaveLength(1);
  });
});
