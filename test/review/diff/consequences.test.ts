import { stringifyYaml } from '#base/yaml-writer';
import { formatIndex, INDEX_FILE, indexOf } from '#lib/gitops/synth/output/cluster-index';
import type { Consequence, ConsequenceCode } from '#lib/review/diff/consequences/catalogue';
import { outputDiff } from '#lib/review/diff/diff';
import { SEVERITIES } from '#lib/review/diff/severity';
import type { Installed } from '#linkerd/releases/installed';
import {
  cluster,
  compare,
  compareHome,
  compareObject,
  consequences,
  type Files,
  meshConfig,
  namespace,
  object,
} from './outputs';

function consequencesOf(before: object | undefined, after: object | undefined, others: Files = {}): readonly unknown[] {
  return consequences(compareObject(before, after, others)).map(({ severity, ...others }) => {
    expect(SEVERITIES).toContain(severity);
    return others;
  });
}

const pods = (image: string) => ({ template: { spec: { containers: [{ name: 'a', image }] } } });
const deployment = (spec: object, kind = 'Deployment') =>
  object('apps/v1', kind, { spec: { ...pods('a:1'), ...spec } });

test.each<[string, object, object, unknown]>([
  ['Deployment', {}, pods('a:2'), 'rolling'],
  ['Deployment', { strategy: { type: 'Recreate' } }, { strategy: { type: 'Recreate' }, ...pods('a:2') }, 'at-once'],
  ['Deployment', { paused: true }, { paused: true, ...pods('a:2') }, 'when-resumed'],
  [
    'DaemonSet',
    { updateStrategy: { type: 'OnDelete' } },
    { updateStrategy: { type: 'OnDelete' }, ...pods('a:2') },
    'by-hand',
  ],
  ['StatefulSet', {}, pods('a:2'), 'rolling'],
])('diff reports the consequence of a new pod template of a %s with the spec %j', (kind, before, after, how) => {
  expect(consequencesOf(deployment(before, kind), deployment(after, kind))).toEqual([
    { code: 'workload-restarts', object: `${kind} b/a`, how },
  ]);
});

test('diff reports no restart for other fields of a workload', () => {
  expect(consequencesOf(deployment({ replicas: 1 }), deployment({ replicas: 0 }))).toEqual([
    { code: 'workload-scaled', object: 'Deployment b/a', before: 1, after: 0 },
  ]);
  expect(consequencesOf(deployment({}), deployment({ minReadySeconds: 5 }))).toEqual([]);
  const job = (image: string) => object('batch/v1', 'CronJob', { spec: { jobTemplate: { spec: pods(image) } } });
  expect(consequencesOf(job('a:1'), job('a:2'))).toEqual([
    { code: 'workload-restarts', object: 'CronJob b/a', how: 'next-run' },
  ]);
});

