import { type Command, Option } from 'commander';
import { DOCTOR_FORMATS } from '#lib/review/doctor/formats/formats';
import type { DoctorOptions } from './doctor-command';
import { EXIT, type Terminal } from './terminal';
import { wholeNumber } from './whole-number';

const HELP = `
The command reads a cluster with kubectl, in the context that your kubeconfig selects. It prints each cause with its time,
its consequences and a fix; the cause that harms the mesh first comes first. The command sends only GET requests, and
reads no Secret. It reports resources that you are not permitted to read, and reads all others.

With a namespace, or a pod or a workload in it (shop/web), the command prints only why these pods do not start, do not
become ready or have no proxy.

The command needs no output and no operator. With an output, it also finds objects that the cluster lacks.

Exit codes: ${EXIT.done} no errors were found in the readable objects, ${EXIT.refused} errors were found, ${EXIT.misuse} misuse.`;

/** Adds the command that finds the causes of problems in a live cluster. */
export function addDoctor(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('doctor')
    .description('find the causes of problems of the mesh in a live cluster')
    .argument('[namespace[/name]]', 'the namespace, pod or workload that does not work')
    .option('--context <context>', 'context of the kubeconfig (default: the current one)')
    .option(
      '--from <folder>',
      'an output with the cluster, or manifests of other programs (default: dist, if it exists)',
    )
    .option(
      '--cluster <name>',
      'name of the cluster in the output (default: that with this context in fleet.yaml, else the name of the context)',
    )
    .option(
      '--argocd-context <context>',
      'context of the cluster of Argo CD, if different (default: from the output and fleet.yaml)',
    )
    .addOption(new Option('--format <format>', 'the format').choices(DOCTOR_FORMATS).default('text'))
    .option('--timeout <duration>', 'maximum time for all requests', '2m')
    .option('--max-pages <count>', 'maximum size of one list, in pages of 250 objects', wholeNumber(1), 100)
    .option('--kubectl <program>', 'kubectl program to run', 'kubectl')
    .addHelpText('after', HELP)
    .action(async (symptom: string | undefined, options: DoctorOptions) => {
      const { doctor } = require('./doctor-command') as typeof import('./doctor-command');
      end(await doctor(symptom, options, terminal));
    });
}
