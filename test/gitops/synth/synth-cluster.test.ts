import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { parse } from 'yaml';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Reference } from '#kubernetes/objects/references';
import { addRule } from '#lib/gitops/tree/add-rule';
import { Cluster, type ClusterProps } from '#lib/gitops/tree/cluster';
import { setHomeNamespace } from '#lib/gitops/tree/home-namespace';
import { manifest } from '#lib/gitops/tree/manifest';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
import { dependsOn } from '#lib/gitops/tree/order';
import { declareReferences } from '#lib/gitops/tree/references';
import type { Transform, TransformedObject } from '#lib/gitops/tree/transform';
import { component, configMap, deployment, pinnedChart, release } from '../../support/cluster-fixture';
import { errorsIn } from '../../support/findings';
import { synthCluster } from '../../support/synth-cluster';

function synth(build: (cluster: Cluster) => void, props: ClusterProps = {}) {
  const cluster = new Cluster(new App(), 'home', props);
  build(cluster);
  return synthCluster(cluster);
}

const paths = (build: (cluster: Cluster) => void) => [...synth(build).files.keys()].sort();

/** Returns the path, code, cause and parameters of each error of a cluster; expects no files. */
function problems(build: (cluster: Cluster) => void, props?: ClusterProps): readonly object[] {
  const { findings, files } = synth(build, props);
  expect(files.size).toBe(0);
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ path, problem: { code, cause, parameters } }) => ({ path, code, cause, parameters }));
}

/** The expected finding about a missing reference. */
const missing = (reference: string) => ({ code: 'reference-missing', parameters: { reference } });

function file(build: (cluster: Cluster) => void, path: string) {
  return parse(synth(build).files.get(path) ?? `no ${path}`);
}

const PROBLEM = {
  severity: 'error',
  code: 'it-is-wrong',
  what: 'It is wrong',
  why: 'It would break',
  fix: 'do better',
} as const;
const CLUSTER_ROLE = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
const clusterRole = (scope: Construct, name: string) =>
  manifest(scope, `role-${name}`, { ...CLUSTER_ROLE, metadata: { name } });

const UNTYPED = (name: string) => ({ metadata: { name, namespace: 'shop' } });
const CONFIG_MAP = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...UNTYPED(name) });

