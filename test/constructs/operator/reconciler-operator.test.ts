import { ApiObject, Duration } from 'cdk8s';
import {
  CertManager,
  CertManagerPKI,
  type ControlPlaneValues,
  type ExistingCertManagerPKIProps,
  type ExistingLinkerdControlPlaneProps,
  LinkerdCni,
  LinkerdControlPlane,
  MultusAttach,
  OperatorImage,
  ReconcilerOperator,
  type ReconcilerOperatorProps,
  TrustBundle,
  TrustManager,
} from '#lib';
import { dependenciesOf } from '#lib/gitops/tree/order';
import { declareReferences } from '#lib/gitops/tree/references';
import { addPki } from '../../support/control-plane-fixture';
import { type Built, BY_HAND, build, buildOperator, type Written } from './fixture';

const HERE = 'linkerd-reconciler';

const has = ({ objects }: Built, file: string) => objects.has(file);
const filesIn = ({ objects }: Built, namespace: string) =>
  [...objects.keys()]
    .filter((file) => file.startsWith(`${namespace}/`))
    .map((file) => file.slice(namespace.length + 1));
const deployment = ({ objects }: Built, namespace = HERE): Written => objects.get(`${namespace}/deployment.${HERE}`);
const podOf = (built: Built, namespace?: string) => deployment(built, namespace).spec.template;
const openPorts = ({ objects }: Built, namespace = HERE): readonly number[] =>
  objects.get(`${namespace}/networkpolicy.${HERE}`).spec.ingress[0].ports.map(({ port }: Written) => port);
const argsOf = (built: Built): readonly string[] => podOf(built).spec.containers[0].args;

describe('an operator with defaults', () => {
  const built = buildOperator();

  it('is complete, without references to missing objects', () => {
    expect(built.problems).toEqual([]);
    expect(built.warnings.filter(({ code }) => code !== 'certificate-alerts-missing')).toEqual([]);
    expect(filesIn(built, HERE).filter((file) => file.includes('require-proxy'))).toHaveLength(2);
  });

  it('has a grace period that is longer than its shutdown', () => {
    const { terminationGracePeriodSeconds, containers } = podOf(built).spec;
    const DRAIN_SECONDS = 20;
    const CUT_OFF_SECONDS = 1;
    const LAST_EVENTS_SECONDS = 3;
    const RELEASE_SECONDS = 5;
    const operator = DRAIN_SECONDS + CUT_OFF_SECONDS + LAST_EVENTS_SECONDS + RELEASE_SECONDS;
    const least = containers[0].lifecycle.preStop.sleep.seconds + operator;
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(least + 10);
  });

  it('is meshed, and its webhook and API requests bypass the proxy', () => {
    expect(podOf(built).metadata.annotations).toMatchObject({
      'linkerd.io/inject': 'enabled',
      'config.linkerd.io/proxy-enable-native-sidecar': 'true',
      'config.linkerd.io/skip-inbound-ports': '9443',
      'config.linkerd.io/skip-outbound-ports': '443,6443',
    });
  });

  it('is applied after the injector that meshes it', () => {
    buildOperator({}, {}, (operator) => expect(dependenciesOf(operator)).toContain(operator.controlPlane));
  });

  it('does not attach pods by Multus', () => {
    expect(argsOf(built)).toContain('--no-multus');
    expect(has(built, `${HERE}/networkattachmentdefinition.linkerd-cni`)).toBe(false);
    expect(podOf(built).metadata.annotations).not.toHaveProperty(['k8s.v1.cni.cncf.io/networks']);
    expect(JSON.stringify(built.objects.get(`${HERE}/clusterrole.${HERE}`))).not.toContain('k8s.cni.cncf.io');
  });

  it('admits connections to the ports of its pods', () => {
    const ports: number[] = podOf(built).spec.containers[0].ports.map(({ containerPort }: Written) => containerPort);
    expect(openPorts(built)).toEqual([...ports, 4143, 4191, 4190]);
  });

  it('admits connections to the ports that values set for its proxies', () => {
    const values = { proxy: { ports: { inbound: 5143, admin: 5191, control: 5190 } } };
    expect(openPorts(buildOperator({}, { controlPlane: { values } })).slice(-3)).toEqual([5143, 5191, 5190]);
  });

  it('has a namespace with the privileged pod security standard', () => {
    // Without a CNI plugin, every meshed pod has an init container with NET_ADMIN.
    expect(built.objects.get(`${HERE}/namespace.${HERE}`).metadata.labels).toEqual({
      'pod-security.kubernetes.io/enforce': 'privileged',
    });
  });
});

