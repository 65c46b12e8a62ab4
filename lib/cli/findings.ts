import { catalogue } from '../../operator/api/kubernetes/catalogue';

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
    what: ({ reason }: { reason: string }) => `package.json ${reason}`,
    why: 'Scripts and packages cannot be added to it',
    fix: 'correct package.json, or name another folder',
  },
  'chart-not-in-release': {
    severity: 'error',
    what: ({ release, chart }: { release: string; chart: string }) => `${release} has no chart ${chart}`,
    why: ({ reason }: { reason: string }) => reason,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'value-ignored/release': {
    severity: 'note',
    what: ({ path, release }: { path: string; release: string }) => `${path} is not a value of ${release}`,
    why: 'Helm ignores it, so it has no effect',
    fix: ({ known }: { known: string }) => `remove it, or render a release that has it, such as ${known}`,
  },
  'value-ignored/program': {
    severity: 'note',
    what: ({ path }: { path: string }) => `${path} is set, and the program leaves it out`,
    why: ({ reason }: { reason: string }) => reason,
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
      `The digest of ${file} is ${digest}, and the lock names ${known}`,
    why: 'The content of the chart changed under the same version, by accident or by an attacker',
    fix: 'compare both archives; if the new one is right, pull or add it with --force, and otherwise restore the old one from Git',
  },
  'chart-archive-refused/missing': {
    severity: 'error',
    what: ({ name, version }: { name: string; version: string; repository: string }) =>
      `The lock names ${name} ${version}, and its archive is missing`,
    why: 'The chart cannot be rendered',
    fix: ({ name, version, repository }: { name: string; version: string; repository: string }) =>
      `restore the archive from Git, pull it again: \`charts pull ${name} ${version} --repo ${repository}\`, or remove the entry`,
  },
  'chart-archive-refused/partial': {
    severity: 'error',
    what: ({ file }: { file: string }) => `${file} is part of a file that a killed process was writing`,
    why: 'Its chart may be missing from the lock',
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
    what: ({ file }: { file: string }) => `The lock has no entry for ${file}`,
    why: 'Nothing shows where the archive is from, and whether it changed',
    fix: ({ file }: { file: string }) => `pull the chart again, add it with \`charts add ${file}\`, or delete it`,
  },
  'outdir-refused/taken': {
    severity: 'error',
    what: ({ folder, reason }: { folder: string; reason: string }) => `The output's folder "${folder}" ${reason}`,
    why: 'The output needs a folder of its own: Argo CD applies all manifests in it, and `cdk8s synth` deletes what is in its own output folder',
    fix: 'name another folder for the output: --path linkerd',
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
    what: ({ found }: { found: string }) => `The folder already contains ${found}`,
    why: 'The command overwrites no program, and a second one would write another output',
    fix: 'edit the existing program, or name another folder',
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
    what: ({ reason }: { reason: string }) => `values have no usable trust anchor: ${reason}`,
    why: 'Running proxies do not trust a new anchor: meshed pods could connect neither to pods that restart nor to the control plane',
    fix: ({ command }: { command: string }) =>
      `replace the TODO in the generated code, which synth refuses, with the PEM of the present anchor, which \`${command}\` prints; or migrate with --new-anchor if the mesh is not installed yet`,
  },
  'anchor-not-migrated/external': {
    severity: 'note',
    what: 'values.identity.externalCA is true: the values do not show where the trust anchor of the mesh is',
    why: ({ secret }: { secret: string }) =>
      `Running proxies do not trust another anchor. The program assumes the Secret ${secret} in cert-manager's namespace, as in Linkerd's guide`,
    fix: ({ secret }: { secret: string }) =>
      `check that the Secret is there: \`kubectl get secret -n cert-manager\`; and label it: \`kubectl label secret -n cert-manager ${secret} cdk8s-linkerd/trust-anchor=current\`. Use TrustAnchor.fromPem or fromClusterIssuer if the key of the anchor is elsewhere`,
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