describe('the layout of a cluster', () => {
  test('has one file for each object, in the folder of its namespace', () => {
    expect(paths((home) => configMap(component(home, 'shop'), 'a', 'shop'))).toEqual([
      'shop/configmap.a.yaml',
      'shop/namespace.shop.yaml',
    ]);
  });

  test('puts cluster-scoped objects into the folder of their component', () => {
    expect(paths((home) => clusterRole(component(home, 'operator', 'ops'), 'reader'))).toContain(
      'ops/clusterrole.reader.yaml',
    );
  });

  test.each([
    ['a List', { apiVersion: 'v1', kind: 'List', items: [CONFIG_MAP('a'), CONFIG_MAP('b')] }],
    ['a ConfigMapList with items without a kind', { kind: 'ConfigMapList', items: [UNTYPED('a'), UNTYPED('b')] }],
    [
      'a List in a List',
      { kind: 'List', items: [{ kind: 'List', apiVersion: 'v1', items: [CONFIG_MAP('a')] }, CONFIG_MAP('b')] },
    ],
    [
      'a List with metadata, which has no effect',
      { kind: 'List', metadata: { namespace: 'other', labels: { a: 'b' } }, items: [CONFIG_MAP('a'), CONFIG_MAP('b')] },
    ],
  ])('treats items of a list as objects: %s', (_, list) => {
    const build = (home: Cluster) => {
      new ApiObject(component(home, 'shop'), 'list', { apiVersion: 'v1', ...list });
    };
    expect(paths(build)).toEqual(['shop/configmap.a.yaml', 'shop/configmap.b.yaml', 'shop/namespace.shop.yaml']);
    expect(file(build, 'shop/configmap.a.yaml')).toEqual(CONFIG_MAP('a'));
  });

  test('gives items of a list the namespace, labels and dependencies of the list', () => {
    const build = (home: Cluster) => {
      const shop = component(home, 'shop');
      const chart = new Chart(shop, 'chart', {
        namespace: 'shop',
        labels: { team: 'web' },
        disableResourceNameHashes: true,
      });
      const items = [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { app: 'a' } } },
        { ...CLUSTER_ROLE, metadata: { name: 'reader' } },
      ];
      const list = new ApiObject(chart, 'list', { apiVersion: 'v1', kind: 'List', items });
      dependsOn(list, configMap(shop, 'first', 'shop'));
    };
    expect(file(build, 'shop/configmap.a.yaml').metadata).toMatchObject({
      namespace: 'shop',
      labels: { team: 'web', app: 'a' },
      annotations: { 'argocd.argoproj.io/sync-wave': '1' },
    });
    expect(file(build, 'shop/clusterrole.reader.yaml').metadata.namespace).toBeUndefined();
  });

  test.each([
    ['List', undefined, 'missing'],
    ['List', { one: {} }, '{"one":{}}'],
    ['ConfigMapList', undefined, 'missing'],
  ])('refuses a %s with items %j', (kind, items, value) => {
    const build = (home: Cluster) => new ApiObject(component(home, 'shop'), 'list', { apiVersion: 'v1', kind, items });
    expect(problems(build)).toMatchObject([
      { path: 'home/shop/list', code: 'list-refused', parameters: { kind, value } },
    ]);
  });

  test('reports each incomplete item of a list at its place', () => {
    const build = (home: Cluster) =>
      new ApiObject(component(home, 'shop'), 'list', {
        apiVersion: 'v1',
        kind: 'List',
        items: ['text', { ...CONFIG_MAP('a'), data: { a: 1 } }, { metadata: { name: 'b' } }],
      });
    expect(problems(build)).toMatchObject([
      {
        path: 'home/shop/list',
        code: 'list-refused',
        cause: 'item',
        parameters: { place: 'items[0]', value: '"text"' },
      },
      { path: 'home/shop/list/items[2]', code: 'kind-unknown', cause: 'type' },
      { path: 'home/shop/list/items[2]', code: 'kind-unknown', cause: 'type' },
      { path: 'home/shop/list/items[1]', code: 'field-refused' },
    ]);
  });

  test('treats a custom kind with a name ending in List as an object', () => {
    const build = (home: Cluster) =>
      new ApiObject(component(home, 'shop'), 'list', {
        apiVersion: 'example.com/v1',
        kind: 'AllowList',
        metadata: { name: 'a', namespace: 'shop' },
        spec: { items: ['a'] },
      });
    expect(paths(build)).toContain('shop/allowlist.example.com.a.yaml');
  });

  test('gives the umbrella chart the version of the last chart in order', () => {
    const build = (home: Cluster) => {
      const mesh = component(home, 'mesh');
      const crds = release(mesh, 'z-crds', 'mesh', { chart: pinnedChart('z-crds', '1.0.0') });
      dependsOn(release(mesh, 'a', 'mesh', { chart: pinnedChart('a', '2.0.0') }), crds);
    };
    expect(file(build, 'mesh/Chart.yaml').version).toBe('2.0.0');
  });
});

describe('the order of a cluster', () => {
  const wave = (build: (cluster: Cluster) => void, path: string) =>
    file(build, path).metadata.annotations?.['argocd.argoproj.io/sync-wave'];
  const build = (home: Cluster) => {
    const shop = component(home, 'shop');
    const before = configMap(shop, 'before', 'shop');
    const chart = release(shop, 'chart', 'shop');
    const after = configMap(shop, 'after', 'shop');
    dependsOn(chart, before);
    dependsOn(after, chart);
  };

  test('puts objects into waves before and after the chart', () => {
    expect(wave(build, 'shop/templates/configmap.before.yaml')).toBe('-1');
    expect(wave(build, 'shop/templates/configmap.after.yaml')).toBe('1');
  });

  test('puts a namespace into the first wave of its folder', () => {
    expect(Number(wave(build, 'shop/templates/namespace.shop.yaml'))).toBeLessThanOrEqual(-1);
  });

  test('omits the annotation of wave 0', () => {
    expect(wave((home) => configMap(component(home, 'shop'), 'a', 'shop'), 'shop/configmap.a.yaml')).toBeUndefined();
  });

  test('refuses components that depend on each other, and names them', () => {
    const cyclic = (home: Cluster) => {
      const [a, b] = [component(home, 'a'), component(home, 'b')];
      dependsOn(a, configMap(b, 'x', 'b'));
      dependsOn(b, configMap(a, 'x', 'a'));
    };
    const cycle = expect.stringMatching(/^home\/\S+ -> home\/\S+ -> home/);
    expect(problems(cyclic)).toMatchObject([{ code: 'dependency-cycle', parameters: { cycle } }]);
  });

  test('refuses a dependency on another cluster', () => {
    const other = new Cluster(new App(), 'other');
    expect(problems((home) => dependsOn(component(home, 'a'), other))).toMatchObject([
      { path: 'home/a', code: 'dependency-foreign', parameters: { dependency: 'other' } },
    ]);
  });
});