describe('an operator with Multus', () => {
  const surroundings = { cni: {}, attached: ['shop'] };

  it('attaches pods by default if a MultusAttach exists', () => {
    expect(argsOf(buildOperator({}, surroundings))).toEqual(argsOf(buildOperator({ multus: true }, surroundings)));
  });
  it('can leave the attachment to another operator', () => {
    const without = buildOperator({ multus: false }, surroundings);
    expect(without.problems).toEqual([]);
    expect(argsOf(without)).toContain('--no-multus');
    expect(has(without, 'linkerd-cni/role.linkerd-reconciler')).toBe(false);
    expect(has(without, `${HERE}/mutatingwebhookconfiguration.linkerd-multus-webhook-config`)).toBe(false);
    // The pods of the operator are still attached to the CNI plugin.
    expect(podOf(without).metadata.annotations).toMatchObject({ 'k8s.v1.cni.cncf.io/networks': 'linkerd-cni' });
    expect(has(without, `${HERE}/networkattachmentdefinition.linkerd-cni`)).toBe(true);
  });
});

describe('an operator', () => {
  const cni = { openShift: true };
  const scc = `${HERE}/rolebinding.linkerd-scc-nonroot-v2`;
  const built = buildOperator({}, { cni, attached: [] });

  it('on OpenShift has an SCC for the user of its proxy, and sets its own user', () => {
    expect(built.problems).toEqual([]);
    const { roleRef, subjects } = built.objects.get(scc);
    expect(roleRef.name).toBe('system:openshift:scc:nonroot-v2');
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name: HERE, namespace: HERE }]);
    expect(podOf(built).spec.securityContext).toMatchObject({ runAsUser: 1000 });
  });

  it('needs no SCC on platforms other than OpenShift', () => {
    expect(has(buildOperator({}, { cni: {}, attached: [] }), scc)).toBe(false);
  });

  it('on OpenShift sets no user for pods without a proxy', () => {
    const beside = buildOperator({ namespace: 'linkerd', multus: false }, { cni, attached: [] });
    expect(podOf(beside, 'linkerd').spec.securityContext).not.toHaveProperty('runAsUser');
    const { subjects } = beside.objects.get('linkerd/rolebinding.linkerd-scc-nonroot-v2');
    expect(subjects.map(({ name }: Written) => name)).toEqual(['linkerd-heartbeat']);
  });
});

describe('an operator without webhooks', () => {
  const built = buildOperator({ webhooks: false });

  it('has no objects that webhooks need', () => {
    expect(built.problems).toEqual([]);
    expect(filesIn(built, HERE).filter((file) => /webhook|certificate|service\./.test(file))).toEqual([]);
    expect(argsOf(built)).toContain('--no-enable-webhooks');
    const [container] = podOf(built).spec.containers;
    expect(container.ports.map(({ name }: Written) => name)).toEqual(['metrics', 'health']);
    expect(podOf(built).spec.volumes.map(({ name }: Written) => name)).toEqual(['program']);
  });

  it('warns that it does not attach pods', () => {
    expect(buildOperator({ webhooks: false }, { cni: {}, attached: [] }).warnings).toContainEqual(
      expect.objectContaining({ code: 'multus-without-webhooks' }),
    );
  });
});

