/**
 * Control characters, which a terminal interprets, except line feeds; and characters that change the direction of a
 * text. Names and values in output files, which anyone may have edited, can contain them.
 */
const COMMANDS = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Commands that CI systems execute even within a line of a log: `##[…]` of GitHub Actions, `##vso[…]` of Azure
 * Pipelines, `##teamcity[…]`.
 */
const CI_COMMANDS = /#(?=#[a-z]*\[)/gi;

/** Escapes control characters and commands of CI systems as JSON does. */
export function printableText(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(COMMANDS, escaped).replace(CI_COMMANDS, escaped);
}

/** As `printableText`, on one line: the start of another line may be a command of a CI system. */
export function printableLine(text: string): string {
  return printableText(text).replaceAll('\n', '\\n');
}

/** Names without a special meaning in Markdown: no markup, no HTML, no mention and no link. */
const ORDINARY = /^(?!.*(?:\/\/|www\.))[\p{L}\p{N}\p{So}./ :;,'"…()=+-]*$/u;

/**
 * Formats a string as a code span of Markdown, within more backticks than it contains in a row.
 */
export function codeSpan(text: string): string {
  const line = printableLine(text);
  if (line.trim() === '') return `\`"${line}"\``;
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Returns a name or a value unchanged, or as code if Markdown would interpret it. */
export function plainName(name: string): string {
  return ORDINARY.test(name) ? name : codeSpan(name);
}

/** Escapes characters that Markdown, or GitHub, would interpret. */
export function escapeMarkdown(words: string): string {
  return printableText(words)
    .replaceAll('\n', ' ')
    .replace(/[\\`*_{}[\]<>#|~&!@]|(?<=www)\.|\/(?=\/)/g, '\\$&');
}