describe('the problems of a cluster', () => {
  test('include the exception of a rule and the problems of other rules', () => {
    const build = (home: Cluster) => {
      const a = component(home, 'a');
      addRule(a, () => {
        throw new Error('rule broke');
      });
      addRule(component(home, 'b'), () => [PROBLEM]);
    };
    const error = expect.stringMatching(/^Error: rule broke \(at .*synth-cluster\.test\.ts:/);
    expect(problems(build)).toMatchObject([
      { path: 'home/a', code: 'build-failed', cause: 'construct', parameters: { error } },
      { path: 'home/b', code: 'it-is-wrong' },
    ]);
  });

  test('include an object whose name was removed', () => {
    const build = (home: Cluster) =>
      configMap(component(home, 'a'), 'x', 'a').addJsonPatch(JsonPatch.remove('/metadata/name'));
    expect(problems(build)).toMatchObject([
      { code: 'object-incomplete', cause: 'name', parameters: { kind: 'ConfigMap' } },
    ]);
  });

  test('include a duplicate object in a folder, reported once', () => {
    const build = (home: Cluster) => {
      const a = component(home, 'a');
      configMap(a, 'x', 'a');
      configMap(new Construct(a, 'again'), 'x', 'a');
    };
    expect(problems(build)).toMatchObject([{ code: 'object-duplicate', parameters: { things: 'ConfigMap a/x' } }]);
  });

  test('include two objects with the same file name', () => {
    const certificate = (scope: Construct, apiVersion: string, name: string) =>
      new ApiObject(scope, name, { apiVersion, kind: 'Thing', metadata: { name, namespace: 'a' } });
    const build = (home: Cluster) => {
      const a = component(home, 'a');
      certificate(a, 'argoproj.io/v1', 'example.com.x');
      certificate(a, 'example.com/v1', 'x');
    };
    expect(problems(build)).toMatchObject([
      { code: 'object-duplicate', parameters: { things: 'the file a/thing.example.com.x.yaml' } },
    ]);
  });

  test('include a file name that is too long', () => {
    const name = `${'a'.repeat(60)}.`.repeat(4).slice(0, 240);
    const build = (home: Cluster) =>
      manifest(component(home, 'a'), 'p', {
        apiVersion: 'policy.linkerd.io/v1alpha1',
        kind: 'NetworkAuthentication',
        metadata: { name, namespace: 'a' },
        spec: { networks: [{ cidr: '0.0.0.0/0' }] },
      });
    expect(problems(build)).toMatchObject([{ code: 'name-too-long', parameters: { length: 267 } }]);
  });

  test('do not include an injected CA if the output contains its Certificate', () => {
    const build = (home: Cluster) => {
      const a = component(home, 'a');
      manifest(a, 'i', {
        apiVersion: 'cert-manager.io/v1',
        kind: 'Issuer',
        metadata: { name: 'i', namespace: 'a' },
        spec: { selfSigned: {} },
      });
      manifest(a, 'c', {
        apiVersion: 'cert-manager.io/v1',
        kind: 'Certificate',
        metadata: { name: 'w', namespace: 'a' },
        spec: { secretName: 'w', issuerRef: { name: 'i' }, dnsNames: ['w.a.svc'] },
      });
      manifest(a, 'w', {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'w', annotations: { 'cert-manager.io/inject-ca-from': 'a/w' } },
      });
    };
    expect(errorsIn(synth(build).findings)).toEqual([]);
  });

  test('include an injected CA if its Certificate is not declared', () => {
    const webhook = (kind: 'Certificate' | 'Secret') => (home: Cluster) => {
      const a = component(home, 'a');
      declareReferences(a, { provides: [{ kind, namespace: 'a', name: 'w' }] });
      manifest(a, 'w', {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'w', annotations: { 'cert-manager.io/inject-ca-from': 'a/w' } },
      });
    };
    expect(errorsIn(synth(webhook('Certificate')).findings)).toEqual([]);
    expect(problems(webhook('Secret'))).toHaveLength(1);
  });

  test('include a namespace with a path as its name', () => {
    const external: Reference[] = [{ kind: 'Namespace', name: '../../x' }];
    expect(problems((home) => release(home, 'chart', '../../x'), { external })).toMatchObject([
      { path: 'home/chart', code: 'name-invalid' },
    ]);
    const role = (home: Cluster) => {
      const odd = new Construct(home, 'odd');
      setHomeNamespace(odd, '..');
      clusterRole(odd, 'r');
    };
    expect(problems(role)).toMatchObject([{ path: 'home/odd/role-r', code: 'name-invalid' }]);
  });
});

