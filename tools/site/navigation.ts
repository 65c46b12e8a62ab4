/** A group of pages in the navigation. */
export interface NavigationGroup {
  readonly title: string;
  /** Markdown files of the repository, in the order in which they are read. */
  readonly pages: readonly string[];
}

/** The order of all pages. A test fails for a file that is not here; what is here and is no file is passed over. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: 'Begin',
    pages: [
      'README.md',
      'docs/README.md',
      'docs/start-here.md',
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
      'docs/air-gapped.md',
      'docs/diff.md',
      'docs/report.md',
      'docs/packaging.md',
    ],
  },
  {
    title: 'Run',
    pages: [
      'docs/operations.md',
      'docs/upgrading.md',
      'docs/trust-anchor.md',
      'docs/moving-roots.md',
      'docs/operator.md',
      'docs/security.md',
      'docs/troubleshooting.md',
    ],
  },
  {
    title: 'Look up',
    pages: [
      'docs/findings.md',
      'docs/releases.md',
      'docs/versioning.md',
      'docs/intended-differences.md',
      'docs/seeds.md',
      'docs/api.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
    ],
  },
];

/** The folder of decisions, which are listed by their numbers. */
export const DECISIONS = 'docs/adr';

/** Titles that are too long for the navigation, in short. */
export const SHORT_TITLES: Readonly<Record<string, string>> = {
  'README.md': 'Overview',
  'docs/seeds.md': 'Where it comes from',
  'docs/README.md': 'By question',
  'docs/start-here.md': 'Start here',
  'docs/api.md': 'API at a glance',
};

/** The family of a room that nobody has put into one: a test fails for it. */
export const NO_FAMILY = 'Others';

/** The families of the reference, by room of the library, in their order. */
export const FAMILIES: Readonly<Record<string, string>> = {
  platform: 'Platform and clusters',
  tree: 'Platform and clusters',
  synth: 'Platform and clusters',
  mesh: 'The whole mesh',
  'control-plane': 'Control plane',
  pki: 'Certificates and trust',
  fleet: 'Platform and clusters',
  multicluster: 'Multicluster',
  policy: 'Policy',
  viz: 'Viz',
  tracing: 'Tracing',
  multus: 'Multus',
  workloads: 'Workloads',
  operator: 'Operator',
  rotation: 'Operator',
  argocd: 'Argo CD',
  charts: 'Charts and values',
  releases: 'Charts and values',
  kubernetes: 'Kubernetes',
  checks: 'Findings',
  problems: 'Findings',
  imports: 'Generated types',
};
