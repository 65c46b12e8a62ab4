import { ensureNamespace, HelmRelease, Platform } from '#lib';
import { synthesize } from '#lib/testing';
import { chartFolder, PINNED } from './widgets-chart';

const CHART_YAML = 'apiVersion: v2\nname: widgets\nversion: 1.2.3\n';
const ROLE =
  'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: { name: "*" }\nroleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }\nsubjects: [{ kind: Group, apiGroup: rbac.authorization.k8s.io, name: "system:unauthenticated" }]\n';
const map = (metadata: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a${metadata} }\n`;

interface Declared {
  readonly kinds?: readonly string[];
  readonly foreignNamespaces?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

function render(text: string, { kinds = ['/ConfigMap'], foreignNamespaces = [], files = {} }: Declared = {}) {
  const charts = chartFolder({ 'Chart.yaml': CHART_YAML, 'templates/a.yaml': text, ...files });
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', charts });
  platform.addCluster('home', {}, (home) => {
    ensureNamespace(home, 'shop');
    const chart = { ...PINNED, kinds, foreignNamespaces } as never;
    new HelmRelease(home, 'widgets', { chart, namespace: 'shop' });
  });
  return synthesize(platform).cluster('home');
}

test.each([
  ['an object', map(', namespace: kube-system'), 'ConfigMap kube-system/a'],
  [
    'an object in a List',
    `apiVersion: v1\nkind: List\nitems: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: kube-system } }]\n`,
    'ConfigMap kube-system/a',
  ],
  [
    'a Namespace',
    'apiVersion: v1\nkind: Namespace\nmetadata: { name: kube-system, labels: { pod-security.kubernetes.io/enforce: privileged } }\n',
    'Namespace kube-system',
  ],
])('synth refuses output of a chart outside of its declared namespaces: %s', (_, text, objects) => {
  const kinds = ['/ConfigMap', '/Namespace'];
  render(text, { kinds }).hasFinding('chart-exceeds-declaration', { objects, namespaces: "'kube-system'" });
});

test('synth checks objects of subcharts, too, and reports all problems at once', () => {
  const files = {
    'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
    'charts/sub/templates/a.yaml': ROLE,
  };
  const home = render(map(', namespace: kube-system'), { files });
  home.hasFinding('chart-exceeds-declaration', { objects: 'ClusterRoleBinding *' });
  home.hasFinding('chart-exceeds-declaration', { objects: 'ConfigMap kube-system/a' });
});

test.each(['tracking-id: "other:apps/Deployment:x/y"', 'installation-id: other'])(
  'synth refuses a chart that claims an object of another Application: %s',
  (annotation) => {
    render(map(`, annotations: { argocd.argoproj.io/${annotation} }`)).hasFinding('chart-claims-object', {
      objects: 'ConfigMap shop/a',
    });
  },
);

test.each([
  'sync-options: "Replace=true,Force=true"',
  'sync-wave: "-100"',
  'hook: PreSync',
  'compare-options: IgnoreExtraneous',
])('synth reports a chart with an annotation for syncs by Argo CD: %s', (annotation) => {
  render(map(`, annotations: { argocd.argoproj.io/${annotation} }`)).hasFinding('chart-steers-sync', {
    objects: 'ConfigMap shop/a',
  });
});