describe('an operator in the namespace of the control plane', () => {
  const built = buildOperator({ namespace: 'linkerd' });

  it('is complete, with one role', () => {
    expect(built.problems).toEqual([]);
    expect(filesIn(built, 'linkerd').filter((file) => /^role\.linkerd-reconciler/.test(file))).toHaveLength(1);
    const { rules } = built.objects.get('linkerd/role.linkerd-reconciler');
    const resources = rules.flatMap((rule: Written) => rule.resources);
    expect(resources).toEqual(expect.arrayContaining(['leases', 'configmaps']));
  });

  it('is not meshed', () => {
    expect(openPorts(built, 'linkerd')).toEqual([9443, 8080, 8081]);
    expect(podOf(built, 'linkerd').metadata.annotations).toEqual({
      'kubectl.kubernetes.io/default-container': 'linkerd-reconciler',
    });
  });
});

describe('props of an operator', () => {
  it('are applied', () => {
    const built = buildOperator({
      namespace: 'mesh-operator',
      image: OperatorImage.fromRegistry('ghcr.io/acme/operator:1'),
      replicas: 3,
      installerFieldManagers: ['kustomize-controller'],
      logLevel: 'debug',
      resources: { cpu: { request: '1', limit: '2' }, memory: { limit: '1Gi' } },
      monitoring: { namespace: 'monitoring', labels: { release: 'prometheus' }, interval: Duration.seconds(15) },
    });
    expect(built.problems).toEqual([]);
    const { spec } = deployment(built, 'mesh-operator');
    expect(spec.replicas).toBe(3);
    const [container] = spec.template.spec.containers;
    expect(container).toMatchObject({
      image: 'ghcr.io/acme/operator:1',
      resources: { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } },
    });
    expect(container.args).toEqual(
      expect.arrayContaining(['--installer-field-managers=kustomize-controller', '--log-level=debug']),
    );
    expect(has(built, 'mesh-operator/configmap.linkerd-reconciler-program')).toBe(false);
    expect(built.objects.get('monitoring/podmonitor.linkerd-reconciler')).toMatchObject({
      metadata: { labels: { release: 'prometheus' } },
      spec: {
        namespaceSelector: { matchNames: ['mesh-operator'] },
        selector: { matchLabels: spec.selector.matchLabels },
        podMetricsEndpoints: [{ port: 'metrics', interval: '15s' }],
      },
    });
    // The operator must admit a Prometheus without a proxy, even if the default policy denies it.
    const policy = 'config.linkerd.io/default-inbound-policy';
    expect(spec.template.metadata.annotations[policy]).toBe('all-unauthenticated');
    expect(deployment(buildOperator({})).spec.template.metadata.annotations).not.toHaveProperty([policy]);
  });
});

describe('an operator for a chart that Argo CD inflates', () => {
  it('warns that Argo CD ignores changes of ConfigMap linkerd-config', () => {
    const { warnings } = buildOperator({}, { controlPlane: { delivery: 'helm' } });
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'values-not-seen' }));
  });
});

it('the operator runs with 2.14, whose proxies are no native sidecars', () => {
  const { objects, problems } = build((cluster) => {
    const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', {
      ...addPki(cluster, BY_HAND),
      version: 'stable-2.14.10',
    });
    new ReconcilerOperator(cluster, 'operator', { controlPlane });
  });
  expect(problems).toEqual([]);
  const { annotations } = objects.get(`${HERE}/deployment.${HERE}`).spec.template.metadata;
  expect(annotations).toMatchObject({ 'linkerd.io/inject': 'enabled' });
  expect(Object.keys(annotations).filter((key) => key.includes('native-sidecar'))).toEqual([]);
});

it('the operator overrides waitBeforeExitSeconds of the mesh, which native sidecars refuse', () => {
  const { objects, problems } = build((cluster) => {
    const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', {
      ...addPki(cluster, BY_HAND),
      version: '2.19',
      crds: { gatewayApi: 'existing' },
      values: { proxy: { waitBeforeExitSeconds: 5 } },
    });
    new ReconcilerOperator(cluster, 'operator', { controlPlane });
  });
  expect(problems).toEqual([]);
  expect(objects.get(`${HERE}/deployment.${HERE}`).spec.template.metadata.annotations).toMatchObject({
    'config.beta.linkerd.io/proxy-enable-native-sidecar': 'true',
    'config.alpha.linkerd.io/proxy-wait-before-exit-seconds': '0',
  });
});

