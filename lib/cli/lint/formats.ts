/** The formats of findings in files. */
export const LINT_FORMATS = ['text', 'json', 'sarif', 'github', 'junit'] as const;

/** A format of findings in files. */
export type LintFormat = (typeof LINT_FORMATS)[number];