describe('the references of a cluster', () => {
  const SECRET: Reference = { kind: 'Secret', namespace: 'shop', name: 'tls' };
  const needy = (home: Cluster) => {
    const shop = component(home, 'shop');
    deployment(shop, 'web', { namespace: 'shop', secret: 'tls' });
    return shop;
  };

  test('to missing objects are a problem', () => {
    expect(problems(needy)).toMatchObject([{ path: 'home/shop/deployment-web', ...missing('Secret shop/tls') }]);
  });

  test('include the requirements that constructs declare', () => {
    expect(problems((home) => declareReferences(component(home, 'shop'), { requires: [SECRET] }))).toMatchObject([
      { path: 'home/shop', parameters: { reference: 'Secret shop/tls', users: 'home/shop' } },
    ]);
  });

  test('include the namespaces of objects and of charts', () => {
    expect(problems((home) => configMap(home, 'a', 'lost'))).toMatchObject([missing('Namespace lost')]);
    expect(problems((home) => release(home, 'chart', 'lost'))).toMatchObject([
      { code: 'reference-missing', parameters: { reference: 'Namespace lost', users: 'chart chart' } },
    ]);
  });

  test('to the namespace of an external object are satisfied', () => {
    const external: Reference[] = [{ kind: 'Service', namespace: 'lost', name: 'x' }];
    expect(errorsIn(synth((home) => configMap(home, 'a', 'lost'), { external }).findings)).toEqual([]);
  });

  test('must be to objects of the same or an earlier stage', () => {
    const build = (home: Cluster) => {
      const late = new Construct(home, 'late');
      declareReferences(late, { provides: [SECRET] });
      dependsOn(late, needy(home));
    };
    const user = expect.stringContaining('Deployment shop/web');
    expect(problems(build)).toMatchObject([{ code: 'reference-too-late', parameters: { user } }]);
  });

  test('of Bundles are to the trust namespace of trust-manager', () => {
    const build = (namespace: string) => (home: Cluster) => {
      const certs = component(home, 'certs');
      release(certs, 'trust-manager', 'certs', {
        fromProps: { app: { trust: { namespace: 'certs' } } },
        provides: [{ kind: 'Secret', namespace, name: 'root' }],
      });
      manifest(certs, 'bundle', {
        apiVersion: 'trust.cert-manager.io/v1alpha1',
        kind: 'Bundle',
        metadata: { name: 'roots' },
        spec: { sources: [{ secret: { name: 'root', key: 'tls.crt' } }], target: { configMap: { key: 'ca.crt' } } },
      });
    };
    expect(errorsIn(synth(build('certs')).findings)).toEqual([]);
    expect(problems(build('default'))).toMatchObject([missing('Secret certs/root')]);
  });
});

