import { ANCHOR } from '#anchor/trust-anchor';
import { LIBRARY_VERSION } from '../../gitops/synth/output/library-version';
import type { InstalledOperator } from './installed-operator';
import { labelCommand } from './present-certificates';

/** Facts for the lines above the objects of an operator. */
export interface HeaderFacts
  extends Pick<InstalledOperator, 'values' | 'rotation' | 'linkerdNamespace' | 'namespace' | 'config' | 'multus'> {
  readonly certManagerNamespace: string;
  readonly format: 'yaml' | 'chart';
  /** Commands to run first; undefined if the certificates of the mesh are unknown. */
  readonly before?: readonly string[] | undefined;
}

/** Returns the lines above the objects of an operator: assumptions about the mesh, and steps to take first. */
export function manifestsHeader(facts: HeaderFacts): readonly string[] {
  const { values, rotation, linkerdNamespace } = facts;
  return [
    `The operator of cdk8s-linkerd ${LIBRARY_VERSION} for the mesh in namespace ${linkerdNamespace}.`,
    ...purposeLines(facts),
    ...(values === undefined ? unknownValues(linkerdNamespace) : []),
    ...(rotation === undefined ? [] : rotationLines(facts)),
    ...installLines(facts),
  ];
}

/** Names in the commands that install an operator. */
export interface InstallNames {
  readonly namespace: string;
  /** The file of the objects. */
  readonly file: string;
  /** The folder of the chart, with a slash at its end. */
  readonly folder: string;
}

/** Returns the commands that install the operator. With a rotation, they take over the existing Bundle and Issuer. */
export function installCommands(
  { format, rotation }: Pick<HeaderFacts, 'format' | 'rotation'>,
  { namespace, file, folder }: InstallNames,
): readonly string[] {
  const takesOver = rotation !== undefined;
  if (format === 'yaml') return [`kubectl apply --server-side${takesOver ? ' --force-conflicts' : ''} -f ${file}`];
  const install = `helm install linkerd-reconciler ${folder} --namespace ${namespace} --create-namespace`;
  return [`kubectl apply --server-side -f ${folder}crds`, takesOver ? `${install} --take-ownership` : install];
}

function installLines({ format, rotation, namespace }: HeaderFacts): readonly string[] {
  const what =
    format === 'chart'
      ? 'Then apply the CRDs, and install the chart:'
      : 'Then apply all of this, and repeat the command if a kind is not served yet:';
  const commands = installCommands({ format, rotation }, { namespace, file: 'FILE', folder: './' });
  return ['', what, ...commands.map((line) => `  ${line}`)];
}

/** Returns the tasks of the operator, and the reason for the label of its namespace. */
function purposeLines(facts: HeaderFacts): readonly string[] {
  const { rotation, config, multus, values, namespace, linkerdNamespace } = facts;
  const tasks = [
    rotation === undefined ? [] : 'rotates the trust anchor',
    config === undefined ? [] : 'applies the values of the LinkerdConfig',
    multus ? 'attaches pods to the CNI plugin' : [],
  ].flat();
  const does = ['It restarts workloads with the label config.linkerd.io/reconcile: auto', ...tasks].join(', ');
  const isMeshed = rotation === undefined && namespace !== linkerdNamespace;
  const isPrivileged = isMeshed && !multus && values?.cniEnabled !== true;
  return [
    `${does}.`,
    'First install the mesh.',
    ...(isPrivileged
      ? [
          `Pods in namespace ${namespace} may be privileged, because the operator's pods join the mesh: without the CNI plugin,`,
          'the init container of their proxies changes iptables. With cniEnabled: true in the values, pods are restricted.',
        ]
      : []),
  ];
}

function unknownValues(namespace: string): readonly string[] {
  return [
    '',
    "The values of the mesh are unknown (-f): the values of Linkerd's guide to cert-manager are assumed. Print them with",
    `  kubectl get configmap linkerd-config --namespace ${namespace} -o jsonpath='{.data.values}'`,
  ];
}

function rotationLines({ before, linkerdNamespace, certManagerNamespace }: HeaderFacts): readonly string[] {
  return [
    '',
    'It rotates only the trust anchor of this chain:',
    `  Secret and Certificate linkerd-trust-anchor in namespace ${certManagerNamespace}`,
    '  ClusterIssuer linkerd-identity-issuer, which signs with that Secret',
    `  Certificate linkerd-identity-issuer in namespace ${linkerdNamespace}`,
    '  Bundle linkerd-identity-trust-roots of trust-manager, which the Bundle below replaces',
    'It cannot rotate keys that Helm, Terraform or `linkerd install` made: they are not Certificates of cert-manager.',
    'A release of Helm without identity.externalCA: true writes the trust roots itself, and each helm upgrade',
    'restores the old roots: change this first (docs/helm-anchor.md).',
    ...(before === undefined ? unknownCertificates(certManagerNamespace) : commands(before)),
  ];
}

function unknownCertificates(namespace: string): readonly string[] {
  return [
    '',
    'The certificates of the mesh are unknown (--certificates). To check them, print them with',
    '  kubectl get certificates,issuers,clusterissuers,bundles --all-namespaces -o yaml',
    ...commands([labelCommand(ANCHOR, namespace)]),
    'and the same with =previous for each other Secret that the present Bundle names.',
  ];
}

function commands(before: readonly string[]): readonly string[] {
  if (before.length === 0) return [];
  return [
    '',
    'Run first: only by this label, the new Bundle finds the roots that the mesh trusts:',
    ...before.map((line) => `  ${line}`),
  ];
}
