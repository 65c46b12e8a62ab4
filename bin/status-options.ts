import { type Command, InvalidArgumentError, Option } from 'commander';
import { STATUS_FORMATS } from '#lib/review/status/formats/formats';
import type { StatusOptions } from './status-command';
import { EXIT, type Terminal } from './terminal';
import { wholeNumber } from './whole-number';

const HELP = `
The command reads the clusters of an output with kubectl, in the contexts of your kubeconfig. It reports each difference
from the output, with its time, its consequences and a fix. It sends only GET requests, except with --drift, and reads
no Secret. The context of a cluster has the same name, unless --context or "context" in the fleet file sets another one.
A cluster that does not answer is one finding; the command still reads the others.

The command needs no output. It can compare manifests of other programs in a folder with one cluster: that of --context,
else of the context with the folder's name, else of the current one. Without manifests, it reads one cluster alone.

With --wait, the command is the gate of a promotion: it exits with ${EXIT.done} as soon as no cluster has errors. When the
time is over, it prints the reasons and exits with ${EXIT.refused}. --promote only prints a command, for you or your pipeline.

Exit codes: ${EXIT.done} no errors, ${EXIT.refused} errors, ${EXIT.misuse} misuse.`;

/** Adds the command that reports the state of live clusters. */
export function addStatus(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('status')
    .description('report where live clusters differ from an output: syncs, releases, proxies, certificates, rotations')
    .option('--from <folder>', 'output, or manifests of one cluster (default: dist, if it exists)')
    .option('--ring <ring>', 'read only the clusters of this ring')
    .option('--only <cluster...>', 'read only these clusters')
    .option(
      '--context <pairs...>',
      'contexts of clusters in the kubeconfig: CLUSTER=CONTEXT; without an output, one context',
    )
    .option('--fleet <file>', 'file with contexts of clusters (default: fleet.yaml, if it exists)')
    .option(
      '--argocd-context <context>',
      'context of the cluster of Argo CD (default: that of the in-cluster destination)',
    )
    .addOption(new Option('--through <reader>', 'read only the Applications of Argo CD').choices(['argocd']))
    .option('--commit <commit>', 'commit that all Applications should be at, or at least its first 7 digits', commitOf)
    .addOption(new Option('--format <format>', 'format of the status').choices(STATUS_FORMATS).default('text'))
    .option('--out <file>', 'file to write, "-" for standard output', '-')
    .option('--timeout <duration>', 'maximum time for one cluster', '2m')
    .option('--at-once <count>', 'number of clusters to read at once', wholeNumber(1), 8)
    .option('--max-pages <count>', 'maximum size of one list, in pages of 250 objects', wholeNumber(1), 100)
    .option('--drift', 'compare objects with a dry run of an apply, which requires the permission to patch them')
    .option('--wait <duration>', 'read again until no cluster has errors, for at most this time')
    .option(
      '--soak <duration>',
      'with --wait: the required time without errors in any cluster (default: that of the ring)',
    )
    .option(
      '--promote',
      'with --ring and --wait: print the command that promotes the output of this ring to the next ring',
    )
    .option('--kubectl <program>', 'kubectl program to run', 'kubectl')
    .addHelpText('after', HELP)
    .action(async (options: StatusOptions) => {
      const { status } = require('./status-command') as typeof import('./status-command');
      end(await status(options, terminal));
    });
}

function commitOf(text: string): string {
  const commit = text.toLowerCase();
  if (/^[0-9a-f]{7,64}$/.test(commit)) return commit;
  throw new InvalidArgumentError('It must be a commit, or at least its first 7 digits.');
}
