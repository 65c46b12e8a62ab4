import { type Command, Option } from 'commander';
import { CHART_NAMES } from '#linkerd/renderers/chart-names';
import type { MigrateOptions } from './migrate-command';
import type { MigrateFolderOptions } from './migrate-folder';
import { EXIT_CODES, Misuse, type Terminal } from './terminal';
import { addValuesOptions } from './values-options';

const MIGRATE_HELP = `
Pass the output of "helm get values", with or without --all, or the file of the tool that installs the charts: HelmRelease
of Flux, Application and ApplicationSet of Argo CD, HelmChart of k3s, helmfile, helm_release of Terraform, or the values
of a chart that depends on Linkerd's. All parts of a mesh, in one or several files, become one program. The command
refuses values that the files read from other sources. Without --release, the release is that of the images in the
values, or that of the charts. Warnings on standard error name omitted values, such as private keys.

In folders, the command reads the same files, the values files to which they refer, kustomizations with patches,
umbrella charts, certificates, issuers and bundles, and namespaces with a proxy. If the files lack a value, a comment in
the program names the command that prints it. Each cluster has its own program: --cluster selects the folder. On
standard error, the command compares the findings of "lint" in the files, in those that stay, and in the output of the
program.
${EXIT_CODES}`;

interface MigrateCommand {
  readonly terminal: Terminal;
  readonly end: (code: number) => void;
  readonly release: Option;
}

/** Adds the command that turns values, or a repository, into a program. */
export function addMigrate(program: Command, { terminal, end, release }: MigrateCommand): void {
  addValuesOptions(program.command('migrate'))
    .description('print a TypeScript program with typed constructs that replaces Helm values, or a whole repository')
    .argument('[paths...]', 'folders of a repository, in place of -f')
    .addOption(
      new Option('--chart <chart>', 'chart that the values are for')
        .choices(CHART_NAMES)
        .default('linkerd-control-plane'),
    )
    .addOption(release)
    .option('-n, --namespace <namespace>', 'namespace of the Helm release (default: the usual one)')
    .option('--existing-cert-manager', 'use the cert-manager and trust-manager that the cluster already has')
    .option('--new-anchor', 'no mesh runs yet: let cert-manager create the trust anchor if the values have none')
    .addHelpText('after', MIGRATE_HELP)
    .option(
      '--cluster <folder>',
      'with folders: one of several clusters, by its folder, file or name in an ApplicationSet',
    )
    .option('--out <file>', 'with folders: file for the program (default: standard output)')
    .action(async (paths: readonly string[], options: MigrateOptions & MigrateFolderOptions, command: Command) => {
      const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
      checkOptions(paths, isGiven);
      const isReleaseGiven = isGiven('release');
      if (paths.length === 0) {
        const { migrate } = require('./migrate-command') as typeof import('./migrate-command');
        end(await migrate(options, terminal, isReleaseGiven));
      } else {
        const { migratePaths } = require('./migrate-folder') as typeof import('./migrate-folder');
        end(migratePaths(paths, options, { terminal, isReleaseGiven }));
      }
    });
}

/** The options on the command line, by their names in commander. */
const OF_FILES = {
  values: '-f',
  set: '--set',
  setString: '--set-string',
  setFile: '--set-file',
  setJson: '--set-json',
  chart: '--chart',
  namespace: '-n',
};
const OF_FOLDERS = { cluster: '--cluster', out: '--out' };

/** @throws Misuse for options of values with folders, and for options of folders without them */
function checkOptions(paths: readonly string[], isGiven: (name: string) => boolean): void {
  const others = Object.entries(paths.length > 0 ? OF_FILES : OF_FOLDERS);
  const [name, option] = others.find(([each]) => isGiven(each)) ?? [];
  if (paths.length > 0 && name !== undefined) {
    throw new Misuse(`${option} cannot be combined with folders: the values are in the repository`);
  }
  if (name === 'out') throw new Misuse('--out is for a repository: redirect standard output to the file: > linkerd.ts');
  if (name !== undefined) throw new Misuse(`${option} is for a repository: name its folders`);
}