test('synth accepts a Bundle source in any namespace if trust-manager is external', () => {
  const build = (home: Cluster) => {
    const certs = component(home, 'certs');
    declareReferences(certs, { provides: [{ kind: 'Secret', namespace: 'anywhere', name: 'root' }] });
    manifest(certs, 'bundle', {
      apiVersion: 'trust.cert-manager.io/v1alpha1',
      kind: 'Bundle',
      metadata: { name: 'roots' },
      spec: { sources: [{ secret: { name: 'root', key: 'tls.crt' } }], target: { configMap: { key: 'ca.crt' } } },
    });
  };
  expect(errorsIn(synth(build).findings)).toEqual([]);
});

test('a Bundle provides its ConfigMap in external namespaces, too', () => {
  const build = (home: Cluster) => {
    const certs = component(home, 'certs');
    manifest(certs, 'bundle', {
      apiVersion: 'trust.cert-manager.io/v1alpha1',
      kind: 'Bundle',
      metadata: { name: 'roots' },
      spec: { sources: [{ useDefaultCAs: true }], target: { configMap: { key: 'ca.crt' } } },
    });
    const roots = { kind: 'ConfigMap', name: 'roots' } as const;
    const requires = [
      { ...roots, namespace: 'elsewhere' },
      { ...roots, namespace: 'kube-system' },
    ];
    declareReferences(certs, { requires });
  };
  const external: Reference[] = [{ kind: 'Namespace', name: 'elsewhere' }];
  expect(errorsIn(synth(build, { external }).findings)).toEqual([]);
  expect(problems(build)).toMatchObject([missing('ConfigMap elsewhere/roots')]);
});

describe('the transform of a cluster', () => {
  const plain = (cluster: Cluster) => {
    ensureNamespace(cluster, 'shop');
    configMap(cluster, 'a', 'shop', { key: 'value' });
  };

  test('runs before all checks', () => {
    const wrong: Transform = (object) => ({ ...object, dta: {} });
    expect(problems(plain, { transform: wrong })).toMatchObject([
      { path: 'home/namespace-shop', code: 'field-refused' },
      { path: 'home/config-map-a', code: 'field-refused' },
    ]);
  });

  test.each<[string, unknown, object]>([
    [
      'another name',
      (object: KubernetesObject) => ({ ...object, metadata: { name: 'b', namespace: 'shop' } }),
      { cause: 'identity', parameters: { field: 'metadata.name' } },
    ],
    [
      'another namespace',
      (object: TransformedObject) => ({ ...object, metadata: { ...object.metadata, namespace: 'kube-system' } }),
      { cause: 'identity', parameters: { field: 'metadata.namespace' } },
    ],
    [
      'another kind',
      (object: KubernetesObject) => ({ ...object, kind: 'Secret' }),
      { cause: 'identity', parameters: { field: 'kind' } },
    ],
    [
      'another version',
      (object: KubernetesObject) => ({ ...object, apiVersion: 'v2' }),
      { cause: 'identity', parameters: { field: 'apiVersion' } },
    ],
    ['null', () => null, { cause: 'result', parameters: { value: 'null' } }],
    ['a list', (object: KubernetesObject) => [object], { cause: 'result' }],
    ['a string', () => 'x', { cause: 'result', parameters: { value: '"x"' } }],
    [
      'an exception',
      () => {
        throw new Error('no');
      },
      { cause: 'throws' },
    ],
    ['a date', (object: KubernetesObject) => ({ ...object, data: new Date(0) }), { code: 'wrong-type' }],
  ])('may not return %s for an object', (_, change, problem) => {
    const transform = (object: TransformedObject) =>
      object.kind === 'ConfigMap' ? (change as Transform)(object, { folder: '' }) : object;
    const found = problems(plain, { transform: transform as Transform });
    const expected: { code: string; parameters?: object } = { code: 'transform-refused', ...problem };
    expect(found).toContainEqual(
      expect.objectContaining({
        path: 'home/config-map-a',
        ...expected,
        ...(expected.parameters && { parameters: expect.objectContaining(expected.parameters) }),
        ...(expected.parameters === undefined && { parameters: expect.anything() }),
      }),
    );
  });

  test('must be a function', () => {
    for (const transform of ['x', {}, [null]]) {
      expect(problems(plain, { transform: transform as never })).toMatchObject([{ path: 'home', code: 'wrong-type' }]);
    }
  });
});
