import type { Command } from 'commander';
import { TRUST_ANCHOR_NAME } from '#anchor/trust-anchor';
import type { AnchorAnswerOptions, AnchorRequestOptions } from './anchor-command';
import { EXIT, EXIT_CODES, type Terminal } from './terminal';

const REQUEST_HELP = `
The command reads the TrustAnchor with kubectl, and writes nothing to the cluster. The request contains no secret.

Exit codes: ${EXIT.done} success, ${EXIT.refused} the TrustAnchor does not wait for a signature, ${EXIT.misuse} misuse, or kubectl failed.`;

const ANSWER_HELP = `
Commit the output, or pipe it to "kubectl apply -f -". The operator checks the certificate before it uses it, and
reports problems in the condition Bridged of the TrustAnchor. The certificate contains no secret.
${EXIT_CODES}`;

/** Adds the commands about a trust anchor with a key outside of the cluster. */
export function addAnchor(program: Command, terminal: Terminal, end: (code: number) => void): void {
  const load = () => require('./anchor-command') as typeof import('./anchor-command');
  const anchor = program.command('anchor').description('sign the next trust anchor with a key outside of the cluster');
  anchor
    .command('request')
    .description('print the request that a TrustAnchor waits for, and on standard error commands that sign it')
    .option('--context <context>', 'context of kubectl (default: the current one)')
    .option('--name <name>', 'name of the TrustAnchor', TRUST_ANCHOR_NAME)
    .option('--kubectl <program>', 'kubectl program to run', 'kubectl')
    .addHelpText('after', REQUEST_HELP)
    .action(async (options: AnchorRequestOptions) => end(await load().anchorRequest(options, terminal)));
  anchor
    .command('answer')
    .description('print the ConfigMap that passes the signed certificate to the operator')
    .argument('<file>', 'the signed certificate in PEM, followed by the CA certificates between it and the anchor')
    .option('-n, --namespace <namespace>', "cert-manager's namespace", 'cert-manager')
    .option('--option', 'print the option of the trust anchor for the program instead')
    .option('--out <file>', 'file to write (default: standard output)')
    .addHelpText('after', ANSWER_HELP)
    .action((file: string, options: AnchorAnswerOptions) => end(load().anchorAnswer(file, options, terminal)));
}
