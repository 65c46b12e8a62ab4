import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseAllDocuments, stringify } from 'yaml';
import { canonicalJson } from '#base/canonical-json';
import { describeProblem } from '#base/findings/problem';
import type { Chart } from '#helm/chart/chart';
import { readChartAt } from '#helm/chart/read-chart-at';
import { renderChart } from '#helm/render';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkPresent, presentObjects } from '#lib/cli/operator/present-certificates';
import { temporaryDirectory } from '../gitops/synth/output/tree-on-disk';
import { type Outcome, runInMemory } from './fake-terminal';

const directory = temporaryDirectory();
let folders = 0;
const newFolder = () => {
  folders += 1;
  return join(directory.path, `chart-${folders}`);
};

const manifests = (args: readonly string[], inputs: Parameters<typeof runInMemory>[1] = {}) =>
  runInMemory(['operator', 'manifests', ...args], inputs);

const objectsIn = (text: string): readonly KubernetesObject[] =>
  parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
const named = ({ kind, metadata: { namespace = '', name } }: KubernetesObject) => `${kind} ${namespace}/${name}`;
const headerOf = ({ stdout }: Outcome) => stdout.slice(0, stdout.indexOf('---'));

/** The objects of a mesh by Linkerd's guide in the format of kubectl, with these changes. */
function guide(change: Readonly<Record<string, object | null>> = {}): string {
  const objects = {
    issuer: {
      kind: 'Certificate',
      metadata: { name: 'linkerd-identity-issuer', namespace: 'linkerd' },
      spec: {
        secretName: 'linkerd-identity-issuer',
        issuerRef: { kind: 'ClusterIssuer', name: 'linkerd-identity-issuer' },
      },
    },
    signer: {
      kind: 'ClusterIssuer',
      metadata: { name: 'linkerd-identity-issuer' },
      spec: { ca: { secretName: 'linkerd-trust-anchor' } },
    },
    anchor: {
      kind: 'Certificate',
      metadata: { name: 'linkerd-trust-anchor', namespace: 'cert-manager' },
      spec: { secretName: 'linkerd-trust-anchor' },
    },
    bundle: {
      kind: 'Bundle',
      metadata: { name: 'linkerd-identity-trust-roots' },
      spec: { sources: [ofSecret('linkerd-trust-anchor'), ofSecret('linkerd-previous-anchor')] },
    },
    ...change,
  };
  return stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: Object.values(objects).filter((object) => object !== null),
  });
}

const OF_GUIDE = { kind: 'ClusterIssuer', name: 'linkerd-identity-issuer' };

function ofSecret(name: string, key = 'tls.crt') {
  return { secret: { name, key } };
}

const bundleOf = (...sources: readonly object[]) => ({
  bundle: { kind: 'Bundle', metadata: { name: 'linkerd-identity-trust-roots' }, spec: { sources } },
});

