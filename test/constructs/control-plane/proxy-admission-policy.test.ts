import { ApiObject } from 'cdk8s';
import {
  CertManager,
  type Cluster,
  JaegerToTempo,
  LinkerdControlPlane,
  LinkerdMesh,
  type LinkerdMeshProps,
  type LinkerdVersion,
  Meshing,
  type ProxyRequirement,
} from '#lib';
import { addPki } from '../../support/control-plane-fixture';
import { type Built, BY_HAND, build } from '../operator/fixture';

const tempo = { namespace: 'tracing', service: 'tempo', serviceAccount: 'tempo' };

function mesh<V extends LinkerdVersion>(
  props: LinkerdMeshProps<V>,
  more: (meshing: Meshing, cluster: Cluster) => void = () => {},
): Built {
  return build((cluster) => {
    const { controlPlane } = new LinkerdMesh<V>(cluster, 'mesh', { tempo, ...props });
    more(new Meshing(cluster, 'meshing', { controlPlane }), cluster);
  });
}

/** The validationActions of each namespace's binding. */
function actions({ objects, problems }: Built): Readonly<Record<string, readonly string[]>> {
  expect(problems).toEqual([]);
  return Object.fromEntries(
    [...objects]
      .filter(([file]) => file.includes('/validatingadmissionpolicybinding.linkerd-require-proxy-'))
      .map(([file, { spec }]) => [file.split('/')[0], spec.validationActions]),
  );
}

const wave = (object: Built['objects'] extends ReadonlyMap<string, infer T> ? T : never) =>
  Number(object.metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);

describe('policies that require proxies in namespaces of the mesh', () => {
  const ours = (action: string) => ({ 'linkerd-viz': [action], tracing: [action] });

  test.each<[LinkerdMeshProps, object]>([
    [{ operator: {} }, ours('Deny')],
    [
      { operator: {}, pki: BY_HAND },
      { ...ours('Deny'), 'linkerd-reconciler': ['Deny'] },
    ],
    [{ version: 'stable-2.14.10' }, { ...ours('Deny'), 'linkerd-jaeger': ['Deny'] }],
    [{ requireProxy: 'warn' }, { 'linkerd-viz': ['Warn', 'Audit'], tracing: ['Warn', 'Audit'] }],
    [{ requireProxy: 'audit' }, ours('Audit')],
    [{ requireProxy: false }, {}],
    // Another construct creates the namespace of Tempo.
    [{ tempo: { ...tempo, meshNamespace: false }, viz: false }, {}],
    // Pods in the namespace of the control plane are not meshed.
    [{ operator: { namespace: 'linkerd' }, viz: false, tempo: undefined }, {}],
  ])('exist where constructs of the library mesh pods, in a mesh with %j', (props, expected) => {
    expect(actions(mesh(props))).toEqual(expected);
  });
});

describe('a namespace of the user', () => {
  const bare = { viz: false, tempo: undefined } as const;

  test('has a policy that requires proxies only on demand', () => {
    const built = mesh(bare, (meshing) => {
      meshing.namespace('shop', { requireProxy: 'deny', opaquePorts: [3306] });
      meshing.namespace('logging');
      meshing.namespace('batch', { requireProxy: 'audit' }, 'disabled');
      meshing.namespace('static', { requireProxy: false });
    });
    expect(actions(built)).toEqual({ batch: ['Audit'], shop: ['Deny'] });
  });

  test('may get a policy from another construct than its creator', () => {
    expect(actions(mesh(bare, (meshing) => meshing.requireProxy('default')))).toEqual({ default: ['Deny'] });
  });

  test('refuses two different policies', () => {
    const { errors } = mesh(bare, (meshing) => {
      meshing.namespace('shop', { requireProxy: 'deny' });
      meshing.namespace('shop', { requireProxy: 'deny' });
      meshing.requireProxy('shop', 'warn');
    });
    const parameters = { namespace: 'shop', here: '"warn"', elsewhere: '"deny"' };
    expect(errors).toMatchObject([{ code: 'require-proxy-refused', parameters }]);
  });

  test.each<[ProxyRequirement | false, readonly string[] | undefined]>([
    ['warn', ['Warn', 'Audit']],
    [false, undefined],
  ])('has the policy of the user instead of the preset of the mesh: %s', (requireProxy, expected) => {
    const after = mesh({ viz: false }, (meshing) => meshing.namespace('tracing', { requireProxy }));
    const before = build((cluster) => {
      const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', addPki(cluster));
      new Meshing(cluster, 'meshing', { controlPlane }).namespace('tracing', { requireProxy });
      new JaegerToTempo(cluster, 'tracing', { controlPlane, tempo });
    });
    for (const built of [before, after])
      expect(actions(built)).toEqual(expected === undefined ? {} : { tracing: expected });
  });
});

