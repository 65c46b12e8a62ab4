/** A group of pages in the navigation. */
export interface NavigationGroup {
  readonly title: string;
  /** Markdown files of the repository, in the order in which they are read. */
  readonly pages: readonly string[];
}

/** The order of all pages. A test fails for a file that is not here; what is here and is no file is passed over. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: 'Get started',
    pages: [
      'README.md',
      'docs/README.md',
      'docs/start-here.md',
      'docs/overview.md',
      'docs/takeover.md',
      'docs/from-the-blog.md',
      'docs/comparison.md',
      'docs/faq.md',
    ],
  },
  {
    title: 'Build',
    pages: [
      'docs/fleets.md',
      'docs/multicluster.md',
      'docs/policy.md',
      'docs/canary.md',
      'docs/pki.md',
      'docs/openshift.md',
      'docs/charts.md',
      'docs/air-gapped.md',
      'docs/diff.md',
      'docs/report.md',
      'docs/status.md',
      'docs/in-a-construct-of-your-own.md',
      'docs/packaging.md',
    ],
  },
  {
    title: 'Run',
    pages: [
      'docs/operations.md',
      'docs/alerts.md',
      'docs/upgrading.md',
      'docs/trust-anchor.md',
      'docs/emergency.md',
      'docs/moving-roots.md',
      'docs/operator.md',
      'docs/security.md',
      'docs/doctor.md',
      'docs/troubleshooting.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'docs/reference/findings.md',
      'docs/reference/releases.md',
      'docs/versioning.md',
      'docs/reference/intended-differences.md',
      'docs/seeds.md',
      'docs/reference/api.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
    ],
  },
];

/** The folder of decisions, which are listed by their numbers. */
export const DECISIONS = 'docs/adr';

/** Titles that are too long for the navigation, in short. */
export const SHORT_TITLES: Readonly<Record<string, string>> = {
  'README.md': 'At a glance',
  'docs/overview.md': 'Overview',
  'docs/seeds.md': 'Guides behind it',
  'docs/README.md': 'Find by question',
  'docs/start-here.md': 'Start here',
  'docs/reference/api.md': 'API at a glance',
};

/** The family of a room without one: a test fails for it. */
export const NO_FAMILY = 'Other';

/** The families of the reference, by folder of the library, in their order; a folder belongs to that of the nearest one. */
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
  'linkerd/charts': 'Charts and values',
  'linkerd/releases': 'Charts and values',
  kubernetes: 'Kubernetes',
  linkerd: 'Kubernetes',
  checks: 'Findings',
  findings: 'Findings',
  charts: 'Charts and values',
  'kubernetes/findings': 'Findings',
  'packages/base': 'Kubernetes',
  'packages/base/findings': 'Findings',
  'packages/anchor': 'Certificates and trust',
  operator: 'Operator',
  imports: 'Generated types',
};
