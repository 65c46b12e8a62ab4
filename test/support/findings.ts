import type { IConstruct } from 'constructs';
import { type Finding, mergeEqual } from '#base/findings/finding';
import { describeProblem, type Problem } from '#base/findings/problem';
import { prepareTree } from '#lib/gitops/tree/prepare';
import { readTree, rulesOf } from '#lib/gitops/tree/read-tree';
import { reviewConstructs } from '#lib/gitops/tree/review';
import { withoutWarnings } from './plain-app';

/** The errors among findings, merged as in a report, as one-line messages. */
export function errorsIn(findings: readonly Finding[]): readonly { path: string; message: string }[] {
  return mergeEqual(findings)
    .filter(({ severity }) => severity === 'error')
    .map(({ path, problem }) => ({ path, message: describeProblem(problem) }));
}

/** The warnings among findings. */
export function warningsIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'warning');
}

/** The facts of a finding that tests compare: its key in the catalogue, and its parameters. Sentences may change. */
export function facts({ code, cause, parameters }: Problem): { readonly finding: string } & Problem['parameters'] {
  return { ...parameters, finding: cause === undefined ? code : `${code}/${cause}` };
}

/** The errors that cdk8s reports for a construct, without its children. */
export function validate({ node: { path, root } }: IConstruct): readonly string[] {
  const messages = withoutWarnings(() => root.node.validate());
  return messages.flatMap((message) => (message.startsWith(`${path}: `) ? [message.slice(path.length + 2)] : []));
}

/** The errors of all rules of a construct and its descendants, as one-line messages, without errors of objects. */
export function ruleErrorsIn(scope: IConstruct): string[] {
  return ruleFindingsIn(scope).map(describeProblem);
}

/** The errors of all rules of a construct and its descendants, without errors of objects. */
export function ruleFindingsIn(scope: IConstruct): readonly Problem[] {
  prepareTree(scope, 'cdk8s');
  const findings = mergeEqual(reviewConstructs(readTree(scope, 'cdk8s')));
  return findings.filter(({ severity }) => severity === 'error').map(({ problem }) => problem);
}

/** The same errors as code, cause and parameters. */
export function ruleFactsIn(scope: IConstruct) {
  return ruleFindingsIn(scope).map(facts);
}

/** The warnings of a construct, without its children, and without rules that need other objects. */
export function findingsAt(construct: IConstruct): readonly Problem[] {
  return rulesOf(construct)
    .filter((rule) => rule.length === 0)
    .flatMap((rule) => rule({ objects: [], declarations: [] }))
    .filter(({ severity }) => severity === 'warning');
}