describe('the policy that requires proxies', () => {
  test.each<LinkerdVersion>(['edge-26.8.3', 'stable-2.14.10'])(
    'is applied before every other object of its folder: %s',
    (version) => {
      const { objects } = mesh({ version, operator: undefined }, (meshing, cluster) => {
        meshing.namespace('shop', { requireProxy: 'deny' });
        new ApiObject(cluster, 'pod', {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'bare', namespace: 'shop' },
          spec: { containers: [{ name: 'a', image: 'a:1' }] },
        });
      });
      for (const folder of ['linkerd-viz', 'shop', 'tracing']) {
        const inFolder = [...objects].filter(([file, { kind }]) => file.startsWith(`${folder}/`) && kind !== undefined);
        const policies = inFolder
          .filter(([file]) => file.includes('linkerd-require-proxy'))
          .map(([, object]) => object);
        const others = inFolder.filter(([file]) => !file.includes('linkerd-require-proxy')).map(([, object]) => object);
        expect(policies).toHaveLength(2);
        expect(others.length).toBeGreaterThan(0);
        // Charts are in wave 0.
        expect(Math.max(...policies.map(wave))).toBeLessThan(Math.min(0, ...others.map(wave)));
      }
    },
  );

  test('requires no proxy of pods that the injector does not select', () => {
    const objectSelector = { matchLabels: { meshed: 'yes' } };
    const { objects } = mesh({ values: { proxyInjector: { objectSelector } } });
    const { spec } = objects.get('linkerd-viz/validatingadmissionpolicy.linkerd-require-proxy-linkerd-viz');
    expect(spec.matchConstraints.objectSelector).toMatchObject(objectSelector);
  });
});

describe('a policy that requires proxies is refused for', () => {
  const bare = { viz: false, tempo: undefined } as const;
  const problemsWith = (more: Parameters<typeof mesh>[1], props: LinkerdMeshProps<'edge-26.8.3'> = bare) =>
    mesh(props, more).errors;

  test('a namespace that the injector ignores', () => {
    expect(problemsWith((meshing) => meshing.requireProxy('kube-system', 'audit'))).toMatchObject([
      { code: 'require-proxy-refused', parameters: { namespace: 'kube-system' } },
    ]);
  });

  test('a namespace that is never injected, by one problem about its injection', () => {
    expect(problemsWith((meshing) => meshing.namespace('kube-system', { requireProxy: 'warn' }))).toMatchObject([
      { code: 'namespace-never-injected', parameters: { workload: 'Namespace kube-system' } },
    ]);
  });

  test.each(['linkerd', 'linkerd-cni'])('the namespace %s', (namespace) => {
    expect(problemsWith((meshing) => meshing.requireProxy(namespace, 'warn'), { ...bare, cni: {} })).toMatchObject([
      { code: 'require-proxy-refused', parameters: { namespace } },
    ]);
  });

  test('a namespace that the selector of the injector excludes', () => {
    const namespaceSelector = { matchExpressions: [{ key: 'team', operator: 'Exists' } as const] };
    const props = { ...bare, values: { proxyInjector: { namespaceSelector } } };
    expect(problemsWith((meshing) => meshing.requireProxy('shop'), props)).toMatchObject([
      { code: 'require-proxy-refused', parameters: { namespace: 'shop' } },
    ]);
  });

  test('a cert-manager that waits for the injector, which waits for its certificate', () => {
    const { errors } = build((cluster) => {
      const certManager = CertManager.fromExisting(cluster, 'cert-manager', { namespace: 'certificates' });
      const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', addPki(cluster, { certManager }));
      new Meshing(cluster, 'meshing', { controlPlane }).namespace('certificates', { requireProxy: 'deny' });
    });
    expect(errors).toMatchObject([{ code: 'require-proxy-refused', parameters: { namespaces: 'certificates' } }]);
  });
});
