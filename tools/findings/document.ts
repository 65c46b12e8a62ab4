import { type CatalogueEntry, entriesOf, type Text, textWithNames } from '#base/findings/catalogue';
import { sentence } from '#base/findings/problem';
import { fixesWithNames, rulesOf } from '#kubernetes/findings/rule-words';
import { WARNING_CODES } from '#lib/checks/warnings';
import { CATALOGUE, CATALOGUES } from '#lib/cli/catalogues';

const INTRODUCTION = `# Findings

This page lists everything that synth, the command line and the operator's webhook refuse or warn of, by code: the
causes, each with its reason and its fix. \`…\` and names in ‹brackets› are placeholders for values that are known only
when the finding occurs. \`npm run docs\` generates this page.

An **error** stops a synth before it writes anything, and makes the operator refuse the LinkerdConfig. It prints as the
path of the construct, the cause, the reason, its code in brackets, and the fix after "Fix:". Equal findings are one
finding, which lists its places. A wrong value may be reported at its prop and at the objects that contain it.

A **warning** is a risk that you may accept: it prints the same way, and stops no synth. Once you have considered a
warning, acknowledge it by its code; synth then only counts it.
\`Warnings.of(construct).acknowledge(code, reason)\` acknowledges it for a construct and everything below it,
\`acknowledge\` of \`Platform\` for all clusters. Of the errors, you can acknowledge only those that are marked here:
they are about a change of release, and disappear once the change is written.

A **note** reports what a command leaves out, or what is left for you to do: \`cdk8s-linkerd migrate\` and \`render\`
print notes as warnings to standard error, and \`upgrade plan\` prints them in the plan. A note stops no synth, and needs
no acknowledgement.

Findings **about a live cluster** are those of \`cdk8s-linkerd status\` ([status.md](../status.md)) and
\`cdk8s-linkerd doctor\` ([doctor.md](../doctor.md)). Such an error makes the command exit with 1. You cannot acknowledge
them. Their notes report work in progress. Some of their warnings and notes block a promotion
([status.md](../status.md#the-gate-of-a-promotion)).

Codes never change their meaning. A later release may find a problem at more places, or describe it better.
`;

/** Brackets that Markdown does not read as a tag. */
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

const SEVERITIES: ReadonlyMap<string, CatalogueEntry['severity']> = new Map(
  CATALOGUE.map(({ code, severity }) => [code, severity]),
);

const LIVE: ReadonlySet<string> = new Set(
  CATALOGUES.filter(({ page }) => page === 'docs/status.md' || page === 'docs/doctor.md').flatMap(({ findings }) =>
    entriesOf(findings).map(({ code }) => code),
  ),
);

function kind(code: string): string {
  const about = new Map<string, string>(Object.entries(WARNING_CODES)).get(code);
  const severity = SEVERITIES.get(code) ?? 'error';
  if (about !== undefined) return `${severity === 'error' ? 'Error that can be acknowledged' : 'Warning'}: ${about}.`;
  const word = `${severity.charAt(0).toUpperCase()}${severity.slice(1)}`;
  return LIVE.has(code) ? `${word} about a live cluster.` : `${word}.`;
}

function cause(entry: CatalogueEntry): string {
  const causes = [`- ${sentence(words(entry.what))}`, `  **Why:** ${sentence(words(entry.why))}`];
  const [heading, ...lines] = fixesOf(entry);
  return [[...causes, `  ${heading}`].join('\\\n'), ...lines.map((line) => `  - ${line}`)].join('\n');
}

function fixesOf(entry: CatalogueEntry): readonly string[] {
  const rules = rulesOf(entry);
  if (rules !== undefined) {
    const lines = Object.values(rules).map((rule) => `${words(rule.why)}: ${sentence(words(rule.fix))}`);
    return ['**Fix,** by the rule:', ...lines];
  }
  const fixes = fixesWithNames(entry, BRACKETS).map((fix) => sentence(escaped(fix)));
  return fixes.length === 1 ? [`**Fix:** ${fixes[0]}`] : ['**Fix,** one of:', ...fixes];
}

function words(text: Text): string {
  return escaped(textWithNames(text, BRACKETS));
}

function escaped(text: string): string {
  return text.replace(/[<*`\\]/g, '\\$&');
}
