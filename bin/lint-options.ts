import { type Command, Option } from 'commander';
import { LINT_FORMATS } from '#lib/cli/lint/formats';
import type { LintCommandOptions } from './lint-command';
import { EXIT, type Terminal } from './terminal';

const HELP = `
The command checks YAML and JSON with the rules of synth that need no construct: fields, certificates, annotations of
Linkerd, policies, probes, webhooks, references and secrets. In folders, it reads *.yaml, *.yml and *.json, and skips
hidden files, hidden folders and node_modules; "-" is standard input, such as the output of "helm template" or
"kustomize build". On standard error, it names the files that it cannot check.

A reference may lead to an object in a file that the command does not read: only with --complete, it reports references
to objects that are in no file.

A configuration excludes paths, turns rules off, and names objects that exist outside of the files: docs/lint.md.

The annotation "accept.cdk8s-linkerd/CODE" of an object accepts a finding; the value is the reason.

Exit codes: ${EXIT.done} no errors, ${EXIT.refused} errors (with --strict, also warnings, or files over a limit), ${EXIT.misuse} misuse, or nothing to check.`;

/** Adds the command that checks manifests of any program. */
export function addLint(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('lint')
    .description('check manifests of Kubernetes and Linkerd: files, folders, or the output of other programs')
    .argument('[paths...]', 'files and folders; "-" for standard input')
    .addOption(new Option('--format <format>', 'format of the findings').choices(LINT_FORMATS).default('text'))
    .option('--strict', `exit with ${EXIT.refused} for warnings, too, and if a limit excluded files`)
    .option('--only <codes>', 'codes to report, separated by commas (repeatable)', codes)
    .option('--skip <codes>', 'codes not to report, separated by commas (repeatable)', codes)
    .option('--complete', 'report references to objects that are in no file')
    .option(
      '--config <file>',
      'configuration (default: .cdk8s-linkerd-lint.yaml, here or at the root of the repository)',
    )
    .option('--baseline <file>', 'findings to ignore')
    .option('--write-baseline', 'write the findings to the baseline, and print none')
    .option('--list-rules', 'print the codes that the command can report')
    .addHelpText('after', HELP)
    .action(async (paths: readonly string[], options: LintCommandOptions) => {
      const { lintPaths } = require('./lint-command') as typeof import('./lint-command');
      end(await lintPaths(paths, options, terminal));
    });
}

function codes(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...value.split(',').map((code) => code.trim())];
}
