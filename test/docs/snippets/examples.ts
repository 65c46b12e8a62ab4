import type { Item } from '#tools/site/reference/items';
import type { Snippet } from './pages';

/** The names that examples may use, each with the code that declares it. */
const GIVEN = new Map([
  ['certManager', "new CertManager(home, 'given-cert-manager')"],
  ['trustManager', "new TrustManager(home, 'given-trust-manager', { certManager })"],
  ['pki', "new CertManagerPKI(home, 'given-pki', { certManager })"],
  ['trust', "new TrustBundle(home, 'given-trust', { pki, trustManager })"],
  [
    'controlPlane',
    "new LinkerdControlPlane(home, 'given-linkerd', { pki, trust, cni, crds: { gatewayApi: 'install' }, monitoring })",
  ],
  ['cni', "new LinkerdCni(home, 'given-cni')"],
  ['monitoring', "{ namespace: 'monitoring' }"],
  ['viz', "new Viz(home, 'given-viz', { controlPlane, prometheus: Prometheus.embedded() })"],
  ['operator', "new ReconcilerOperator(home, 'given-operator', { controlPlane, monitoring })"],
  ['prometheus', "Clients.serviceAccount({ namespace: 'monitoring', name: 'prometheus' })"],
  [
    'meshing',
    "((made) => { made.namespace('shop'); return made; })(new Meshing(home, 'given-meshing', { controlPlane }))",
  ],
  ...['web', 'api', 'database', 'backup'].map((name) => [
    name,
    `new Deployment(home, 'given-${name}', { metadata: { namespace: 'shop', name: '${name}' }, containers: [{ image: 'ghcr.io/example/${name}:1.0.0', portNumber: 8080 }], serviceAccount: new ServiceAccount(home, 'given-account-${name}', { metadata: { namespace: 'shop', name: '${name}' } }) })`,
  ]),
  ['shop', "new Service(home, 'given-shop', { metadata: { namespace: 'shop', name: 'shop' }, ports: [{ port: 80 }] })"],
  [
    'ingress',
    "new ApiObject(home, 'given-ingress', { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { namespace: 'shop', name: 'web' }, spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }] } }] } })",
  ],
] as [string, string][]);

/** Objects that clusters of examples get from elsewhere. */
const EXTERNAL = `[${[
  ...[
    'analysistemplates.argoproj.io',
    'applicationsets.argoproj.io',
    'appprojects.argoproj.io',
    'middlewares.traefik.io',
    'network-attachment-definitions.k8s.cni.cncf.io',
    'podmonitors.monitoring.coreos.com',
    'prometheusrules.monitoring.coreos.com',
  ].map((name) => `Reference.crd('${name}')`),
  ...['web', 'web-stable', 'web-canary'].map((name) => `{ kind: 'Service', namespace: 'shop', name: '${name}' }`),
  "Reference.clusterIssuer('vault')",
  "Reference.serviceAccount('monitoring/prometheus')",
  "{ kind: 'ServiceAccount', namespace: 'argo-rollouts', name: 'argo-rollouts' }",
].join(', ')}]`;

const PLATFORM = "const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });";
const HOME = `${PLATFORM.replace(' });', ", acknowledge: { 'certificate-alerts-missing': 'an example' } });")} platform.addCluster('home', {}, (home) => { new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'install' } }); });`;

/** A cluster that shares its trust anchor with another cluster. */
const LINKED = `${PLATFORM} const meshOf = (cluster: Cluster, other: string) => new LinkerdMesh(cluster, 'mesh',
  { crds: { gatewayApi: 'existing' }, operator: {}, pki: { trustDomain: 'mesh.example.com', trustAnchor: {
  duration: Duration.days(3650), renewBefore: Duration.days(365), rotation: 'operator',
  operator: { cluster: cluster.name, members: [other] } } } });
  const gateway = { addresses: ['gateway.example.com'] };
  const west = platform.addCluster('west', { destination: { name: 'west' } }, (cluster) => {
    const { controlPlane } = meshOf(cluster, 'east'); new Multicluster(cluster, 'multicluster', { controlPlane, gateway });
  });
  platform.addCluster('east', { destination: { name: 'east' } }, (east) => { const home = east; ensureNamespace(east, 'shop'); const { controlPlane } = meshOf(east, 'west');`;

const uses = (text: string, name: string): boolean => new RegExp(`(?<![.'\\w-])${name}\\b(?!:)`).test(text);
const declares = (text: string, name: string): boolean => new RegExp(`^\\s*const ${name}\\b`, 'm').test(text);

/** The declarations of the given names that a text uses, in the order of their dependencies. */
function givenFor(text: string, declared: ReadonlySet<string> = new Set()): readonly string[] {
  const found = new Map<string, string>();
  const visit = (code: string) => {
    for (const [name, value] of GIVEN) {
      if (found.has(name) || declared.has(name) || declares(text, name) || !uses(code, name)) continue;
      visit(value);
      found.set(name, `const ${name} = ${value};`);
    }
  };
  visit(text);
  return [...found.values()];
}

/** A program that synthesizes an example. */
function programOf(example: string): string {
  if (declares(example, 'platform')) return example;
  if (/\(platform\)|\bplatform\.addCluster/.test(example)) return `${HOME}\n${example}\nplatform.run();`;
  if (uses(example, 'east')) {
    const multicluster = declares(example, 'multicluster')
      ? ''
      : "const multicluster = new Multicluster(east, 'multicluster', { controlPlane, gateway });";
    const given = givenFor(example, new Set(['controlPlane'])).join(' ');
    return `${LINKED} ${multicluster} ${given}\n${example}\n});\nplatform.run();`;
  }
  const given = givenFor(example).join(' ');
  return `${PLATFORM} platform.addCluster('home', { external: ${EXTERNAL} }, (home) => { for (const name of ['argocd', 'jobs', 'orders', 'shop', 'traefik']) ensureNamespace(home, name); ${given}\n${example}\n});\nplatform.run();`;
}

/** The examples in docstrings of exported items: programs, and fragments if they read files. */
export function examplesIn(items: readonly Item[]): readonly Snippet[] {
  return items.flatMap(({ name, doc, members }) =>
    [
      ...(doc?.examples ?? []).map((text) => ({ place: name, text })),
      ...members.flatMap((member) =>
        (member.doc?.examples ?? []).map((text) => ({ place: `${name}.${member.name}`, text })),
      ),
    ].map(({ place, text }) => {
      const readsFiles = text.includes('ChartFolder.at(');
      return {
        page: `example of ${place}`,
        line: 0,
        language: 'ts',
        words: readsFiles ? ['fragment'] : ['example'],
        text: readsFiles ? text : programOf(text),
      };
    }),
  );
}