test('diff reports immutable fields that stop a sync, unless Argo CD replaces the object', () => {
  const selected = (app: string, annotations = {}) =>
    object('apps/v1', 'Deployment', { spec: { selector: { matchLabels: { app } } } }, { annotations });
  expect(consequencesOf(selected('a'), selected('b'))).toEqual([
    { code: 'sync-fails', object: 'Deployment b/a', fields: ['spec.selector'] },
  ]);
  const force = { 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' };
  expect(consequencesOf(selected('a', force), selected('b', force))).toEqual([
    { code: 'object-replaced', object: 'Deployment b/a', fields: ['spec.selector'] },
  ]);
});

const certificate = (spec: object) =>
  object('cert-manager.io/v1', 'Certificate', {
    spec: {
      secretName: 's',
      issuerRef: { name: 'i' },
      dnsNames: ['a', 'b'],
      duration: '48h',
      renewBefore: '25h',
      ...spec,
    },
  });

/** The expectations follow `NewTriggerPolicyChain` and `NewSecretPostIssuancePolicyChain` of cert-manager v1.21. */
test.each<[object, object, readonly (readonly [ConsequenceCode, readonly string[]])[]]>([
  [{}, { issuerRef: { name: 'j' } }, [['certificate-reissued', ['issuerRef']]]],
  [{}, { issuerRef: { name: 'i', kind: 'Issuer', group: 'cert-manager.io' } }, []],
  [{}, { issuerRef: { name: 'i', kind: 'ClusterIssuer' } }, [['certificate-reissued', ['issuerRef']]]],
  [{}, { dnsNames: ['b', 'a'] }, []],
  [{}, { dnsNames: ['a'] }, [['certificate-reissued', ['dnsNames']]]],
  [{}, { commonName: 'a' }, [['certificate-reissued', ['commonName']]]],
  [{}, { usages: ['key encipherment', 'digital signature'] }, []],
  [{}, { usages: ['server auth'] }, [['certificate-reissued', ['usages']]]],
  [{}, { isCA: false }, []],
  [{}, { isCA: true }, [['certificate-reissued', ['isCA']]]],
  [{}, { duration: '2880m' }, []],
  [{}, { duration: '72h' }, [['certificate-reissued', ['duration']]]],
  [{ duration: undefined }, { duration: '48h' }, [['certificate-next-renewal', ['duration']]]],
  [{}, { secretName: 't' }, [['certificate-reissued', ['secretName']]]],
  [{}, { privateKey: { algorithm: 'ECDSA' } }, [['certificate-reissued', ['privateKey']]]],
  [{}, { privateKey: { algorithm: 'RSA', size: 2048 } }, [['certificate-next-renewal', ['privateKey']]]],
  [{}, { privateKey: { rotationPolicy: 'Always' } }, [['certificate-next-renewal', ['privateKey']]]],
  [{}, { subject: { organizations: [] } }, []],
  [{}, { subject: { organizations: ['a'] } }, [['certificate-reissued', ['subject']]]],
  [{}, { secretTemplate: { labels: { a: 'b' } } }, [['certificate-secret-rewritten', ['secretTemplate']]]],
  [{}, { revisionHistoryLimit: 3 }, []],
])('diff reports the consequence of a Certificate with %j and then %j', (before, after, expected) => {
  const found = consequences(compareObject(certificate(before), certificate(after)));
  expect(found.map((one) => [one.code, 'fields' in one ? one.fields : []])).toEqual(expected);
});

test('diff reports that a new renewBefore moves the next renewal without a new certificate', () => {
  expect(consequencesOf(certificate({}), certificate({ renewBefore: '30h' }))).toEqual([
    { code: 'certificate-renewal-moved', object: 'Certificate b/a', before: '25h', after: '30h' },
  ]);
  const others = { 'a/other.yaml': object('v1', 'ConfigMap', {}, { name: 'other' }) };
  expect(consequencesOf(certificate({}), undefined, others)).toEqual([
    { code: 'object-removed', object: 'Certificate b/a', outcome: 'unknown' },
    { code: 'certificate-abandoned', object: 'Certificate b/a', secret: 's' },
  ]);
});

const role = (rules: readonly object[]) => object('rbac.authorization.k8s.io/v1', 'Role', { rules });
const SECRETS = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };

test('diff lists RBAC grants one by one, for any shape of rules', () => {
  expect(
    consequencesOf(
      role([SECRETS]),
      role([{ ...SECRETS, resources: ['configmaps', 'secrets'], verbs: ['get', 'list'] }]),
    ),
  ).toEqual([
    {
      code: 'rbac-changed',
      object: 'Role b/a',
      gained: ['get configmaps', 'list configmaps', 'list secrets'],
      lost: [],
    },
  ]);
  expect(
    consequencesOf(
      role([{ ...SECRETS, resources: ['configmaps', 'secrets'] }]),
      role([SECRETS, { ...SECRETS, resources: ['configmaps'] }]),
    ),
  ).toEqual([]);
  expect(consequencesOf(role([SECRETS]), role([{ ...SECRETS, resourceNames: ['a'] }]))).toMatchObject([
    { code: 'rbac-changed', gained: ['get secrets a'], lost: ['get secrets'] },
  ]);
  const binding = (name: string) =>
    object('rbac.authorization.k8s.io/v1', 'RoleBinding', {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [{ kind: 'ServiceAccount', name, namespace: 'b' }],
    });
  expect(consequencesOf(undefined, binding('x'))).toEqual([
    { code: 'rbac-changed', object: 'RoleBinding b/a', gained: ['ServiceAccount b/x has Role r'], lost: [] },
  ]);
});

const webhook = (members: object) =>
  object('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', { webhooks: [{ name: 'w', ...members }] });

