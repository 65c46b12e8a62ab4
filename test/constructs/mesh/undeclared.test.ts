import { ApiObject, App, Chart, YamlOutputType } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Reference } from '#kubernetes/objects/references';
import { LinkerdControlPlane } from '#lib/constructs/control-plane/linkerd-control-plane';
import { LinkerdCrds } from '#lib/constructs/control-plane/linkerd-crds';
import { LinkerdMesh, type LinkerdMeshProps } from '#lib/constructs/mesh';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import { CertManagerPKI } from '#lib/constructs/pki/cert-manager-pki';
import { type IssuerReference, TrustAnchor } from '#lib/constructs/pki/trust-anchor';
import { TrustBundle } from '#lib/constructs/pki/trust-bundle';
import { TrustManager } from '#lib/constructs/pki/trust-manager';
import type { DashboardTls } from '#lib/constructs/viz/dashboard-tls';
import { DashboardIngress } from '#lib/constructs/viz/ingress';
import { Prometheus } from '#lib/constructs/viz/prometheus';
import { Viz } from '#lib/constructs/viz/viz';
import { Cluster, type ClusterProps } from '#lib/gitops/tree/cluster';
import { declareReferences } from '#lib/gitops/tree/references';
import { temporaryDirectory } from '../../gitops/synth/output/tree-on-disk';
import { sampled } from '../../support/depth';
import { printing } from '../../support/plain-app';
import { synthCluster } from '../../support/synth-cluster';

const directory = temporaryDirectory();
const monitoring = { namespace: 'monitoring' };
const URL = 'http://prometheus.monitoring:9090';
const HTTP_ROUTES: Reference = { kind: 'CustomResourceDefinition', name: 'httproutes.gateway.networking.k8s.io' };

type Build = (scope: Construct) => void;

/** Returns the codes of the findings in a cluster. */
function inCluster(build: Build, props: ClusterProps = {}): readonly string[] {
  const cluster = new Cluster(new App(), 'home', props);
  build(cluster);
  return synthCluster(cluster).findings.map(({ problem: { code } }) => code);
}

/** Returns the codes of the findings that an App of cdk8s prints or throws. */
function inApp(build: Build): readonly string[] {
  const app = new App({ outdir: directory.path, yamlOutputType: YamlOutputType.FILE_PER_CHART });
  build(new Chart(app, 'mesh'));
  const { printed } = printing(() => app.synth());
  return [...printed.matchAll(/\[([\w-]+)\]$/gm)].flatMap(([, code]) => code ?? []);
}

/** Creates the parts of a mesh without `LinkerdMesh`. */
function parts(scope: Construct, props: Partial<ConstructorParameters<typeof LinkerdControlPlane>[2]> = {}) {
  const certManager = new CertManager(scope, 'cert-manager');
  const trustManager = new TrustManager(scope, 'trust-manager', { certManager });
  const pki = new CertManagerPKI(scope, 'pki', { certManager });
  const trust = new TrustBundle(scope, 'trust', { pki, trustManager });
  return new LinkerdControlPlane(scope, 'linkerd', { pki, trust, ...props });
}