describe('an operator with webhookClients', () => {
  const external = [{ kind: 'ConfigMap' as const, namespace: HERE, name: 'api-server-ca' }];
  const clientCa = { configMap: 'api-server-ca', key: 'front.pem' };
  const built = buildOperator({ webhookClients: { cidrs: ['10.0.0.0/28', 'fd00::/64'], clientCa } }, {}, (operator) =>
    declareReferences(operator, { external }),
  );

  it('refuses all other clients', () => {
    expect(built.problems).toEqual([]);
    const { ingress } = built.objects.get(`${HERE}/networkpolicy.${HERE}`).spec;
    expect(openPorts(built)).not.toContain(9443);
    expect(ingress[1]).toEqual({
      from: [{ ipBlock: { cidr: '10.0.0.0/28' } }, { ipBlock: { cidr: 'fd00::/64' } }],
      ports: [{ port: 9443, protocol: 'TCP' }],
    });
  });

  it('admits clients with a certificate of the CA', () => {
    const { volumes, containers } = podOf(built).spec;
    expect(argsOf(built)).toContain('--webhook-client-ca=/client-ca/ca.crt');
    expect(volumes).toContainEqual({
      name: 'client-ca',
      configMap: { name: 'api-server-ca', items: [{ key: 'front.pem', path: 'ca.crt' }] },
    });
    expect(containers[0].volumeMounts).toContainEqual({ name: 'client-ca', mountPath: '/client-ca', readOnly: true });
  });

  it('requires the ConfigMap of the CA', () => {
    const { problems } = buildOperator({ webhookClients: { clientCa } });
    expect(problems.join()).toContain('ConfigMap linkerd-reconciler/api-server-ca');
  });

  it.each<[object, Partial<ReconcilerOperatorProps>]>([
    [{ code: 'operator-setting-refused' }, { webhooks: false, webhookClients: {} }],
    [{ code: 'operator-setting-refused' }, { webhookClients: { cidrs: [] } }],
    [{ code: 'operator-setting-refused' }, { webhookClients: { clientCa: { configMap: 'a', key: 'a/b' } } }],
    [
      { what: expect.stringContaining('webhookClients.cidrs[1] is "10.0.0.0"') },
      { webhookClients: { cidrs: ['10.0.0.0/8', '10.0.0.0'] } },
    ],
    [
      { what: expect.stringContaining('webhookClients.clientCa.configMap') },
      { webhookClients: { clientCa: { configMap: 'A' } } },
    ],
  ])('refuses an invalid configuration: %j', (finding, props) => {
    expect(buildOperator(props).errors).toContainEqual(expect.objectContaining(finding));
  });
});

describe('an operator bound to namespaces', () => {
  const auto = (operator: ReconcilerOperator) =>
    new ApiObject(operator, 'web', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web', 'config.linkerd.io/reconcile': 'auto' } },
          spec: { containers: [{ name: 'web', image: 'web:1' }] },
        },
      },
    });

  it('has a Role in each namespace, and a webhook for pods in these namespaces', () => {
    const built = buildOperator({ namespaces: ['shop'] }, { cni: {}, attached: ['shop'] }, auto);
    expect(built.problems).toEqual([]);
    expect(has(built, `shop/role.${HERE}`)).toBe(true);
    expect(argsOf(built)).toContain('--workload-namespaces=shop');
    const [{ namespaceSelector }] = built.objects.get(
      `${HERE}/mutatingwebhookconfiguration.linkerd-multus-webhook-config`,
    ).webhooks;
    expect(namespaceSelector.matchExpressions).toContainEqual({
      key: 'kubernetes.io/metadata.name',
      operator: 'In',
      values: ['linkerd', 'shop'],
    });
  });

  it.each<[object, Partial<ReconcilerOperatorProps>]>([
    [{ code: 'operator-setting-refused' }, { namespaces: [] }],
    [{ what: expect.stringContaining('namespaces[1]') }, { namespaces: ['shop', 'A'] }],
    [{ code: 'operator-namespaces-incomplete', parameters: { namespaces: 'shop' } }, { namespaces: ['web'] }],
    [
      { code: 'operator-namespaces-incomplete', parameters: { workloads: 'shop/Deployment/web' } },
      { namespaces: ['web'] },
    ],
  ])('reports an invalid configuration: %j', (finding, props) => {
    const { errors } = buildOperator(props, { cni: {}, attached: ['shop'] }, auto);
    expect(errors).toContainEqual(expect.objectContaining(finding));
  });
});