test('diff reports consequences of changed webhooks', () => {
  expect(consequencesOf(webhook({ failurePolicy: 'Ignore' }), webhook({}))).toMatchObject([
    { code: 'webhook-changed', before: 'Ignore', after: 'Fail', fields: [] },
  ]);
  expect(consequencesOf(webhook({}), webhook({ failurePolicy: 'Fail' }))).toEqual([]);
  expect(consequencesOf(webhook({}), webhook({ namespaceSelector: { matchLabels: { a: 'b' } } }))).toMatchObject([
    { code: 'webhook-changed', before: 'Fail', after: 'Fail', fields: ['namespaceSelector'] },
  ]);
  expect(consequencesOf(undefined, webhook({}))).toEqual([
    { code: 'webhook-changed', object: 'MutatingWebhookConfiguration b/a', webhook: 'w', after: 'Fail', fields: [] },
  ]);
});

const set = (members: object = {}, patch = '') =>
  object('argoproj.io/v1alpha1', 'ApplicationSet', {
    spec: {
      generators: [{ git: { directories: [{ path: 'dist/home/*' }] } }],
      syncPolicy: { applicationsSync: 'create-update', preserveResourcesOnDeletion: true },
      templatePatch: patch,
      template: { spec: { syncPolicy: { automated: { prune: true } }, source: { targetRevision: 'main' } } },
      ...members,
    },
  });

const KEPT = { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' };
const CONFIRMED = { 'argocd.argoproj.io/sync-options': 'Prune=confirm' };
const admissionPolicy = (spec: object = {}, annotations = {}) =>
  object(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    { spec },
    { namespace: undefined, annotations },
  );
const binding = (validationActions: readonly string[], annotations = {}, name = 'a') =>
  object(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    { spec: { policyName: 'a', validationActions } },
    { name, namespace: undefined, annotations },
  );
const DENY = { 'b/p.yaml': admissionPolicy(), 'b/b.yaml': binding(['Deny', 'Audit']) };

test.each<[string, Files, Files, readonly object[]]>([
  ['another action', DENY, { ...DENY, 'b/b.yaml': binding(['Warn']) }, [{ before: 'Deny, Audit', after: 'Warn' }]],
  [
    'other rules',
    DENY,
    { ...DENY, 'b/p.yaml': admissionPolicy({ validations: [] }) },
    [{ before: 'Deny, Audit', after: 'Deny, Audit' }],
  ],
  [
    'another failurePolicy',
    DENY,
    { ...DENY, 'b/p.yaml': admissionPolicy({ failurePolicy: 'Ignore' }) },
    [{ before: 'Deny, Audit', after: 'Deny, Audit, failurePolicy Ignore' }],
  ],
  ['a new policy', {}, DENY, [{ before: 'none', after: 'Deny, Audit' }]],
  ['a removed policy', DENY, {}, [{ before: 'Deny, Audit', after: 'none', removal: 'deleted' }]],
  [
    'a removed binding',
    DENY,
    { 'b/p.yaml': admissionPolicy() },
    [{ before: 'Deny, Audit', after: 'no binding', removal: 'deleted' }],
  ],
  [
    'a removed one of two bindings',
    { ...DENY, 'b/c.yaml': binding(['Warn'], {}, 'c') },
    DENY,
    [{ before: 'Deny, Audit, Warn', after: 'Deny, Audit', removal: 'deleted' }],
  ],
  [
    'a policy whose deletion must be confirmed',
    { 'b/p.yaml': admissionPolicy({}, CONFIRMED), 'b/b.yaml': binding(['Deny'], CONFIRMED) },
    {},
    [{ before: 'Deny', after: 'none', removal: 'confirmation' }],
  ],
])('diff reports an admission policy and its bindings once: %s', (_, before, after, expected) => {
  const other = { 'b/o.yaml': object('v1', 'ConfigMap', {}, { name: 'other' }) };
  const argocd = cluster({ 'set.yaml': set() });
  const of = (files: Files) => ({ home: cluster({ ...other, ...files }), argocd });
  const code = { code: 'admission-policy-changed', severity: 'warning', object: 'ValidatingAdmissionPolicy a' };
  expect(consequences(compare(of(before), of(after)))).toEqual(expected.map((one) => ({ ...code, ...one })));
});

test.each<[string, Files]>([
  ['a policy', { 'b/p.yaml': admissionPolicy({}, KEPT), 'b/b.yaml': binding(['Deny'], KEPT) }],
  [
    'a Server',
    {
      'b/s.yaml': object(
        'policy.linkerd.io/v1beta3',
        'Server',
        { spec: { podSelector: {}, port: 80, accessPolicy: 'deny' } },
        { annotations: KEPT },
      ),
    },
  ],
  [
    'a Role',
    { 'b/r.yaml': object('rbac.authorization.k8s.io/v1', 'Role', { rules: [SECRETS] }, { annotations: KEPT }) },
  ],
  [
    'a webhook',
    {
      'b/w.yaml': object(
        'admissionregistration.k8s.io/v1',
        'MutatingWebhookConfiguration',
        { webhooks: [{ name: 'w' }] },
        { annotations: KEPT },
      ),
    },
  ],
])('diff reports no consequence of %s that leaves the output and stays in the cluster', (_, before) => {
  const other = { 'b/o.yaml': object('v1', 'ConfigMap', {}, { name: 'other' }) };
  const found = consequences(compare({ home: cluster({ ...other, ...before }) }, { home: cluster(other) }));
  expect(found).toEqual(
    Object.keys(before).map(() =>
      expect.objectContaining({ code: 'object-removed', outcome: 'kept', severity: 'info' }),
    ),
  );
});

test('diff lists clients that gain and lose access by all policies together', () => {
  const server = object('policy.linkerd.io/v1beta3', 'Server', {
    spec: { podSelector: {}, port: 80, accessPolicy: 'deny' },
  });
  const policy = (name: string) =>
    object('policy.linkerd.io/v1alpha1', 'AuthorizationPolicy', {
      spec: {
        targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: 'a' },
        requiredAuthenticationRefs: [{ kind: 'ServiceAccount', name }],
      },
    });
  const files = (name: string): Files => ({ 'b/server.yaml': server, 'b/policy.yaml': policy(name) });
  const found = consequences(compareHome(files('web'), files('api')));
  expect(found).toEqual([
    { code: 'clients-lost', severity: 'breaks-traffic', server: 'b/a', clients: ['service account b/web'] },
    { code: 'clients-gained', severity: 'opens-access', server: 'b/a', clients: ['service account b/api'] },
  ]);
  expect(consequencesOf(undefined, server)).toEqual([{ code: 'server-added', server: 'b/a', clients: [] }]);
});

