import { sentence } from '#base/findings/problem';
import { CONSEQUENCES, type ConsequenceEntry } from '#lib/review/diff/consequences/catalogue';

const INTRODUCTION = `# Consequences of a change

The codes of consequences that [\`cdk8s-linkerd diff\`](../diff.md) reports, each with its default severity. Some changes have
another severity. \`npm run docs\` generates this page.
`;

/** The document of all consequences, by code. */
export function consequencesDocument(): string {
  const entries = Object.entries<ConsequenceEntry>(CONSEQUENCES).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    INTRODUCTION,
    ...entries.map(([code, { severity, what, why, fix }]) => {
      const lines = [sentence(what), ...(why === undefined ? [] : [`**Why:** ${sentence(why)}`])];
      return `## \`${code}\`\n\n${[`Severity: ${severity}.`, ...lines, ...(fix === undefined ? [] : [`**Fix:** ${sentence(fix)}`])].map(escaped).join('\\\n')}\n`;
    }),
  ].join('\n');
}

const escaped = (text: string): string => text.replace(/</g, '\\<');
