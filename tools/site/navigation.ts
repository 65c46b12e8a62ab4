/** A group of pages in the navigation. */
export interface NavigationGroup {
  readonly title: string;
  /** Markdown files of the repository, in reading order. */
  readonly pages: readonly string[];
}

/** The order of all pages. A test fails for a page that is not listed; listed files that do not exist are ignored. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: 'Start here',
    pages: [
      'README.md',
      'docs/README.md',
      'docs/start-here.md',
      'docs/overview.md',
      'docs/takeover.md',
      'docs/lint.md',
      'docs/helm-anchor.md',
      'docs/comparison.md',
      'docs/faq.md',
    ],
  },
  {
    title: 'How to',
    pages: [
      'docs/fleets.md',
      'docs/multicluster.md',
      'docs/policy.md',
      'docs/canary.md',
      'docs/openshift.md',
      'docs/air-gapped.md',
      'docs/charts.md',
      'docs/in-a-construct-of-your-own.md',
      'docs/diff.md',
      'docs/report.md',
      'docs/status.md',
      'docs/upgrading.md',
      'docs/operator.md',
      'docs/moving-roots.md',
      'docs/operations.md',
    ],
  },
  {
    title: 'Something is wrong',
    pages: ['docs/doctor.md', 'docs/troubleshooting.md', 'docs/alerts.md', 'docs/emergency.md'],
  },
  { title: 'Explanation', pages: ['docs/pki.md', 'docs/trust-anchor.md', 'docs/security.md'] },
  {
    title: 'Reference',
    pages: [
      'docs/reference/findings.md',
      'docs/reference/consequences.md',
      'docs/reference/alerts.md',
      'docs/reference/metrics.md',
      'docs/reference/mistakes.md',
      'docs/reference/permissions.md',
      'docs/reference/releases.md',
      'docs/reference/intended-differences.md',
      'docs/reference/api.md',
      'docs/packaging.md',
      'docs/versioning.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
    ],
  },
];

/** The folder of decisions, which the navigation lists by number. */
export const DECISIONS = 'docs/adr';

/** Short titles for the navigation. */
export const SHORT_TITLES: Readonly<Record<string, string>> = {
  'README.md': 'At a glance',
  'docs/overview.md': 'Overview',
  'docs/README.md': 'Find by question',
  'docs/start-here.md': 'Start here',
  'docs/reference/api.md': 'API at a glance',
};

/** The family of a folder that FAMILIES does not list: a test fails for it. */
export const NO_FAMILY = 'Other';

/** The families of the reference, in order, by folder of the library; a subfolder belongs to the nearest listed folder. */
export const FAMILIES: Readonly<Record<string, string>> = {
  'gitops/platform': 'Platform and clusters',
  'gitops/tree': 'Platform and clusters',
  'gitops/synth': 'Platform and clusters',
  'gitops/changes': 'Platform and clusters',
  'constructs/fleet': 'Platform and clusters',
  constructs: 'The whole mesh',
  'constructs/control-plane': 'Control plane',
  'constructs/pki': 'Certificates and trust',
  'constructs/multicluster': 'Multicluster',
  'constructs/policy': 'Policy',
  'constructs/viz': 'Viz',
  'constructs/tracing': 'Tracing',
  'constructs/multus': 'Multus',
  'constructs/meshing': 'Workloads',
  'constructs/recipes': 'Recipes (cdk8s-linkerd/recipes)',
  'constructs/operator': 'Operator',
  'constructs/rotation': 'Operator',
  'gitops/testing': 'Testing (cdk8s-linkerd/testing)',
  'gitops/argocd': 'Argo CD',
  'gitops/charts': 'Charts and values',
  checks: 'Findings',
  'packages/kubernetes': 'Kubernetes',
  'packages/kubernetes/findings': 'Findings',
  'packages/linkerd': 'Kubernetes',
  'packages/linkerd/charts': 'Charts and values',
  'packages/linkerd/releases': 'Charts and values',
  'packages/base': 'Kubernetes',
  'packages/base/findings': 'Findings',
  'packages/anchor': 'Certificates and trust',
  operator: 'Operator',
  imports: 'Generated types',
};