test('diff reports consequences for injection and pod security of namespaces', () => {
  expect(consequencesOf(namespace({}), namespace({ annotations: { 'linkerd.io/inject': 'enabled' } }))).toEqual([
    { code: 'injection-changed', object: 'Namespace shop', before: 'disabled', after: 'enabled' },
  ]);
  const enforce = (level: string) => namespace({ labels: { 'pod-security.kubernetes.io/enforce': level } });
  expect(consequencesOf(enforce('baseline'), enforce('restricted'))).toEqual([
    {
      code: 'pod-security-changed',
      object: 'Namespace shop',
      mode: 'enforce',
      before: 'baseline',
      after: 'restricted',
    },
  ]);
});

const LINKERD = 'linkerdVersion: edge-26.8.3\n';

test('diff lists the pods that get new values of proxies, and what restarts them', () => {
  const workload = (name: string, labels: object) =>
    object(
      'apps/v1',
      'Deployment',
      { spec: { template: { metadata: { annotations: { 'linkerd.io/inject': 'enabled' }, labels } } } },
      { name },
    );
  const others = {
    'b/deployment.asks.yaml': workload('asks', { 'config.linkerd.io/reconcile': 'auto' }),
    'b/deployment.keeps.yaml': workload('keeps', {}),
  };
  const files = (values: string, more: Files): Files => ({
    ...others,
    ...more,
    'linkerd/configmap.linkerd-config.yaml': meshConfig(values),
  });
  const level = (of: string) => `${LINKERD}proxy:\n  logLevel: ${of}\n`;
  const proxies = (more: Files) => consequences(compareHome(files(level('a'), more), files(level('b'), more)));
  expect(proxies({})).toMatchObject([
    {
      code: 'proxy-configuration-changed',
      values: ['proxy.logLevel'],
      operator: false,
      restarted: [],
      kept: ['Deployment b/asks', 'Deployment b/keeps'],
    },
  ]);
  const changed = compareHome(
    files(level('a'), {}),
    files(level('b'), { 'b/deployment.keeps.yaml': workload('keeps', { app: 'new' }) }),
  );
  expect(consequences(changed)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: 'workload-restarts', object: 'Deployment b/keeps', how: 'rolling' }),
      expect.objectContaining({ code: 'proxy-configuration-changed', kept: ['Deployment b/asks'] }),
    ]),
  );
  const operator = object('config.linkerd.io/v1alpha1', 'LinkerdConfig', { spec: {} });
  expect(proxies({ 'linkerd/linkerdconfig.a.yaml': operator })).toMatchObject([
    { operator: true, restarted: ['Deployment b/asks'], kept: ['Deployment b/keeps'] },
  ]);
  const overlay = object('config.linkerd.io/v1alpha1', 'LinkerdConfig', { spec: { values: { proxy: { cores: 2 } } } });
  expect(consequencesOf(undefined, overlay)).toMatchObject([
    { code: 'proxy-configuration-changed', values: ['proxy'] },
  ]);
  expect(
    consequencesOf(meshConfig(`${LINKERD}controllerReplicas: 1\n`), meshConfig(`${LINKERD}controllerReplicas: 2\n`)),
  ).toEqual([]);
});

