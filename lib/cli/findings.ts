import { catalogue } from '#base/findings/catalogue';
import { shellWord } from '#base/shell-word';

const CANNOT_EXTEND = 'Scripts and packages cannot be added to it';
const CORRECT_PACKAGE_JSON = 'correct package.json, or name another folder';

const NAME_ANOTHER = 'name another folder for the output: --path linkerd';
const ONE_PROGRAM = 'The command overwrites no program, and a second one would write another output';
const EDIT_PROGRAM = 'edit the existing program, or name another folder';

const hasNoChart = ({ release, chart }: { release: string; chart: string }) => `${release} has no chart ${chart}`;

const NOT_TRUSTED =
  'Running proxies do not trust a new anchor: meshed pods could connect neither to pods that restart nor to the control plane';
const fillIn = ({ command }: { command: string }) =>
  `replace the TODO in the generated code, which synth refuses, with the PEM of the anchor in use, which \`${command}\` prints; if the mesh is not installed yet, migrate with --new-anchor`;

/** Findings about the command line, except comparisons of two outputs. */
export const CLI_FINDINGS = catalogue({
  'file-unreadable/values': {
    severity: 'error',
    what: ({ file, reason }: { file: string; reason: string }) => `${file} is not a values file: ${reason}`,
    why: 'Helm cannot read it, or reads something else',
    fix: 'write one YAML document that is a map of values',
  },
  'file-unreadable/package-json': {
    severity: 'error',
    what: ({ message }: { message: string }) => `package.json is not JSON: ${message}`,
    why: CANNOT_EXTEND,
    fix: CORRECT_PACKAGE_JSON,
  },
  'file-unreadable/package-json-map': {
    severity: 'error',
    what: 'package.json does not contain a map',
    why: CANNOT_EXTEND,
    fix: CORRECT_PACKAGE_JSON,
  },
  'file-unreadable/package-json-field': {
    severity: 'error',
    what: ({ field }: { field: string }) => `package.json: ${field} is not a map of strings`,
    why: CANNOT_EXTEND,
    fix: CORRECT_PACKAGE_JSON,
  },
  'chart-not-in-release/jaeger': {
    severity: 'error',
    what: hasNoChart,
    why: 'Tracing is part of its control plane, and is configured by the values of the control plane',
    fix: 'render linkerd-control-plane with proxy.tracing, or choose a release that has the chart, such as stable-2.14.10',
  },
  'chart-not-in-release/multicluster': {
    severity: 'error',
    what: hasNoChart,
    why: 'Its chart has no service mirrors: `linkerd multicluster link` installs each from a chart of its own',
    fix: 'choose an edge release',
  },
  'value-ignored/release': {
    severity: 'note',
    what: ({ path, release }: { path: string; release: string }) => `${path} is not a value of ${release}`,
    why: 'Helm ignores it, so it has no effect',
    fix: ({ known }: { known: string }) => `remove it, or render a release that has it, such as ${known}`,
  },
  'value-ignored/certificate': {
    severity: 'note',
    what: ({ path }: { path: string }) => `${path} is set, and the program leaves it out`,
    why: 'CertManagerPKI has cert-manager issue the certificate, and the chart reads it from a Secret',
    fix: 'no action is needed, unless something else depends on the value',
  },
  'value-ignored/pod-security-policy': {
    severity: 'note',
    what: ({ path }: { path: string }) => `${path} is set, and the program leaves it out`,
    why: 'Kubernetes 1.25 removed PodSecurityPolicy; the namespaces have the labels of the Pod Security Standards',
    fix: 'no action is needed, unless something else depends on the value',
  },
  'values-not-rendered': {
    severity: 'error',
    what: ({ reason }: { reason: string }) => `The values cannot be rendered: ${reason}`,
    why: 'The renderer does not support values of this form',
    fix: 'remove values one by one to find the one that fails, and report it',
  },
  'chart-not-pulled': {
    severity: 'error',
    what: ({ reason }: { reason: string }) => `The chart was not downloaded: ${reason}`,
    why: 'Nothing was written, because a chart without its archive cannot be rendered',
    fix: 'check the name, the version and the URL of the repository; for a private repository, download the archive with `helm pull`, and add it with `charts add`',
  },
  'chart-archive-refused/digest': {
    severity: 'error',
    what: ({ file, digest, known }: { file: string; digest: string; known: string }) =>
      `The digest of ${file} is ${digest}, but the lock file has ${known}`,
    why: 'The content of the chart changed under the same version, by accident or by an attacker',
    fix: 'compare both archives; if the new one is right, pull or add it with --force, and otherwise restore the old one from Git',
  },
  'chart-archive-refused/missing': {
    severity: 'error',
    what: ({ name, version }: { name: string; version: string; repository: string }) =>
      `The lock file lists ${name} ${version}, but its archive is missing`,
    why: 'The chart cannot be rendered',
    fix: ({ name, version, repository }: { name: string; version: string; repository: string }) =>
      `restore the archive from Git, pull it again: \`charts pull ${name} ${version} --repo ${repository}\`, or remove the entry from the lock file`,
  },
  'chart-archive-refused/partial': {
    severity: 'error',
    what: ({ file }: { file: string }) => `${file} is part of a file that a killed process was writing`,
    why: 'Its chart may be missing from the lock file',
    fix: 'run that command again, which also deletes the file; if it is still running, wait until it ends',
  },
  'chart-archive-refused/published': {
    severity: 'error',
    what: ({ file, digest, published }: { file: string; digest: string; published: string }) =>
      `The digest of ${file} is ${digest}, and that of the published archive is ${published}`,
    why: 'The archive is not what the publisher of the chart released under this version',
    fix: 'pull the chart again from its publisher; give a chart of your own another version',
  },
  'chart-archive-refused/unlisted': {
    severity: 'error',
    what: ({ file }: { file: string }) => `The lock file has no entry for ${file}`,
    why: 'Nothing shows where the archive is from, or whether it has changed',
    fix: ({ file }: { file: string }) => `pull the chart again, add it with \`charts add ${file}\`, or delete it`,
  },
  'outdir-refused/not-empty': {
    severity: 'error',
    what: ({ folder }: { folder: string }) => `The folder "${folder}", where the output would be written, is not empty`,
    why: 'Argo CD applies all manifests in the folder of the output: it needs a folder of its own',
    fix: NAME_ANOTHER,
  },
  'outdir-refused/of-cdk8s': {
    severity: 'error',
    what: ({ folder }: { folder: string }) => `The output would be in "${folder}", which \`cdk8s synth\` empties`,
    why: '`cdk8s synth` deletes everything in its own output folder (output of cdk8s.yaml): the output of this program needs another one',
    fix: NAME_ANOTHER,
  },
  'outdir-refused/of-project': {
    severity: 'error',
    what: ({ folder }: { folder: string }) => `The output would be in "${folder}", which contains files of the project`,
    why: 'Argo CD applies all manifests in the folder of the output: it needs a folder of its own',
    fix: NAME_ANOTHER,
  },
  'outdir-refused/elsewhere': {
    severity: 'error',
    what: ({ path, actual }: { path: string; actual: string }) =>
      `path is "${path}", but the output is in ${actual} of the repository`,
    why: 'Argo CD would find no manifests there',
    fix: ({ actual }: { actual: string }) => `remove --path, or write --path ${actual}`,
  },
  'outdir-refused/program': {
    severity: 'error',
    what: 'The folder already contains a program that uses cdk8s-linkerd',
    why: ONE_PROGRAM,
    fix: EDIT_PROGRAM,
  },
  'outdir-refused/names': {
    severity: 'error',
    what: ({ files }: { files: string }) => `The folder already contains ${files}`,
    why: ONE_PROGRAM,
    fix: EDIT_PROGRAM,
  },
  'pipeline-not-at-root': {
    severity: 'error',
    what: ({ folder, ci }: { folder: string; ci: string }) =>
      `The folder is ${folder} of its repository, and --ci is ${ci}`,
    why: 'CI systems read their files only at the root of a repository',
    fix: 'write --ci none, and add the steps of examples/ci to the pipeline of the repository',
  },
  'anchor-not-migrated/missing': {
    severity: 'note',
    what: 'The values have no trust anchor: neither identityTrustAnchorsPEM nor identity.externalCA is set',
    why: NOT_TRUSTED,
    fix: fillIn,
  },
  'anchor-not-migrated/unreadable': {
    severity: 'note',
    what: 'values.identityTrustAnchorsPEM does not contain certificates in PEM, and the program leaves it out',
    why: NOT_TRUSTED,
    fix: fillIn,
  },
  'anchor-not-migrated/external': {
    severity: 'note',
    what: 'values.identity.externalCA is true: the values do not show where the trust anchor of the mesh is',
    why: ({ secret }: { secret: string }) =>
      `Running proxies do not trust another anchor. The program assumes the Secret ${secret} in cert-manager's namespace, as in Linkerd's guide`,
    fix: ({ secret }: { secret: string }) =>
      `check that the Secret is there: \`kubectl get secret -n cert-manager\`; and label it: \`kubectl label -n cert-manager secret/${shellWord(secret)} cdk8s-linkerd/trust-anchor=current\`. Use TrustAnchor.fromPem or fromClusterIssuer if the key of the anchor is elsewhere`,
  },
  'anchor-not-migrated/issuer': {
    severity: 'note',
    what: ({ issuer }: { issuer: string }) =>
      `values.identityTrustAnchorsPEM becomes an anchor in PEM, which needs the ClusterIssuer ${issuer}`,
    why: 'Running proxies do not trust another anchor, and cert-manager can renew the identity issuer only with the key of the anchor, which the values do not contain',
    fix: 'create that ClusterIssuer from the key that signed the identity issuer, or name another one',
  },
  'not-migrated/secret': {
    severity: 'note',
    what: ({ path, secret }: { path: string; secret: string }) =>
      `${path} contains ${secret}, which the program leaves out`,
    why: 'Programs are kept in Git, where everyone who can read the repository can read the secret',
    fix: 'let cert-manager issue private keys in the cluster, and keep credentials in a Secret outside of Git; replace a secret that was in Git',
  },
  'not-migrated/version': {
    severity: 'note',
    what: ({ version }: { version: string }) => `values.linkerdVersion is "${version}", and the program leaves it out`,
    why: ({ release }: { release: string }) =>
      `The program is for ${release}: values, custom resources and images differ between releases`,
    fix: ({ version, release }: { version: string; release: string }) =>
      `check what changed between ${version} and ${release}, or pass another --release`,
  },
});
