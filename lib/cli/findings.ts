import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';
import { shellWord } from '#base/shell-word';

const CANNOT_EXTEND = 'Scripts and packages cannot be added to it';
const CORRECT_PACKAGE_JSON = 'correct package.json, or name another folder';

const NAME_ANOTHER = 'name another folder for the output: --path linkerd';
const ONE_PROGRAM = 'The command does not overwrite programs, and a second program would write another output';
const EDIT_PROGRAM = 'edit the existing program, or name another folder';

const hasNoChart = ({ release, chart }: Named<'release' | 'chart'>) => `${release} has no chart ${chart}`;

const NOT_TRUSTED =
  'Running proxies do not trust a new anchor: meshed pods could connect neither to pods that restart nor to the control plane';
const fillIn = ({ command }: Named<'command'>) =>
  `replace the TODO in the generated code, which synth refuses, with the PEM of the anchor in use, which \`${command}\` prints; if the mesh is not installed yet, migrate with --new-anchor`;

const LACKS_VALUES = 'A program without these values would install another mesh';

/** Findings about the command line, except comparisons of two outputs. */
export const CLI_FINDINGS = catalogue({
  'file-unreadable/manifest': {
    severity: 'error',
    what: ({ reason }: Named<'reason'>) => `The manifest is not valid YAML: ${reason}`,
    why: 'kubectl, Argo CD and Flux refuse the whole file, or apply other objects than intended',
    fix: 'correct the line',
  },
  'private-key-found/file': {
    severity: 'error',
    what: ({ file }: Named<'file'>) => `${file} has a private key`,
    why: 'Everyone who can read the repository, or its history, would have the key',
    fix: 'remove it, replace the key where it is in use, and let cert-manager create keys in the cluster',
  },
  'file-unreadable/values': {
    severity: 'error',
    what: ({ file, reason }: Named<'file' | 'reason'>) => `${file} is not a values file: ${reason}`,
    why: 'Helm cannot read the file, or reads other values',
    fix: 'write one YAML document that is a map of values',
  },
  'file-unreadable/objects': {
    severity: 'error',
    what: ({ file, reason }: Named<'file' | 'reason'>) => `${file} contains no Kubernetes objects: ${reason}`,
    why: 'The certificates of the mesh cannot be checked',
    fix: 'pass the output of `kubectl get certificates,issuers,clusterissuers,bundles --all-namespaces -o yaml`',
  },
  'file-unreadable/package-json': {
    severity: 'error',
    what: ({ message }: Named<'message'>) => `package.json is not JSON: ${message}`,
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
    what: ({ field }: Named<'field'>) => `package.json: ${field} is not a map of strings`,
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
    what: ({ release, chart }: Named<'release' | 'chart'>) => `The chart ${chart} of ${release} cannot be rendered`,
    why: 'It has no service mirrors: `linkerd multicluster link` installs each from a separate chart',
    fix: 'choose an edge release',
  },
  'value-ignored/release': {
    severity: 'note',
    what: ({ path, release }: Named<'path' | 'release'>) => `${path} is not a value of ${release}`,
    why: 'Helm ignores it, so it has no effect',
    fix: ({ known }: Named<'known'>) => `remove it, or render a release that has it, such as ${known}`,
  },
  'value-ignored/removed': {
    severity: 'note',
    what: ({ path, release, known }: Named<'path' | 'release' | 'known'>) =>
      `${path} is no longer a value: ${release} lacks it, ${known} had it`,
    why: 'Helm ignores it, so it has no effect',
    fix: 'remove it',
  },
  'value-ignored/certificate': {
    severity: 'note',
    what: ({ path }: Named<'path'>) => `${path} is set, and the program leaves it out`,
    why: 'CertManagerPKI has cert-manager issue the certificate, and the chart reads it from a Secret',
    fix: 'no action is needed, unless another tool depends on the value',
  },
  'value-ignored/pod-security-policy': {
    severity: 'note',
    what: ({ path }: Named<'path'>) => `${path} is set, and the program leaves it out`,
    why: 'Kubernetes 1.25 removed PodSecurityPolicy; the namespaces have the labels of the Pod Security Standards',
    fix: 'no action is needed, unless another tool depends on the value',
  },
  'values-not-rendered': {
    severity: 'error',
    what: ({ reason }: Named<'reason'>) => `The values cannot be rendered: ${reason}`,
    why: 'The renderer does not support values of this form',
    fix: 'remove values one by one to find the value that fails, and report it',
  },
  'chart-not-pulled': {
    severity: 'error',
    what: ({ reason }: Named<'reason'>) => `The chart was not downloaded: ${reason}`,
    why: 'No file was written, because a chart without its archive cannot be rendered',
    fix: 'check the name, the version and the URL of the repository; for a private repository, download the archive with `helm pull`, and add it with `cdk8s-linkerd charts add`',
  },
  'chart-archive-refused/digest': {
    severity: 'error',
    what: ({ file, digest, known }: Named<'file' | 'digest' | 'known'>) =>
      `The digest of ${file} is ${digest}, but the lock file has ${known}`,
    why: 'The content of the chart changed under the same version, by accident or by an attacker',
    fix: 'compare both archives; if the new one is right, pull or add it with --force, and otherwise restore the old one from Git',
  },
  'chart-archive-refused/missing': {
    severity: 'error',
    what: ({ name, version }: Named<'name' | 'version' | 'repository'>) =>
      `The lock file lists ${name} ${version}, but its archive is missing`,
    why: 'The chart cannot be rendered',
    // `charts add` writes the name of the file as the repository.
    fix: ({ name, version, repository }: Named<'name' | 'version' | 'repository'>) =>
      `restore the archive from Git, get it again: \`cdk8s-linkerd charts ${repository.includes('://') ? `pull ${name} ${version} --repo ${repository}` : `add ${repository}`}\`, or remove the entry from the lock file`,
    cases: [{ repository: 'https://URL' }, { repository: 'FILE' }],
  },
  'chart-archive-refused/partial': {
    severity: 'error',
    what: ({ file }: Named<'file'>) => `${file} is an incomplete file of a killed process`,
    why: 'Its chart may be missing from the lock file',
    fix: 'run the command of that process again, which also deletes the file; if the process still runs, wait until it ends',
  },
  'chart-archive-refused/published': {
    severity: 'error',
    what: ({ file, digest, published }: Named<'file' | 'digest' | 'published'>) =>
      `The digest of ${file} is ${digest}, and that of the published archive is ${published}`,
    why: 'The archive differs from the one that the publisher of the chart released under this version',
    fix: 'pull the chart again from its publisher; give a chart of your own another version',
  },
  'chart-archive-refused/unlisted': {
    severity: 'error',
    what: ({ file }: Named<'file'>) => `The lock file has no entry for ${file}`,
    why: 'It is unknown where the archive is from, and whether it has changed',
    fix: ({ file }: Named<'file'>) =>
      `pull the chart again, add it with \`cdk8s-linkerd charts add ${file}\`, or delete it`,
  },
  'outdir-refused/not-empty': {
    severity: 'error',
    what: ({ folder }: Named<'folder'>) => `The folder "${folder}", where the output would be written, is not empty`,
    why: 'Argo CD applies all manifests in the folder of the output, so the folder must contain no other files',
    fix: NAME_ANOTHER,
  },
  'outdir-refused/of-cdk8s': {
    severity: 'error',
    what: ({ folder }: Named<'folder'>) => `The output would be in "${folder}", which \`cdk8s synth\` empties`,
    why: '`cdk8s synth` deletes everything in its own output folder (output of cdk8s.yaml): the output of this program needs another folder',
    fix: NAME_ANOTHER,
  },
  'outdir-refused/of-project': {
    severity: 'error',
    what: ({ folder }: Named<'folder'>) => `The output would be in "${folder}", which contains files of the project`,
    why: 'Argo CD applies all manifests in the folder of the output, so the folder must contain no other files',
    fix: NAME_ANOTHER,
  },
  'outdir-refused/elsewhere': {
    severity: 'error',
    what: ({ path, actual }: Named<'path' | 'actual'>) =>
      `path is "${path}", but the output is in ${actual} of the repository`,
    why: 'Argo CD would find no manifests at this path',
    fix: ({ actual }: Named<'actual'>) => `remove --path, or write --path ${actual}`,
  },
  'outdir-refused/program': {
    severity: 'error',
    what: 'The folder already contains a program that uses cdk8s-linkerd',
    why: ONE_PROGRAM,
    fix: EDIT_PROGRAM,
  },
  'outdir-refused/names': {
    severity: 'error',
    what: ({ files }: Named<'files'>) => `The folder already contains ${files}`,
    why: ONE_PROGRAM,
    fix: EDIT_PROGRAM,
  },
  'pipeline-not-at-root': {
    severity: 'error',
    what: ({ folder, ci }: Named<'folder' | 'ci'>) => `The folder is ${folder} of its repository, and --ci is ${ci}`,
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
    what: ({ secret }: Named<'secret'>) =>
      `The values do not contain the trust anchor of the mesh: the program assumes that of the Secret ${secret} in cert-manager's namespace`,
    why: 'Running proxies do not trust another anchor',
    fix: ({ secret }: Named<'secret'>) =>
      `check that the Secret exists: \`kubectl get secret -n cert-manager\`; and label it: \`kubectl label -n cert-manager secret/${shellWord(secret)} cdk8s-linkerd/trust-anchor=current\`. Use TrustAnchor.fromPem or fromClusterIssuer if the key of the anchor is elsewhere`,
  },
  'anchor-not-migrated/issuer': {
    severity: 'note',
    what: ({ issuer }: Named<'issuer'>) =>
      `values.identityTrustAnchorsPEM becomes an anchor in PEM, which needs the ClusterIssuer ${issuer}`,
    why: 'Running proxies do not trust another anchor, and cert-manager can renew the identity issuer only with the key of the anchor, which the values do not contain',
    fix: 'create that ClusterIssuer from the key that signed the identity issuer, or name another one',
  },
  'anchor-not-migrated/expired': {
    severity: 'note',
    what: ({ subject, date }: Named<'subject' | 'date'>) =>
      `The trust anchor ${subject} in values.identityTrustAnchorsPEM expired on ${date}`,
    why: 'Identity refuses issuers of this anchor: without another anchor, proxies get no certificates',
    fix: 'migrate with the anchor that the mesh uses now, or replace the anchor first, as in https://linkerd.io/2-edge/tasks/replacing_expired_certificates/',
  },
  'anchor-not-migrated/intermediate': {
    severity: 'note',
    what: ({ subject, issuer }: Named<'subject' | 'issuer'>) =>
      `The certificate ${subject} in values.identityTrustAnchorsPEM is an intermediate: ${issuer} signed it`,
    why: 'Proxies trust it like a root, but it usually expires before the certificate of its issuer, and the mesh stops with it',
    fix: ({ issuer }: Named<'issuer'>) =>
      `keep it while it signs the identity issuer; to trust ${issuer} instead, add the intermediate to the chain of the identity issuer first`,
  },
  'release-refused/elsewhere': {
    severity: 'error',
    what: ({ place }: Named<'place'>) => `${place} takes values from another source`,
    why: LACKS_VALUES,
    fix: 'migrate the merged values of the release, which `helm get values RELEASE -n NAMESPACE` prints, or write the values in its place',
  },
  'release-refused/template': {
    severity: 'error',
    what: ({ place }: Named<'place'>) => `${place} contains a template`,
    why: LACKS_VALUES,
    fix: 'write the value in the place of the template, or migrate what `helm get values RELEASE -n NAMESPACE` prints',
  },
  'release-refused/not-values': {
    severity: 'error',
    what: ({ place }: Named<'place'>) => `${place} is not a map of values in YAML`,
    why: LACKS_VALUES,
    fix: 'correct the values',
  },
  'release-refused/twice': {
    severity: 'error',
    what: ({ chart, place, other }: Named<'chart' | 'place' | 'other'>) =>
      `The values of ${chart} are in ${other} and in ${place}`,
    why: 'A cluster has one release of the chart, and the values of clusters differ',
    fix: 'migrate the files of one cluster at a time',
  },
  'release-refused/no-chart': {
    severity: 'error',
    what: ({ place }: Named<'place'>) => `No release of a chart of Linkerd is in ${place}`,
    why: LACKS_VALUES,
    fix: 'pass a values file, the output of `helm get values`, or the file of the tool that installs linkerd-control-plane, linkerd-viz, linkerd2-cni, linkerd-crds, linkerd-multicluster or linkerd-jaeger',
  },
  'release-refused/values-file': {
    severity: 'error',
    what: ({ file, chart }: Named<'file' | 'chart'>) =>
      `${file} seems to contain values of ${chart}, but no release in the folder uses the file`,
    why: 'The command reads the folders of releases: without a release, it cannot tell which files contain the values of the chart',
    fix: ({ file, chart }: Named<'file' | 'chart'>) =>
      `pass the values file: cdk8s-linkerd migrate --chart ${chart} -f ${shellWord(file)}`,
  },
  'release-refused/no-construct': {
    severity: 'error',
    what: ({ chart, release }: Named<'chart' | 'release'>) => `No construct installs ${chart} of ${release}`,
    why: 'The library has service mirrors only for edge releases',
    fix: 'pass another --release, or leave the values of the chart out',
  },
  'cluster-refused/several': {
    severity: 'error',
    what: ({ folders }: Named<'folders' | 'first'>) => `The meshes of ${folders} differ`,
    why: 'One program is for one cluster: the values of one would change the mesh of another',
    fix: ({ first }: Named<'folders' | 'first'>) =>
      `choose one: --cluster ${shellWord(first)}, and run the command again for each of the others`,
  },
  'cluster-refused/unknown': {
    severity: 'error',
    what: ({ cluster }: Named<'cluster' | 'folders'>) =>
      `${cluster} is neither the folder of a cluster nor its name in an ApplicationSet`,
    why: 'The command finds clusters by the folders, or the elements of lists, that install the same chart',
    fix: ({ folders }: Named<'cluster' | 'folders'>) =>
      folders === '' ? 'leave --cluster out: there is one cluster' : `choose one of ${folders}`,
  },
  'not-migrated/chart': {
    severity: 'note',
    what: ({ place, chart }: Named<'place' | 'chart'>) =>
      `${place} installs ${chart === '' ? 'a chart without a name' : `the chart ${chart}`}, which the program leaves out`,
    why: 'It is not a chart of Linkerd',
    fix: 'use CertManager, TrustManager or HelmRelease for it',
  },
  'not-migrated/object': {
    severity: 'note',
    what: ({ place, kind, name }: Named<'place' | 'kind' | 'name'>) =>
      `${place} is ${kind} ${name}, which the program leaves out`,
    why: 'It contains no values of a chart',
    fix: 'do nothing, or add the object to the program',
  },
  'not-migrated/setting': {
    severity: 'note',
    what: ({ place }: Named<'place'>) => `The program leaves out ${place}`,
    why: 'No prop of the program can set it',
    fix: 'check whether the program needs something in its place',
  },
  'not-migrated/patch': {
    severity: 'note',
    what: ({ place }: Named<'place'>) => `${place} is a patch that the command cannot apply`,
    why: 'The patch may change values of a release, or a certificate, and the program does not contain the change',
    fix: 'compare the program with the output of `kustomize build`',
  },
  'not-migrated/unread': {
    severity: 'note',
    what: ({ place }: Named<'place' | 'command'>) => `${place}: the command cannot read the value`,
    why: 'The value is a template or a reference, so the program uses the default of the chart',
    fix: ({ command }: Named<'place' | 'command'>) => `set the value that \`${command}\` prints`,
  },
  'not-migrated/manifest': {
    severity: 'note',
    what: ({ place, kind, name, reason }: Named<'place' | 'kind' | 'name' | 'reason'>) =>
      `${place}: ${kind} ${name}: ${reason}`,
    why: 'No prop of the program can set it',
    fix: 'check whether the program needs it; an object can stay a manifest',
  },
  'not-migrated/policies': {
    severity: 'note',
    what: ({ place, kinds }: Named<'place' | 'kinds'>) =>
      `${place}: policies and profiles of Linkerd stay manifests: ${kinds}`,
    why: 'The program creates the mesh, and these objects belong to its workloads',
    fix: 'do nothing: Argo CD or Flux applies them together with the output of the program; Policies is the construct for them',
  },
  'not-migrated/rendered': {
    severity: 'note',
    what: ({ place, objects }: { place: string; objects: number }) =>
      `${place}: the files contain ${objects === 1 ? 'an object' : `${objects} objects`} that charts of Linkerd rendered`,
    why: 'Constructs create these objects from values',
    fix: 'remove them when the output of the program is applied',
  },
  'not-migrated/webhook-ca': {
    severity: 'note',
    what: ({ path }: Named<'path'>) => `The program leaves out ${path}`,
    why: 'CertManagerPKI issues the certificates of webhooks, and cert-manager injects their CA',
    fix: 'delete the Secret of the earlier certificate if cert-manager did not create it; otherwise do nothing',
  },
  'not-migrated/chart-version': {
    severity: 'note',
    what: ({ place, chart, version }: Named<'place' | 'chart' | 'version'>) =>
      `${place} installs version ${version} of ${chart}`,
    why: ({ release }: Named<'release'>) =>
      `The program is for ${release}: values, custom resources and images differ between releases`,
    fix: ({ release }: Named<'release'>) => `if the cluster does not run ${release}, pass its release with --release`,
  },
  'not-migrated/manager-version': {
    severity: 'note',
    what: ({ place, chart, version, own }: Named<'place' | 'chart' | 'version' | 'own'>) =>
      `${place} installs version ${version} of ${chart}, and the program installs ${own}`,
    why: 'The library does not support the version that you have',
    fix: ({ chart, own, others }: Named<'chart' | 'own' | 'others'>) =>
      `upgrade ${chart} to ${own} before you apply the output of the program, or set another supported version: ${others}`,
  },
  'not-migrated/tempo': {
    severity: 'note',
    what: 'The values of linkerd-jaeger become JaegerToTempo, which needs a Grafana Tempo',
    why: 'The library installs neither Jaeger nor a collector',
    fix: 'replace the TODOs in the generated code, which synth refuses, with the Service and the ServiceAccount of Tempo',
  },
  'not-migrated/secret': {
    severity: 'note',
    what: ({ path, secret }: Named<'path' | 'secret'>) => `${path} contains ${secret}, which the program leaves out`,
    why: 'Programs are kept in Git, where everyone who can read the repository can read the secret',
    fix: 'let cert-manager issue private keys in the cluster, and keep credentials in a Secret outside of Git; replace a secret that was in Git',
  },
  'not-migrated/version': {
    severity: 'note',
    what: ({ version }: Named<'version'>) => `values.linkerdVersion is "${version}", and the program leaves it out`,
    why: ({ release }: Named<'release'>) =>
      `The program is for ${release}: values, custom resources and images differ between releases`,
    fix: ({ version, release }: Named<'version' | 'release'>) =>
      `check what changed between ${version} and ${release}, or pass another --release`,
  },
});