function removed(before: Files, after: Files, argocd: object): readonly unknown[] {
  const of = cluster({ 'set.yaml': argocd });
  return consequences(compare({ home: cluster(before), argocd: of }, { home: cluster(after), argocd: of })).map(
    (one) => (one.code === 'object-removed' ? [one.outcome, 'why' in one ? one.why : ''] : [one.code]),
  );
}

test('diff reports removed objects as deleted, or as kept with the reason', () => {
  const map = (annotations = {}) => object('v1', 'ConfigMap', {}, { annotations });
  const kept = { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' };
  const other = object('v1', 'ConfigMap', {}, { name: 'other' });
  expect(removed({ 'b/a.yaml': map(), 'b/o.yaml': other }, { 'b/o.yaml': other }, set())).toEqual([['deleted', '']]);
  expect(removed({ 'b/a.yaml': map(kept), 'b/o.yaml': other }, { 'b/o.yaml': other }, set())).toEqual([
    ['kept', 'annotation'],
  ]);
  expect(removed({ 'b/a.yaml': map(), 'c/o.yaml': other }, { 'c/o.yaml': other }, set())).toEqual([['kept', 'folder']]);
  const unpruned =
    '{{- if has .path.basename (list "b") }}\nspec:\n  syncPolicy:\n    automated:\n      prune: false\n{{- end }}';
  expect(removed({ 'b/a.yaml': map(), 'b/o.yaml': other }, { 'b/o.yaml': other }, set({}, unpruned))).toEqual([
    ['kept', 'application'],
  ]);
  expect(removed({ 'b/a.yaml': map(), 'c/o.yaml': other }, { 'c/o.yaml': other }, set({ syncPolicy: {} }))).toEqual([
    ['deleted', ''],
  ]);
});

test('diff reports changes of AppProjects, and of the sources of Applications', () => {
  const of = (object: object) => ({ argocd: cluster({ 'a.yaml': object }) });
  const project = (...names: readonly string[]) =>
    object('argoproj.io/v1alpha1', 'AppProject', {
      spec: { destinations: names.map((name) => ({ name, namespace: 'b' })) },
    });
  expect(consequences(compare(of(project('x')), of(project('x', 'y'))))).toMatchObject([
    { code: 'argocd-project-changed', gained: ['destinations: name y, namespace b'], lost: [] },
  ]);
  const retargeted = set({
    template: { spec: { syncPolicy: { automated: { prune: true } }, source: { targetRevision: 'next' } } },
  });
  expect(consequences(compare(of(set()), of(retargeted)))).toMatchObject([{ code: 'argocd-source-changed' }]);
  expect(consequences(compare(of(set()), of(set({ syncPolicy: { applicationsSync: 'sync' } }))))).toMatchObject([
    { code: 'argocd-sync-changed', fields: ['syncPolicy'] },
  ]);
});

test('diff reports changes of releases, and CRDs that lose versions', () => {
  const installed = (release: string, ...versions: readonly string[]) => ({
    releases: { controlPlane: release },
    definitions: [
      { name: 'a.b', versions: versions.map((name, index) => ({ name, served: true, storage: index === 0 })) },
    ],
  });
  const found = consequences(
    compare(
      { home: cluster({}, installed('edge-26.8.2', 'v1', 'v2')) },
      { home: cluster({}, installed('edge-26.8.3', 'v3', 'v2')) },
    ),
  );
  expect(found).toEqual([
    { code: 'crd-versions-removed', severity: 'error', crd: 'a.b', versions: ['v1'] },
    {
      code: 'release-moved',
      severity: 'warning',
      chart: 'linkerd-control-plane',
      before: 'edge-26.8.2',
      after: 'edge-26.8.3',
    },
    { code: 'crd-version-added', severity: 'info', crd: 'a.b', versions: ['v3'] },
  ]);
});

test('diff reports no deleted objects if a Linkerd chart moves to another renderer', () => {
  const installed: Installed = { releases: { viz: 'edge-26.8.3' }, definitions: [] };
  const labels = { 'linkerd.io/extension': 'viz' };
  const own = (owned: object): Files => ({
    'a/serviceaccount.yaml': object('v1', 'ServiceAccount', {}, { name: 'tap', labels: owned }),
    'b/role.yaml': object(
      'rbac.authorization.k8s.io/v1',
      'ClusterRoleBinding',
      {
        roleRef: { kind: 'ClusterRole', name: 'x' },
        subjects: [{ kind: 'ServiceAccount', name: 'tap', namespace: 'a' }],
      },
      { name: 'tap', labels: owned },
    ),
  });
  const helm: Files = {
    'a/Chart.yaml':
      'dependencies:\n  - name: linkerd-viz\n    version: 2026.8.3\n    repository: https://example.com\n',
    'a/values.yaml': 'linkerd-viz: {}\n',
  };
  const found = (before: Files, after: Files) =>
    consequences(compare({ home: cluster(before, installed) }, { home: cluster(after, installed) }));
  const moved = (delivery: string) => [
    {
      code: 'chart-delivery-changed',
      severity: 'info',
      chart: 'linkerd-viz',
      namespace: 'a',
      delivery,
      compared: false,
      moved: false,
    },
  ];
  expect(found(own(labels), helm)).toEqual(moved('helm'));
  expect(found(helm, own(labels))).toEqual(moved('manifests'));
  const codes = found(own({}), helm).map(({ code }) => code);
  expect(codes).toContain('object-removed');
});

const umbrella = (chart: string, version: string): Files => ({
  'a/Chart.yaml': `dependencies:\n  - name: ${chart}\n    version: ${version}\n    repository: https://example.com\n`,
  'a/values.yaml': `${chart}: {}\n`,
});

test.each<[string, string, boolean]>([
  ['v1.2.3', 'v1.2.3', false],
  ['v1.2.3', 'v1.1.0', true],
])('diff reports no removed object of a moved chart: %s at synth, %s by Helm', (rendered, version, moved) => {
  const labels = { 'helm.sh/chart': `widgets-${rendered}` };
  const own: Files = { 'a/serviceaccount.yaml': object('v1', 'ServiceAccount', {}, { labels }) };
  const other: Files = { 'a/o.yaml': object('v1', 'ConfigMap', {}, { name: 'o' }) };
  const of = (...files: readonly Files[]) => ({ home: cluster(Object.assign({}, ...files)) });
  const detail = { code: 'chart-delivery-changed', chart: 'widgets', compared: false, moved };
  const severity = moved ? 'warning' : 'info';
  for (const [before, after, delivery] of [
    [own, umbrella('widgets', version), 'helm'],
    [umbrella('widgets', version), own, 'manifests'],
  ] as const) {
    expect(consequences(compare(of(before), of(after)))).toEqual([{ ...detail, severity, namespace: 'a', delivery }]);
    const more = consequences(compare(of(before, other), of(after))).map(({ code }) => code);
    expect(more.toSorted()).toEqual(['chart-delivery-changed', 'object-removed']);
  }
});

test('diff compares a chart rendered at synth with another release by Helm object by object', () => {
  const viz = (release: string): Installed => ({ releases: { viz: release }, definitions: [] });
  const metadata = { name: 'tap', namespace: 'a', labels: { 'linkerd.io/extension': 'viz' } };
  const tap = (image: string) => object('apps/v1', 'Deployment', { spec: pods(image) }, metadata);
  const account = object('v1', 'ServiceAccount', {}, { ...metadata, name: 'gone' });
  const own: Files = { 'a/tap.yaml': tap('a:2'), 'a/gone.yaml': account };
  const inflate = () => [tap('a:1')] as never;
  const found = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
    consequences(
      outputDiff({
        before: new Map([['home', before]]),
        after: new Map([['home', after]]),
        from: 'a',
        to: 'b',
        inflate,
      }),
    ).map(({ code, ...one }) => ('object' in one ? `${code} ${one.object}` : code));
  const [synth, helm] = [
    cluster(own, viz('edge-26.8.3')),
    cluster(umbrella('linkerd-viz', '2026.7.1'), viz('edge-26.7.1')),
  ];
  expect(found(synth, helm).toSorted()).toEqual([
    'chart-delivery-changed',
    'object-removed ServiceAccount a/gone',
    'release-moved',
    'workload-restarts Deployment a/tap',
  ]);
  expect(found(helm, synth).toSorted()).toEqual([
    'chart-delivery-changed',
    'release-moved',
    'workload-restarts Deployment a/tap',
  ]);
});

test('diff reports a newly meshed namespace, unless it belongs to a new extension', () => {
  const monitoring = (labels: object, inject?: string) => {
    const annotations = inject === undefined ? {} : { 'linkerd.io/inject': inject };
    return namespace({ name: 'monitoring', labels, annotations });
  };
  const others = { 'b/b.yaml': object('v1', 'ConfigMap') };
  expect(consequencesOf(undefined, monitoring({}, 'enabled'), others)).toMatchObject([
    { code: 'injection-changed', object: 'Namespace monitoring', after: 'enabled' },
  ]);
  expect(consequencesOf(undefined, monitoring({}), others)).toEqual([]);
  expect(consequencesOf(undefined, monitoring({}, 'disabled'), others)).toEqual([]);
  expect(consequencesOf(undefined, monitoring({ 'linkerd.io/extension': 'viz' }, 'enabled'), others)).toEqual([]);
});

test('diff reports a cluster that moves to another ring with the same files', () => {
  const inRing = (ring: string) => {
    const files = { 'a/a.yaml': object('v1', 'ConfigMap') };
    const texts = new Map([['a/a.yaml', stringifyYaml(files['a/a.yaml'])]]);
    return texts.set(INDEX_FILE, formatIndex({ ...indexOf(texts.keys(), []), ring }));
  };
  const diff = compare({ home: inRing('canary') }, { home: inRing('rest') });
  expect(consequences(diff)).toEqual([{ code: 'cluster-ring-moved', severity: 'warning', from: 'canary', to: 'rest' }]);
  expect(diff.clusters).toEqual([{ name: 'home', state: 'changed', ring: 'rest' }]);
  expect(consequences(compare({ home: inRing('rest') }, { home: inRing('rest') }))).toEqual([]);
});

test('diff lists changed values of charts that Helm renders', () => {
  const files = (version: string, values: string): Files => ({
    'c/Chart.yaml': `dependencies:\n  - name: cert-manager\n    version: ${version}\n    repository: https://example.com\n`,
    'c/values.yaml': `cert-manager:\n  ${values}\n`,
  });
  expect(consequences(compareHome(files('v1', 'a: 1'), files('v2', 'a: 2')))).toMatchObject([
    { code: 'chart-changed', before: 'v1', after: 'v2', values: ['a'] },
  ]);
});

test('diff reports consequences of a rotation of the trust anchor', () => {
  const anchor = (spec: object) =>
    object('config.linkerd.io/v1alpha1', 'TrustAnchor', { spec }, { namespace: undefined });
  expect(consequencesOf(anchor({}), anchor({ rotateNow: 'a' })).map((one) => (one as Consequence).code)).toEqual([
    'anchor-rotation-asked',
    'anchor-policy-changed',
  ]);
});

test('diff compares other files that Argo CD applies, and ignores those that are not manifests', () => {
  const home = cluster({ 'a/Chart.yaml': 'dependencies: []\n', 'a/a.yaml': object('v1', 'ConfigMap') });
  const files = { 'a/charts/cert-manager-v1.tgz': '\x1f\x8b', 'a/README.md': 'a: b', 'a/b.yaml': '}' };
  const next = new Map([...home, ...Object.entries(files)]);
  const found = consequences(compare({ home }, { home: next }));
  expect(found.map((one) => ('file' in one ? `${one.code} ${one.file}` : one.code))).toEqual([
    'file-unreadable a/b.yaml',
    'file-unlisted a/b.yaml',
    'file-unlisted a/charts/cert-manager-v1.tgz',
  ]);
});
