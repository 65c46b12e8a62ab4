import { CATALOGUE } from '../../lib/cli/catalogues';
import { LIFTED_ERRORS, WARNING_CODES } from '../../lib/linkerd/warnings';
import { type CatalogueEntry, textWithNames } from '../../operator/api/kubernetes/catalogue';

const INTRODUCTION = `# Findings

Everything that a synth, the command line or the operator's webhook refuses or warns of, by its code: the causes, each
with the reason and the remedy. \`…\` and names in ‹brackets› stand for what is known only when it is found. Made by
\`npm run findings:docs\`.

An **error** stops a synth before anything is written, and the operator refuses the LinkerdConfig. It prints as the
path of the construct, the cause, the reason, its code in brackets, and the remedy after "Fix:". One mistake is one
finding, at the place where it was made: what follows from it in other constructs and objects is left out.

A **warning** is a risk that is yours to take: it prints the same way, and nothing stops. One that you have thought about is acknowledged by its code, and from then on only counted:
\`Warnings.of(construct).acknowledge(code, reason)\` does it for a construct and all below it, \`acknowledge\` of \`Platform\` for
all clusters. Of errors only those can be acknowledged of which it is said here: they are about a change of release, and
gone once it is written.

A **note** is a remark of a command on what it leaves out, or on what is left to do: \`cdk8s-linkerd migrate\` and \`render\`
print notes as warnings to standard error, and \`upgrade plan\` in the plan. Nothing stops, and there is nothing to
acknowledge.

Codes never change their meaning. What they are about may be found at more places, or worded better, in a later
release.
`;

/** Brackets that Markdown does not take for a tag. */
const BRACKETS = ['‹', '›'] as const;

/** Returns the document of all findings, by code. */
export function findingsDocument(): string {
  const codes = [...new Set(CATALOGUE.map(({ code }) => code))].sort();
  return [INTRODUCTION, ...codes.map(section)].join('\n');
}

function section(code: string): string {
  const causes = CATALOGUE.filter((entry) => entry.code === code).map(cause);
  return [`## \`${code}\``, '', kind(code), '', ...causes, ''].join('\n');
}

/** Codes of remarks of commands. */
const NOTES: ReadonlySet<string> = new Set(
  CATALOGUE.filter(({ severity }) => severity === 'note').map(({ code }) => code),
);

function kind(code: string): string {
  const about = new Map<string, string>(Object.entries(WARNING_CODES)).get(code);
  if (about !== undefined)
    return `${LIFTED_ERRORS.has(code) ? 'Error that can be acknowledged' : 'Warning'}: ${about}.`;
  return NOTES.has(code) ? 'Note.' : 'Error.';
}

function cause({ what, why, fix }: CatalogueEntry): string {
  return [
    `- ${sentence(textWithNames(what, BRACKETS))}`,
    `  **Why:** ${sentence(textWithNames(why, BRACKETS))}`,
    `  **Remedy:** ${sentence(textWithNames(fix, BRACKETS))}`,
  ].join('\\\n');
}

function sentence(text: string): string {
  const escaped = text.replace(/[<*`\\]/g, '\\$&');
  return /[.!?]$/.test(escaped) ? escaped : `${escaped}.`;
}
