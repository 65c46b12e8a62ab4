import { type Command, Option } from 'commander';
import { DOCTOR_FORMATS } from '#lib/review/doctor/formats/formats';
import type { DoctorOptions } from './doctor-command';
import { EXIT, type Terminal } from './terminal';
import { wholeNumber } from './whole-number';

const HELP = `
The command reads a cluster with kubectl, in the context that your kubeconfig selects, and prints what is the cause, since
when, what follows from it, and what to do. The first line is the cause that harms the mesh first. It sends only GET
requests, and reads no Secret. What you may not read is reported, and everything else is read all the same.

With a namespace, or a pod or a workload in it (shop/web), the command prints only what keeps those pods from starting,
from becoming ready or from having a proxy.

The command needs no output and no operator. With an output, it also knows what is missing from the cluster.

Exit codes: ${EXIT.done} no cause was found in what could be read, ${EXIT.refused} there is a cause, ${EXIT.misuse} misuse.`;

/** Adds the command that finds the cause of what is wrong in a live cluster. */
export function addDoctor(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('doctor')
    .description('find the cause of what is wrong with the mesh of a live cluster')
    .argument('[namespace[/name]]', 'what does not work: a namespace, or a pod or a workload in it')
    .option('--context <context>', 'context of the kubeconfig (default: the current one)')
    .option(
      '--from <folder>',
      'an output that has the cluster, or manifests of other programs (default: dist, if it is there)',
    )
    .option('--cluster <name>', 'name of the cluster in the output (default: that of the context)')
    .option(
      '--argocd-context <context>',
      'context of the cluster of Argo CD, if different (default: as the output and fleet.yaml say)',
    )
    .addOption(new Option('--format <format>', 'the format').choices(DOCTOR_FORMATS).default('text'))
    .option('--timeout <duration>', 'the longest time for all requests', '2m')
    .option('--max-pages <count>', 'the most that is read of one list, in pages of 250 objects', wholeNumber(1), 100)
    .option('--kubectl <program>', 'kubectl program to run', 'kubectl')
    .addHelpText('after', HELP)
    .action(async (symptom: string | undefined, options: DoctorOptions) => {
      const { doctor } = require('./doctor-command') as typeof import('./doctor-command');
      end(await doctor(symptom, options, terminal));
    });
}