const CLUSTER_ISSUER = { apiVersion: 'cert-manager.io/v1', kind: 'ClusterIssuer' };
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  spec: {
    group: 'gateway.networking.k8s.io',
    scope: 'Namespaced',
    names: { plural: 'httproutes', kind: 'HTTPRoute' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const AWS = 'awspca.cert-manager.io';
const asking = { viz: { prometheus: Prometheus.fromUrl({ url: URL }) } };
const monitors = { podMonitor: { enabled: true } };

function unscraped(scope: Construct, props: LinkerdMeshProps = {}, lines?: readonly string[]) {
  new LinkerdMesh(scope, 'mesh', { ...asking, ...props });
  for (const [index, line] of (lines ?? []).entries()) {
    const metadata = { namespace: 'linkerd', name: `config-${index}` };
    const data = { 'prometheus.yml': `scrape_configs: [{ ${line} }]` };
    new ApiObject(scope, `config-${index}`, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as object as never);
  }
}

/** A mesh with an external issuer, and declarations of external objects. */
function vault(issuer: IssuerReference, ...external: readonly Reference[]): Build {
  return (scope) => {
    declareReferences(scope, { external });
    const trustAnchor = TrustAnchor.fromClusterIssuer({ ...issuer, roots: { secretName: 'root' } });
    new LinkerdMesh(scope, 'mesh', { pki: { trustAnchor } });
  };
}

function dashboard(scope: Construct, tls: DashboardTls) {
  const ingress = DashboardIngress.nginx({ host: 'linkerd.example.com', tls });
  new LinkerdMesh(scope, 'mesh', { viz: { prometheus: Prometheus.embedded(), ingress } });
}

const ROUTES = { 'a cluster': inCluster, 'a plain App': inApp };

type Case = [what: string, build: Build, isFound: boolean];

describe.each(Object.entries(ROUTES))('in %s,', (_name, find) => {
  const some = (cases: readonly Case[]) => (find === inApp ? sampled(cases) : cases);
  const found = (build: Build, code: string) => find(build).includes(code);

  test.each(
    some([
      ['LinkerdMesh', (scope) => new LinkerdMesh(scope, 'mesh'), true],
      ['LinkerdMesh with CRDs', (scope) => new LinkerdMesh(scope, 'mesh', { crds: { gatewayApi: 'install' } }), false],
      ['a control plane', (scope) => parts(scope), true],
      ['existing CRDs', (scope) => parts(scope, { crds: LinkerdCrds.fromExisting(scope, 'crds') }), true],
      [
        'existing CRDs, those of the Gateway API among them',
        (scope) => parts(scope, { crds: LinkerdCrds.fromExisting(scope, 'crds', { gatewayApi: 'existing' }) }),
        false,
      ],
      ['Linkerd 2.14', (scope) => new LinkerdMesh(scope, 'mesh', { version: 'stable-2.14.10' }), false],
      [
        'a declaration that comes later',
        (scope) => {
          new LinkerdMesh(scope, 'mesh');
          declareReferences(scope, { external: [HTTP_ROUTES] });
        },
        false,
      ],
      [
        'a CRD of the Gateway API',
        (scope) => {
          new LinkerdMesh(scope, 'mesh');
          new ApiObject(scope, 'crd', { ...CRD, metadata: { name: HTTP_ROUTES.name } } as object as never);
        },
        false,
      ],
    ]),
  )('synth detects whether the CRDs of the Gateway API are undeclared with %s', (_what, build, expected) => {
    expect(found(build, 'gateway-api-undeclared')).toBe(expected);
  });

  test.each(
    some([
      ['a mesh', (scope) => unscraped(scope), true],
      ['a mesh with monitors', (scope) => new LinkerdMesh(scope, 'mesh', { ...asking, monitoring }), false],
      ["the chart's own monitors", (scope) => new LinkerdMesh(scope, 'mesh', { ...asking, values: monitors }), false],
      [
        "the chart's own monitors, inflated by Argo CD",
        (scope) => new LinkerdMesh(scope, 'mesh', { ...asking, values: monitors, delivery: 'helm' }),
        false,
      ],
      ['monitors of the operator alone', (scope) => unscraped(scope, { operator: { monitoring } }), true],
      ['a separate Viz', (scope) => new Viz(scope, 'viz', { controlPlane: parts(scope), ...asking.viz }), true],
      ['a scrape configuration', (scope) => unscraped(scope, {}, ['job_name: linkerd-proxy']), false],
      ['another ConfigMap', (scope) => unscraped(scope, {}, ['job_name: node', 'name: linkerd-proxy']), true],
      ['Viz with its own Prometheus', (scope) => new LinkerdMesh(scope, 'mesh'), false],
    ]),
  )('synth detects whether a Prometheus scrapes the mesh: %s', (_what, build, expected) => {
    expect(found(build, 'mesh-unscraped')).toBe(expected);
  });

  test.each(
    some([
      ['that is not declared', vault({ name: 'vault' }), true],
      ['of the control plane namespace', vault({ name: 'vault', kind: 'Issuer' }), true],
      ['of another project', vault({ name: 'ca', kind: 'AWSPCAClusterIssuer', group: AWS }), true],
      ['that is declared', vault({ name: 'vault' }, { kind: 'ClusterIssuer', name: 'vault' }), false],
      [
        'of another project that is declared',
        vault(
          { name: 'ca', kind: 'AWSPCAClusterIssuer', group: AWS },
          { kind: 'CustomResourceDefinition', name: `awspcaclusterissuers.${AWS}` },
        ),
        false,
      ],
      [
        'that is declared in another namespace',
        vault({ name: 'vault', kind: 'Issuer' }, { kind: 'Issuer', namespace: 'shop', name: 'vault' }),
        true,
      ],
      [
        'that is emitted',
        (scope) => {
          vault({ name: 'vault' })(scope);
          const spec = { selfSigned: {} };
          new ApiObject(scope, 'vault', { ...CLUSTER_ISSUER, metadata: { name: 'vault' }, spec } as object as never);
        },
        false,
      ],
      ['of the dashboard', (scope) => dashboard(scope, { clusterIssuer: 'public' }), true],
      ["of the dashboard's namespace", (scope) => dashboard(scope, { issuer: 'public' }), true],
      [
        'of the dashboard that is declared',
        (scope) => {
          declareReferences(scope, { external: [{ kind: 'ClusterIssuer', name: 'public' }] });
          dashboard(scope, { clusterIssuer: 'public' });
        },
        false,
      ],
      ['that the mesh makes', (scope) => new LinkerdMesh(scope, 'mesh'), false],
    ]),
  )('synth detects whether an issuer is undeclared: one %s', (_what, build, expected) => {
    const codes = find(build).filter((code) => code === 'reference-missing' || code === 'issuer-undeclared');
    expect(codes).toHaveLength(expected ? 1 : 0);
  });
});