describe('an operator in an existing mesh', () => {
  const ANCHOR = { duration: '87600h', renewBefore: '8760h' } as const;
  const installed = (
    pki: Partial<ExistingCertManagerPKIProps> = {},
    controlPlane: Partial<ExistingLinkerdControlPlaneProps> = {},
    props: Partial<ReconcilerOperatorProps> = {},
  ): Built =>
    build((cluster) => {
      const certManager = CertManager.fromExisting(cluster, 'cert-manager');
      const existing = CertManagerPKI.fromExisting(cluster, 'pki', { certManager, ...pki });
      const linkerd = LinkerdControlPlane.fromExisting(cluster, 'linkerd', { pki: existing, ...controlPlane });
      new ReconcilerOperator(cluster, 'operator', { controlPlane: linkerd, ...props });
      const trustManager = TrustManager.fromExisting(cluster, 'trust-manager');
      if (pki.trustAnchor !== undefined) new TrustBundle(cluster, 'trust', { pki: existing, trustManager });
    });
  const withoutAnnotations = ({ metadata: { annotations: _, ...metadata }, ...object }: Written) => ({
    ...object,
    metadata,
  });
  /** Drops annotations: waves depend on the other objects of the cluster. */
  const operatorIn = ({ objects }: Built) =>
    new Map(
      [...objects].filter(([file]) => file.includes(HERE)).map(([file, object]) => [file, withoutAnnotations(object)]),
    );

  it.each([
    ['rotating the anchor', { trustAnchor: ANCHOR }, {}],
    ['leaving the anchor alone', {}, BY_HAND],
  ])('has the same objects as in a mesh of the library, and a webhook CA, %s', (_, pki, ofLibrary) => {
    const built = installed(pki);
    expect(built.problems).toEqual([]);
    const [here, beside] = [operatorIn(built), operatorIn(buildOperator({}, { pki: ofLibrary }))];
    const certificate = `${HERE}/certificate.${HERE}-webhook`;
    expect(here.get(certificate).spec.issuerRef).toMatchObject({ kind: 'Issuer', name: `${HERE}-webhook-ca` });
    const added = [...here.keys()].filter((file) => !beside.has(file));
    expect(added.map((file) => file.replace(`${HERE}/`, '')).sort()).toEqual([
      `certificate.${HERE}-webhook-ca`,
      `issuer.${HERE}-webhook-ca`,
      `issuer.${HERE}-webhook-root`,
    ]);
    for (const file of [...added, certificate]) [here, beside].map((files) => files.delete(file));
    expect(here).toEqual(beside);
  });

  it('does not emit objects of the existing mesh', () => {
    const built = installed({}, {}, { namespace: 'linkerd' });
    expect(built.problems).toEqual([]);
    expect([...built.objects.keys()].filter((file) => /namespace\.|linkerd-(identity|trust)/.test(file))).toEqual([]);
  });

  it('replaces the Bundle only if it rotates the trust anchor', () => {
    const file = 'cert-manager/bundle.linkerd-identity-trust-roots';
    expect(installed({ trustAnchor: ANCHOR }).objects.get(file).spec).toEqual(
      buildOperator({}, { pki: {} }).objects.get(file).spec,
    );
    expect(has(installed(), file)).toBe(false);
  });

  it('reads the values of the control plane and its CNI plugin', () => {
    const built = build((cluster) => {
      const certManager = CertManager.fromExisting(cluster, 'cert-manager');
      const pki = CertManagerPKI.fromExisting(cluster, 'pki', { certManager });
      const cni = LinkerdCni.fromExisting(cluster, 'cni', { namespace: 'kube-cni' });
      const podAnnotations = MultusAttach.podAnnotations;
      const values = { podAnnotations, proxy: { ports: { inbound: 5143 } } };
      const controlPlane = LinkerdControlPlane.fromExisting(cluster, 'linkerd', { pki, cni, values });
      new ReconcilerOperator(cluster, 'operator', { controlPlane, multus: true });
      declareReferences(cluster, { external: [{ kind: 'Namespace', name: 'kube-cni' }] });
    });
    expect(built.problems).toEqual([]);
    expect(argsOf(built)).toContain('--cni-namespace=kube-cni');
    expect(openPorts(built)).toContain(5143);
    expect(has(built, `${HERE}/networkattachmentdefinition.linkerd-cni`)).toBe(true);
  });

  const issuer = { scheme: 'kubernetes.io/tls' } as const;
  const GUIDE = { externalCA: true, issuer };

  it.each<[string, ControlPlaneValues<'edge-26.8.3'>, readonly string[]]>([
    ["has the values of Linkerd's guide", { identity: GUIDE }, []],
    ['has an empty trust domain', { identity: GUIDE, identityTrustDomain: '' }, []],
    ['has durations in other units', { identity: { ...GUIDE, issuer: { ...issuer, issuanceLifetime: '86400s' } } }, []],
    ['has the roots in its chart', { identity: { issuer } }, ['roots-of-chart']],
    ['has null for externalCA', { identity: { externalCA: null as never, issuer } }, ['roots-of-chart']],
    ['has the issuer in its chart', { identity: { externalCA: true } }, ['issuer-of-chart']],
    ['has the defaults of its chart', {}, ['roots-of-chart', 'issuer-of-chart']],
    ['has another trust domain', { identity: GUIDE, identityTrustDomain: 'b.example' }, ['setting']],
    ['has another domain', { identity: GUIDE, identityTrustDomain: '', clusterDomain: 'b.example' }, ['setting']],
    ['has a longer lifetime', { identity: { ...GUIDE, issuer: { ...issuer, issuanceLifetime: '48h' } } }, ['setting']],
    ['has no clock skew', { identity: { ...GUIDE, issuer: { ...issuer, clockSkewAllowance: '' } } }, ['setting']],
  ])('checks that the anchor can be adopted: a control plane that %s', (_, values, causes) => {
    const { errors } = installed({ trustAnchor: ANCHOR }, { values });
    expect(errors.map(({ code, cause }) => [code, cause])).toEqual(
      causes.map((cause) => ['anchor-not-adoptable', cause]),
    );
    expect(installed({}, { values }).problems).toEqual([]);
  });

  it('is refused with keys in values, without an operator, or with an operator that is bound to namespaces', () => {
    const key = `-----BEGIN ${'PRIVATE'} KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END ${'PRIVATE'} KEY-----`;
    const withKey = installed({}, { values: { identity: { issuer: { tls: { keyPEM: key } } } } });
    expect(withKey.errors).toMatchObject([{ code: 'private-key-found' }]);
    const { errors } = build((cluster) => {
      const certManager = CertManager.fromExisting(cluster, 'cert-manager');
      CertManagerPKI.fromExisting(cluster, 'pki', { certManager, trustAnchor: ANCHOR });
    });
    expect(errors).toMatchObject([{ code: 'anchor-rotation-refused', cause: 'operator-missing' }]);
    const bound = installed({ trustAnchor: ANCHOR }, {}, { namespaces: ['linkerd'] });
    expect(bound.errors).toMatchObject([{ code: 'anchor-rotation-refused', cause: 'operator-namespaces' }]);
  });
});