describe('operator manifests', () => {
  it('prints the same text each time, in an order in which kubectl can apply it', async () => {
    const [one, other] = [await manifests(['--rotation']), await manifests(['--rotation'])];
    expect(one).toEqual(other);
    expect({ code: one.code, stderr: one.stderr }).toEqual({ code: 0, stderr: '' });
    const kinds = objectsIn(one.stdout).map(({ kind }) => kind);
    expect(kinds.slice(0, 3)).toEqual(['Namespace', 'CustomResourceDefinition', 'CustomResourceDefinition']);
    expect(kinds.filter((kind) => ['Deployment', 'TrustAnchor'].includes(kind))).toEqual(['Deployment', 'TrustAnchor']);
  });

  it('prints only two objects that exist in the mesh: the Bundle and the Issuer of anchors', async () => {
    const objects = objectsIn((await manifests(['--rotation', '--config', '--multus'])).stdout);
    const foreign = objects.filter(({ metadata }) => !metadata.name.startsWith('linkerd-reconciler')).map(named);
    expect(foreign.sort()).toEqual([
      'Bundle /linkerd-identity-trust-roots',
      'CustomResourceDefinition /linkerdconfigs.config.linkerd.io',
      'CustomResourceDefinition /trustanchors.config.linkerd.io',
      'Issuer cert-manager/linkerd-trust-root-issuer',
      'LinkerdConfig /linkerd',
      'MutatingWebhookConfiguration /linkerd-multus-webhook-config',
      'TrustAnchor /linkerd',
      'ValidatingAdmissionPolicy /linkerd-trust-anchor',
      'ValidatingAdmissionPolicy /linkerd-trust-roots',
      'ValidatingAdmissionPolicyBinding /linkerd-trust-anchor',
      'ValidatingAdmissionPolicyBinding /linkerd-trust-roots',
    ]);
  });

  it('protects objects that must outlive the operator from Argo CD, Helm and Flux', async () => {
    const objects = objectsIn((await manifests(['--rotation'])).stdout);
    const kept = objects.filter(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep');
    expect(kept.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Namespace', 'Issuer', 'Bundle', 'TrustAnchor']),
    );
    for (const { metadata } of kept) {
      expect(metadata.annotations).toMatchObject({
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      });
    }
  });

  it("derives the operator's settings from the values of the mesh, without the keys among them", async () => {
    const key = `-----BEGIN ${'EC'} PRIVATE KEY-----\nhunter2\n-----END ${'EC'} PRIVATE KEY-----\n`;
    const values = stringify({
      linkerdVersion: 'edge-26.5.1',
      identityTrustDomain: 'mesh.example',
      identity: {
        externalCA: true,
        issuer: { scheme: 'kubernetes.io/tls', issuanceLifetime: '12h0m0s', tls: { keyPEM: key } },
      },
    });
    const { stdout, code } = await manifests(['--rotation', '--cluster', 'east', '--duration', '17520h', '-f', '-'], {
      stdin: values,
    });
    expect(code).toBe(0);
    const objects = objectsIn(stdout);
    expect(objects.find(({ kind }) => kind === 'TrustAnchor')).toMatchObject({
      spec: { commonName: 'root.linkerd.mesh.example', issuanceLifetime: '12h', duration: '17520h', cluster: 'east' },
    });
    expect(JSON.stringify(objects.find(({ metadata }) => metadata.name.startsWith('linkerdconfigs')))).toContain(
      'edge-26.5.1',
    );
    expect(stdout).not.toContain('hunter2');
    expect(stdout).not.toContain('(-f)');
  });

  it.each<[name: string, args: readonly string[], header: RegExp, not: RegExp]>([
    ['no commands', [], /assumed.*\n.*kubectl get configmap linkerd-config --namespace linkerd/, /rotates|Terraform/],
    [
      'the needs of a rotation',
      ['--rotation'],
      /Terraform[\s\S]*helm upgrade[\s\S]*\(--certificates\)[\s\S]*Run first[\s\S]*secret linkerd-trust-anchor --namespace cert-manager cdk8s-linkerd\/trust-anchor=current/,
      /linkerd-previous-anchor/,
    ],
    [
      'the commands to run',
      ['--rotation', '--certificates', 'pki.yaml'],
      /Run first[\s\S]*label secret linkerd-previous-anchor --namespace cert-manager/,
      /\(--certificates\)/,
    ],
  ])('lists its assumptions above the manifests, and %s', async (_, args, header, not) => {
    const outcome = await manifests(args, { files: { 'pki.yaml': guide() } });
    expect(headerOf(outcome)).toMatch(header);
    expect(headerOf(outcome)).not.toMatch(not);
    expect(headerOf(outcome)).toMatch(/^(#.*\n)+$/);
  });

  it.each<[name: string, text: string, problems: readonly RegExp[], before?: RegExp]>([
    ["Linkerd's guide", guide(), [], /linkerd-previous-anchor/],
    ['no previous anchor', guide(bundleOf(ofSecret('linkerd-trust-anchor'))), [], /=current(?!.*previous)/],
    ['no Bundle', guide({ bundle: null }), [], /=current(?!.*previous)/],
    [
      'the labels of this library',
      guide(
        bundleOf({
          secret: { key: 'tls.crt', selector: { matchLabels: { 'cdk8s-linkerd/trust-anchor': 'current' } } },
        }),
      ),
      [],
      /^(?!.*Run first)/,
    ],
    ['an anchor without Certificate', guide({ anchor: null }), [], /secret linkerd-trust-anchor .*=current/],
    ['JSON, in several documents', `${JSON.stringify({ kind: 'Other' })}\n---\n${guide()}---\n`, []],
    ['no Certificate', guide({ issuer: null }), [/no Certificate for Secret linkerd-identity-issuer.*Terraform/]],
    ['an empty file', '', [/no Certificate for Secret/]],
    ['an empty list', 'items: []\n', [/no Certificate for Secret/]],
    ['null', 'null\n', [/no Certificate for Secret/]],
    ['a list of nulls', 'items: [null, 1, {kind: Certificate}]\n', [/no Certificate for Secret/]],
    ['a text', 'error: no resources\n--', [/pki.yaml contains no Kubernetes objects/]],
    ['invalid YAML', 'a: [', [/pki.yaml contains no Kubernetes objects/]],
    [
      'an Issuer of the namespace',
      guide({
        issuer: {
          kind: 'Certificate',
          metadata: { name: 'linkerd-identity-issuer', namespace: 'linkerd' },
          spec: { secretName: 'linkerd-identity-issuer', issuerRef: { name: 'linkerd-trust-anchor' } },
        },
      }),
      [/is signed by Issuer linkerd-trust-anchor, not by ClusterIssuer linkerd-identity-issuer/],
    ],
    [
      'an issuer outside of cert-manager',
      guide({ signer: { kind: 'ClusterIssuer', metadata: { name: 'linkerd-identity-issuer' }, spec: { vault: {} } } }),
      [/ClusterIssuer linkerd-identity-issuer does not sign with a Secret/],
    ],
    [
      'no ClusterIssuer',
      guide({ signer: null }),
      [/ClusterIssuer linkerd-identity-issuer does not sign with a Secret/],
    ],
    [
      'another Secret',
      guide({
        signer: {
          kind: 'ClusterIssuer',
          metadata: { name: 'linkerd-identity-issuer' },
          spec: { ca: { secretName: 'my-root' } },
        },
      }),
      [/signs with the Secret my-root/],
    ],
    [
      'other names of Certificates',
      guide({
        issuer: {
          kind: 'Certificate',
          metadata: { name: 'identity', namespace: 'linkerd' },
          spec: {
            secretName: 'linkerd-identity-issuer',
            issuerRef: { kind: 'ClusterIssuer', name: 'linkerd-identity-issuer' },
          },
        },
        anchor: {
          kind: 'Certificate',
          metadata: { name: 'root', namespace: 'cert-manager' },
          spec: { secretName: 'linkerd-trust-anchor' },
        },
      }),
      [
        /Certificate identity in namespace linkerd is not named linkerd-identity-issuer/,
        /Certificate root in namespace cert-manager is not named linkerd-trust-anchor/,
      ],
    ],
    [
      'other roots',
      guide(
        bundleOf(
          ofSecret('linkerd-trust-anchor'),
          ofSecret('old', 'ca.crt'),
          { inLine: 'PEM' },
          { configMap: { name: 'roots', key: 'ca.pem' } },
          { useDefaultCAs: true },
        ),
      ),
      [
        /source secret old \(key ca.crt\)/,
        /source inLine/,
        /source configMap roots \(key ca.pem\)/,
        /source useDefaultCAs/,
      ],
    ],
  ])('checks the certificates of a mesh with %s', async (_, text, problems, before = /^/) => {
    const outcome = await manifests(['--rotation', '--certificates', 'pki.yaml'], { files: { 'pki.yaml': text } });
    expect(outcome.code).toBe(problems.length === 0 ? 0 : 1);
    const lines = outcome.stderr.split('\n').filter((line) => line.startsWith('  - '));
    expect(lines).toHaveLength(problems.length);
    for (const [index, problem] of problems.entries()) expect(lines[index]).toMatch(problem);
    if (problems.length === 0) expect(headerOf(outcome).replaceAll('\n', ' ')).toMatch(before);
    else expect(outcome.stdout).toBe('');
  });

  it('refuses a rotation if Helm writes the trust roots and the issuer, and prints the rest of the operator', async () => {
    const stdin = 'identity: { issuer: { scheme: linkerd.io/tls } }\n';
    const refused = await manifests(['--rotation', '-f', '-'], { stdin });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/2 problems:[\s\S]*identity\.externalCA[\s\S]*identity\.issuer\.scheme/);
    expect((await manifests(['--config', '-f', '-'], { stdin })).code).toBe(0);
  });

  it('prints a LinkerdConfig with the values in a file, which it checks', async () => {
    const files = { 'a.yaml': 'proxy: { logLevel: debug }\n', 'b.yaml': 'proxy: { logLevl: debug }\n' };
    const { stdout } = await manifests(['--config', 'a.yaml'], { files });
    expect(objectsIn(stdout)).toContainEqual(
      expect.objectContaining({
        kind: 'LinkerdConfig',
        spec: expect.objectContaining({ values: { proxy: { logLevel: 'debug' } } }),
      }),
    );
    expect(await manifests(['--config', 'b.yaml'], { files })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('logLevl'),
    });
  });

  it.each([
    [[], 'argocd-controller,helm,helm-controller,kustomize-controller,linkerd'],
    [['--installers', 'helm,terraform'], 'helm,terraform'],
  ])('treats field managers of installers as writers of the installation: %j', async (args, managers) => {
    expect((await manifests(args)).stdout).toContain(`- --installer-field-managers=${managers}\n`);
  });

  it.each<[name: string, issuer: object, code: number]>([
    ['as in the guide', { duration: '48h0m0s', renewBefore: '25h0m0s' }, 1],
    ['long enough for proxy certificates', { duration: '120h', renewBefore: '73h' }, 0],
    ['without a duration', {}, 1],
    ['with an invalid duration', { duration: '5d', renewBefore: '3d' }, 1],
  ])('compares the lifetime of proxy certificates with an identity issuer %s', async (_, validity, code) => {
    const values = 'identity: { externalCA: true, issuer: { scheme: kubernetes.io/tls, issuanceLifetime: 72h } }';
    const spec = { secretName: 'linkerd-identity-issuer', issuerRef: OF_GUIDE, ...validity };
    const metadata = { name: 'linkerd-identity-issuer', namespace: 'linkerd' };
    const files = { values, pki: guide({ issuer: { kind: 'Certificate', metadata, spec } }) };
    const rotating = await manifests(['--rotation', '--certificates', 'pki', '-f', 'values'], { files });
    expect(rotating.code).toBe(code);
    expect(rotating.stderr).toMatch(code === 0 ? /^$/ : /of Certificate linkerd-identity-issuer|issuanceLifetime/);
    // Without a rotation, the lifetimes are irrelevant.
    expect((await manifests(['-f', 'values'], { files })).code).toBe(0);
  });

  it('prints a Bundle that an older trust-manager keeps updating', async () => {
    const { stdout } = await manifests(['--rotation', '--trust-manager-version', 'v0.12.0']);
    const bundle = objectsIn(stdout).find(({ kind }) => kind === 'Bundle') as
      | { spec?: { sources: object[] } }
      | undefined;
    expect(bundle?.spec?.sources).toEqual([{ secret: expect.anything() }]);
  });

  it('accepts objects of any shape as the certificates of a mesh', () => {
    const places = { linkerdNamespace: 'linkerd', certManagerNamespace: 'cert-manager' };
    const names = ['linkerd-identity-issuer', 'linkerd-trust-anchor', 'linkerd', 'cert-manager', 'tls.crt'];
    const any = fc.oneof(
      fc.constantFrom(...names, null, true, 1, undefined),
      fc.string({ maxLength: 3 }),
      fc.object({ maxDepth: 1 }),
    );
    const some = (keys: readonly string[], values: fc.Arbitrary<unknown> = any) =>
      fc.oneof(
        { weight: 1, arbitrary: any },
        { weight: 9, arbitrary: fc.dictionary(fc.constantFrom(...keys), values) },
      );
    const place = some(['name', 'key', 'selector']);
    const source = some(['secret', 'configMap', 'inLine'], place);
    const object = fc.record({
      kind: fc.constantFrom('Certificate', 'ClusterIssuer', 'Bundle'),
      metadata: some(['name', 'namespace']),
      spec: fc.oneof(
        fc.record({ secretName: any, issuerRef: some(['kind', 'name', 'group']) }),
        fc.record({ ca: some(['secretName']) }),
        fc.record({ sources: fc.oneof(any, fc.array(source, { maxLength: 4 })) }),
      ),
    });
    // With the names of the objects that the command reads.
    const found = fc.tuple(object, object, object).map(([issuer, signer, bundle]) => [
      {
        ...issuer,
        kind: 'Certificate',
        metadata: { namespace: 'linkerd' },
        spec: { ...issuer.spec, secretName: names[0] },
      },
      { ...signer, kind: 'ClusterIssuer', metadata: { name: names[0] } },
      { ...bundle, kind: 'Bundle', metadata: { name: 'linkerd-identity-trust-roots' } },
    ]);
    fc.assert(
      fc.property(fc.tuple(found, fc.array(object, { maxLength: 3 })), (items) => {
        const { problems, before } = checkPresent(presentObjects(JSON.stringify({ items: items.flat() })), places);
        expect([...problems.map(describeProblem), ...before].join()).not.toContain('[object');
      }),
    );
  });

  it.each<[args: readonly string[], code: number, message: RegExp]>([
    [['--cluster', 'east'], 2, /--cluster needs --rotation/],
    [['--renew-before', '1h'], 2, /--renew-before needs --rotation/],
    [['--format', 'chart'], 2, /--format chart needs --out/],
    [['--format', 'json'], 2, /Allowed choices are yaml, chart/],
    [['--release', 'edge-1.2.3'], 2, /Allowed choices are/],
    [['-f', '-', '--config', '-'], 2, /standard input can be read only once/],
    [['-f', 'none.yaml'], 2, /cannot read none.yaml/],
    [['--rotation', '--certificates', 'none.yaml'], 2, /cannot read none.yaml/],
    [
      ['--namespace', 'Ops', '--linkerd-namespace', ''],
      1,
      /2 problems:\n {2}- --namespace is "Ops".*\n {2}- --linkerd-namespace is ""/,
    ],
    [['--rotation', '--duration', '30d'], 1, /1 problem:\n {2}- --duration is "30d"/],
    [
      ['--rotation', '--duration', '48h', '--renew-before', '40h'],
      1,
      /--renew-before is 40h.*set --duration \d+h and --renew-before \d+h/,
    ],
    [['--rotation', '--duration', '1h'], 1, /--renew-before is 8760h .*set --duration 96h and --renew-before 48h/],
    [['--rotation', '--duration', '1h', '--renew-before', '1m'], 1, /set --renew-before to \d+h/],
    [['--rotation', '--duration', '4d'], 1, /"4d", which is not a duration\..*write it as 96h\. \[wrong-type\]$/m],
    [['--rotation', '--duration', 'PT2H'], 1, /write it as 2h\. \[wrong-type\]$/m],
    [['--rotation', '--duration', '100h0.0001ms'], 1, /such as 100h/],
    [['--rotation', '--cluster', 'East'], 1, /--cluster is "East"/],
    [['--installers', ''], 1, /--installers/],
    [['--cert-manager-version', 'v1.18.0'], 1, /v1\.18\.0/],
    [['--rotation', '--trust-manager-version', 'v0.9'], 1, /v0\.9/],
    [['--image', 'ghcr.io/acme/operator'], 1, /^1 problem:\n {2}- --image is "ghcr\.io\/acme\/operator"/],
    [['--multus', '-f', '-'], 1, /Multus/],
  ])('refuses %j', async (args, code, message) => {
    const outcome = await manifests(args, { stdin: '{}' });
    expect({ ...outcome, stderr: '' }).toEqual({ code, stdout: '', stderr: '' });
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stderr).not.toMatch(/Duration\b|trustAnchor|identityIssuer|installerField|set \w+ to \{/);
  });

  it.each<[args: readonly string[], values: string, isPrivileged: boolean]>([
    [[], '{}', true],
    [[], 'cniEnabled: true', false],
    [['--namespace', 'linkerd'], '{}', false],
    [['--multus'], 'cniEnabled: true, podAnnotations: { k8s.v1.cni.cncf.io/networks: linkerd-cni }', false],
    [['--rotation'], 'identity: { externalCA: true, issuer: { scheme: kubernetes.io/tls } }', false],
  ])(
    'prints the first steps, and why its namespace is privileged, if so: %j, values %j',
    async (args, values, isPrivileged) => {
      const outcome = await manifests([...args, '-f', '-'], {
        stdin: values.startsWith('{') ? values : `{ ${values} }`,
      });
      expect(outcome.stderr).toBe('');
      const header = headerOf(outcome);
      expect(header).toMatch(
        /First install the mesh\.[\s\S]*kubectl apply --server-side(?: --force-conflicts)? -f FILE/,
      );
      expect(/may be privileged, because/.test(header)).toBe(isPrivileged);
      const spaces = objectsIn(outcome.stdout).filter(({ kind }) => kind === 'Namespace');
      expect(JSON.stringify(spaces).includes('"privileged"')).toBe(isPrivileged);
    },
  );
});

describe('operator manifests --format chart', () => {
  const folderOf = async (args: readonly string[]) => {
    const folder = newFolder();
    const outcome = await manifests([...args, '--format', 'chart', '--out', folder]);
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
    return folder;
  };
  const chartOf = async (args: readonly string[]) => readChartAt(await folderOf(args));
  let rotating: Chart | undefined;
  const rendered = (chart: Chart, values: object = {}, namespace = 'default') => {
    const { objects, crds, hooks } = renderChart(chart, {
      name: 'operator',
      namespace,
      kubeVersion: 'v1.34.0',
      values: values as never,
    });
    expect(hooks).toEqual([]);
    return [...crds, ...objects].map(({ object }) => object as unknown as KubernetesObject);
  };
  const sorted = (objects: readonly KubernetesObject[]) => objects.map((object) => canonicalJson(object)).sort();

  it.each<[args: readonly string[]]>([
    [[]],
    [['--rotation', '--cluster', 'east']],
    [['--config', '--multus']],
    [
      [
        '--rotation',
        '--config',
        '--multus',
        '--namespace',
        'a1',
        '--linkerd-namespace',
        '2',
        '--cert-manager-namespace',
        'true',
      ],
    ],
    [['--namespace', 'linkerd', '--image', 'ghcr.io/acme/operator:0.1.0']],
  ])('renders by default the same as plain YAML: %j', async (args) => {
    const { stdout } = await manifests(args);
    const chart = rendered(await chartOf(args));
    expect(sorted(chart)).toEqual(sorted(objectsIn(stdout)));
  });

  it('renders the same as the command with equal choices', async () => {
    const open = await chartOf(['--rotation', '--config', '--multus']);
    const values = {
      namespace: 'ops',
      linkerdNamespace: 'mesh',
      certManagerNamespace: '1e3',
      cniNamespace: 'null',
      anchorDuration: '17520h',
      anchorRenewBefore: '4380h',
      image: 'mirror.example.com/node:24',
      replicas: 3,
      configValues: { proxy: { logLevel: 'warn,linkerd=debug', logHTTPHeaders: 'off' } },
    };
    const chart = rendered(open, values);
    const config = 'proxy: { logLevel: "warn,linkerd=debug", logHTTPHeaders: "off" }';
    const args = ['--namespace', 'ops', '--linkerd-namespace', 'mesh', '--cert-manager-namespace', '1e3'];
    const choices = ['--cni-namespace', 'null', '--duration', '17520h', '--renew-before', '4380h', '--config', 'c'];
    const { stdout, stderr } = await manifests(['--rotation', '--multus', ...args, ...choices], {
      files: { c: config },
    });
    const adapted = stdout
      .replace(/image: \S+node:\S+/, `image: ${values.image}`)
      .replace(/replicas: 2/, 'replicas: 3');
    expect(stderr).toBe('');
    expect(sorted(chart)).toEqual(sorted(objectsIn(adapted)));
  });

  it('omits a namespace that helm install creates', async () => {
    const chart = await chartOf([]);
    const kinds = (namespace: string) => rendered(chart, {}, namespace).map(({ kind }) => kind);
    expect(kinds('default')).toContain('Namespace');
    expect(kinds('linkerd-reconciler')).not.toContain('Namespace');
  });

  it.each<[values: object, message: RegExp]>([
    [{ namespace: 'Ops' }, /namespace/],
    [{ namespace: 7 }, /namespace/],
    [{ namespace: null }, /namespace/],
    [{ namespace: 'linkerd' }, /namespace and linkerdNamespace must differ/],
    [{ replicas: 0 }, /replicas/],
    [{ replicas: 'two' }, /replicas/],
    [{ anchorDuration: '10y' }, /anchorDuration/],
    [{ anchorDuration: '010000h' }, /anchorDuration/],
    [{ anchorDuration: '1h' }, /anchorDuration is 1h, and must be at least twice anchorRenewBefore/],
    [{ anchorDuration: '96h', anchorRenewBefore: '49h' }, /anchorDuration is 96h, and must be at least twice/],
    [{ anchorDuration: '2562048h' }, /292 years/],
    [{ anchorRenewBefore: '47h59m59s' }, /anchorRenewBefore is 47h59m59s, and must be at least 48h/],
    [{ anchorRenewBefore: '43800h1s' }, /must be at least twice/],
    [{ anchorRenewBefore: '-1h' }, /anchorRenewBefore/],
    [{ anchorRenewBefore: null }, /anchorRenewBefore/],
    [{ image: '' }, /image/],
    [{ image: 'Foo bar' }, /image/],
    [{ image: 'ghcr.io/acme/operator' }, /image/],
    [{ image: 'ghcr.io/acme/operator:latest' }, /image/],
    [{ image: ['a:1'] }, /image/],
    [{ imgae: 'a' }, /imgae/],
  ])('refuses the values %j', async (values, message) => {
    rotating ??= await chartOf(['--rotation']);
    const chart = rotating;
    expect(() => rendered(chart, values)).toThrow(message);
  });

  it.each([
    { anchorDuration: '96h', anchorRenewBefore: '47h59m60s' },
    { anchorDuration: '96h0m0s', anchorRenewBefore: '48h5ms' },
    { image: `localhost:5000/a/b@sha256:${'0'.repeat(64)}` },
    { image: 'node:24.1-slim' },
  ])('accepts the values %j', async (values) => {
    rotating ??= await chartOf(['--rotation']);
    const chart = rotating;
    expect(() => rendered(chart, values)).not.toThrow();
  });

  it('has a README with the first steps, and values with comments', async () => {
    const folder = await folderOf(['--rotation']);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/^# linkerd-reconciler\n[\s\S]*Terraform/);
    expect(readFileSync(join(folder, 'values.yaml'), 'utf8')).toMatch(
      /^# Namespace of the operator\.\nnamespace: linkerd-reconciler\n/,
    );
  });

  it('does not write into a folder with files, or over a file', async () => {
    const [folder, file] = [newFolder(), newFolder()];
    mkdirSync(folder);
    writeFileSync(join(folder, 'a'), '');
    writeFileSync(file, '');
    for (const [out, message] of [
      [folder, 'is not empty'],
      [file, 'is not a folder'],
    ] as const) {
      const outcome = await manifests(['--format', 'chart', '--out', out]);
      expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    }
    expect(existsSync(join(folder, 'Chart.yaml'))).toBe(false);
    const missing = newFolder();
    expect((await manifests(['--format', 'chart', '--namespace', 'Ops', '--out', missing])).code).toBe(1);
    expect(existsSync(missing)).toBe(false);
  });

  it('also writes plain YAML into a file', async () => {
    const file = newFolder();
    expect(await manifests(['--out', file])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe((await manifests([])).stdout);
  });
});
