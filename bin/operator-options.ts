import { type Command, Option } from 'commander';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import type { ManifestsOptions } from './operator-command';
import { EXIT_CODES, type Terminal } from './terminal';
import { addValuesOptions } from './values-options';

const MANIFESTS_HELP = `
Pass the values of the installed control plane. With any installer, ConfigMap linkerd-config contains them:
"kubectl get configmap linkerd-config -n linkerd -o jsonpath='{.data.values}'" prints them. Without values, the command
assumes those of Linkerd's guide to cert-manager. It ignores keys in the values.

With --rotation, the operator rotates the trust anchor, if cert-manager issues it and trust-manager writes the roots,
with the names of Linkerd's guide. With --certificates, the command checks these names, and refuses others. The output
begins with its assumptions, and with the commands to run first.

A chart has values for namespaces, image, replicas, rotation and --config. Its CRDs are in crds/, which Helm does not
upgrade: apply them with kubectl.
${EXIT_CODES}`;

/** Adds the command that prints the operator for a mesh that another program installed. */
export function addOperator(program: Command, terminal: Terminal, end: (code: number) => void): void {
  const operator = program.command('operator').description('run the operator in a mesh that another program installed');
  addValuesOptions(operator.command('manifests'))
    .description('print the manifests of the operator for an installed mesh, or write a Helm chart of them')
    .option('-n, --namespace <namespace>', 'namespace of the operator', 'linkerd-reconciler')
    .option('--linkerd-namespace <namespace>', "namespace of Linkerd's control plane", 'linkerd')
    .option('--cert-manager-namespace <namespace>', 'namespace of cert-manager', 'cert-manager')
    .option(
      '--cert-manager-version <version>',
      'release of cert-manager, or the nearest older known one (default: v1.21.1)',
    )
    .option(
      '--trust-manager-version <version>',
      'release of trust-manager, or the nearest older known one (default: v0.24.0)',
    )
    .addOption(
      new Option('--release <release>', 'Linkerd release (default: that of the values, else the newest)').choices(
        LINKERD_VERSIONS,
      ),
    )
    .option('--rotation', 'rotate the trust anchor')
    .option('--certificates <file>', 'certificates of the mesh, to check their names; "-" for standard input')
    .option('--duration <duration>', 'validity of the next anchors (default: 87600h)')
    .option('--renew-before <duration>', 'time from the replacement of an anchor to its expiry (default: 8760h)')
    .option('--cluster <name>', 'name of the cluster among the clusters that share its anchor')
    .option('--config [file]', 'also print a LinkerdConfig, with the values in this file')
    .option(
      '--installers <managers>',
      'field managers that install the control plane, separated by commas (default: those of Argo CD, Flux, Helm and linkerd)',
      (text: string) => text.split(','),
    )
    .option('--multus', 'attach pods to the CNI plugin through Multus')
    .option('--cni-namespace <namespace>', 'namespace of the CNI plugin', 'linkerd-cni')
    .option('--image <reference>', 'image of the operator (default: a Node.js image with the program in a ConfigMap)')
    .addOption(new Option('--format <format>', 'format of the output').choices(['yaml', 'chart']).default('yaml'))
    .option('--out <path>', 'file to write, or the new folder of the chart (default: standard output)')
    .addHelpText('after', MANIFESTS_HELP)
    .action(async (options: ManifestsOptions) => {
      const { operatorManifests } = require('./operator-command') as typeof import('./operator-command');
      end(await operatorManifests(options, terminal));
    });
}
