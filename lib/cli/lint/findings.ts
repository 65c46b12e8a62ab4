import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';
import { didYouMean } from '#base/suggest';
import { MISFIT_CASES, type MisfitParameters, misfitFix, misfitText } from '#kubernetes/schemas/findings';

const UNCHECKED = 'The command would check other files, or with other rules, than the file specifies';

/** Findings about the configuration of lint. */
export const LINT_FINDINGS = catalogue({
  'lint-config-refused': {
    severity: 'error',
    what: ({ message }: Named<'message'>) => `The configuration of lint is not YAML: ${message}`,
    why: UNCHECKED,
    fix: 'correct the line; an editor with YAML support marks it',
  },
  'lint-config-refused/not-map': {
    severity: 'error',
    what: ({ value }: Named<'value'>) => `The configuration of lint is ${value}, not a map`,
    why: UNCHECKED,
    fix: 'write a map, such as `ignore: [vendor/]`',
  },
  'lint-config-refused/entry': {
    severity: 'error',
    what: (misfit: { path: string } & MisfitParameters) => `${misfit.path} ${misfitText(misfit)}`,
    why: UNCHECKED,
    fix: misfitFix,
    cases: MISFIT_CASES,
  },
  'lint-config-refused/code': {
    severity: 'error',
    what: ({ code }: Named<'code'>) => `rules names "${code}", which is not the code of a rule`,
    why: 'The intended rule keeps its own severity',
    fix: ({ similar }: { similar?: string | undefined }) =>
      `correct the code${didYouMean(similar)}; \`cdk8s-linkerd lint --list-rules\` prints them`,
  },
  'lint-config-refused/pattern': {
    severity: 'error',
    what: ({ path, pattern }: Named<'path' | 'pattern'>) => `${path} is "${pattern}", which is not a supported pattern`,
    why: 'Patterns have at most three "*", and neither brackets nor backslashes',
    fix: 'name a folder, such as `vendor/`, or write a shorter pattern, such as `clusters/*`',
  },
  'lint-baseline-refused': {
    severity: 'error',
    what: ({ reason }: Named<'reason'>) => `The baseline cannot be read: ${reason}`,
    why: 'It is unknown which findings to ignore',
    fix: 'write the baseline again: `cdk8s-linkerd lint PATH --baseline FILE --write-baseline`',
  },
});
