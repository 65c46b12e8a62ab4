import { ApiObject, Testing } from 'cdk8s';
import { mergeValues, type Values } from '#base/values';
import type { Values as CertManagerValues } from '#imports/charts/cert-manager/v1.21.1';
import type { Values as ControlPlaneValues } from '#imports/charts/linkerd-control-plane/edge-26.8.3';
import type { Values as StableValues } from '#imports/charts/linkerd-control-plane/stable-2.14.10';
import type { ApplicationSet } from '#imports/crds/argoproj.io';
import type { Certificate } from '#imports/crds/cert-manager.io';
import type { Server, ServerV1Beta3 } from '#imports/crds/policy.linkerd.io';
import type { Deployment, StatefulSet } from '#imports/kubernetes';
import { checkObject, checkValues } from '#kubernetes/schemas/schema';

// The compiler checks the types: `@ts-expect-error` is an error if the next line has none. The assertions check that
// the schemas agree with the types.

const metadata = { name: 'x', namespace: 'linkerd' };
const spec = { secretName: 'x', issuerRef: { name: 'anchor' } };

function certificate(more: Certificate['spec']): object {
  return { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata, spec: { ...spec, ...more } };
}

describe('the type Certificate', () => {
  test('is accepted by ApiObject', () => {
    const object = new ApiObject(Testing.chart(), 'x', {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata,
      spec: { ...spec, usages: ['cert sign'] },
    } satisfies Certificate);
    expect(checkObject(object.toJson())).toEqual([]);
  });

  test('has no other fields', () => {
    // @ts-expect-error the field is secretName
    const typo: Certificate['spec'] = { ...spec, secretname: 'x' };
    expect(checkObject(certificate(typo))).toHaveLength(1);
  });

  test('requires its required fields', () => {
    // @ts-expect-error issuerRef is missing
    const partial: Certificate['spec'] = { secretName: 'x' };
    expect(checkObject({ ...certificate(spec), spec: partial })).toHaveLength(1);
  });

  test('has durations with units', () => {
    // @ts-expect-error a number has no unit
    const unitless: Certificate['spec'] = { ...spec, renewBefore: 24 };
    expect(checkObject(certificate(unitless))).toHaveLength(1);
  });

  test('has usages of a fixed set', () => {
    // @ts-expect-error the usage is "cert sign"
    const unknown: Certificate['spec'] = { ...spec, usages: ['cert-sign'] };
    expect(checkObject(certificate(unknown))).toHaveLength(1);
  });

  test('has a fixed apiVersion and kind', () => {
    // @ts-expect-error the version is v1
    const old: Certificate = { apiVersion: 'cert-manager.io/v1alpha2', kind: 'Certificate', metadata, spec };
    expect(old.kind).toBe('Certificate');
  });

  test('has no status', () => {
    // @ts-expect-error only the controller writes a status
    const whole: Certificate = { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata, spec, status: {} };
    expect(checkObject(whole)).toHaveLength(1);
  });
});

test('fields of types have the names of YAML', () => {
  const git: NonNullable<ApplicationSet['spec']['generators'][number]['git']> = {
    repoURL: 'https://git.example.com/p.git',
    revision: 'HEAD',
    directories: [{ path: 'dist/*' }],
  };
  expect(Object.keys(git)).toContain('repoURL');
});

test('types of objects accept read-only lists', () => {
  const names: readonly string[] = ['a', 'b'];
  const container: NonNullable<Deployment['spec']>['template']['spec'] = { containers: [{ name: 'x', args: names }] };
  expect(container.containers[0]?.args).toBe(names);
});

test('the plain name of a kind is the type of its stored version', () => {
  const server: Server = {
    apiVersion: 'policy.linkerd.io/v1beta3',
    kind: 'Server',
    metadata,
    spec: { podSelector: { matchLabels: { app: 'web' } }, port: 'http' },
  } satisfies ServerV1Beta3;
  expect(checkObject(server)).toEqual([]);
});

test('volumeClaimTemplates of a StatefulSet need no apiVersion and kind', () => {
  const claims: NonNullable<StatefulSet['spec']>['volumeClaimTemplates'] = [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ];
  const workload = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: { selector: {}, serviceName: 'x', template: {}, volumeClaimTemplates: claims },
  } satisfies StatefulSet;
  expect(checkObject(workload)).toEqual([]);
});

describe('types of chart values', () => {
  const chart = {
    name: 'linkerd-control-plane',
    version: '2026.8.3',
    repository: 'https://helm.linkerd.io/edge',
    valuesOf: 'edge-26.8.3',
    kinds: [],
    foreignNamespaces: [],
  };

  test('have optional and nullable members, and are assignable to Values', () => {
    const values: ControlPlaneValues = {
      proxy: {
        resources: { cpu: { request: '100m', limit: 1 } },
        runtime: null,
        tracing: { labels: { 'k8s.pod.ip': null } },
      },
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      nodeSelector: null,
    };
    const plain: Values = values;
    expect(checkValues(chart, mergeValues({}, plain))).toEqual([]);
  });

  test('have no other keys, at any depth', () => {
    // @ts-expect-error the key is resources
    const values: ControlPlaneValues = { proxy: { resource: {} } };
    expect(checkValues(chart, values as Values)).toHaveLength(1);
  });

  test('refuse a value of another type than in the chart', () => {
    // @ts-expect-error the value is true or false
    const values: ControlPlaneValues = { highAvailability: 'yes' };
    expect(checkValues(chart, values as Values)).toHaveLength(1);
  });

  test('refuse a value that the chart does not list', () => {
    // @ts-expect-error the value is off or insecure
    const values: ControlPlaneValues = { proxy: { logHTTPHeaders: 'on' } };
    expect(checkValues(chart, values as Values)).toHaveLength(1);
  });

  test('differ by release', () => {
    const edge: ControlPlaneValues = { proxy: { nativeSidecar: true } };
    // @ts-expect-error 2.14 has no native sidecars
    const stable: StableValues = { proxy: { nativeSidecar: true } };
    expect(checkValues(chart, edge as Values)).toEqual([]);
    expect(checkValues({ ...chart, valuesOf: 'stable-2.14.10' }, stable as Values)).toHaveLength(1);
  });

  test('accept any data where the chart passes values on', () => {
    const values: CertManagerValues = { config: { featureGates: { ServerSideApply: true }, list: [1, 'x', null] } };
    expect(checkValues({ ...chart, name: 'cert-manager', valuesOf: 'v1.21.1' }, values)).toEqual([]);
  });
});
