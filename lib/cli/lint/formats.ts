/** The output formats of `cdk8s-linkerd lint`. */
export const LINT_FORMATS = ['text', 'json', 'sarif', 'github', 'junit'] as const;

export type LintFormat = (typeof LINT_FORMATS)[number];
