/**
 * Characters that a terminal takes for commands or that turn the direction of a text; line feeds are none. Files of an
 * output, which anybody may have edited, can have them in names and values.
 */
const COMMANDS = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text, or JSON, in which such characters are written as JSON escapes them. */
export function printableText(text: string): string {
  return text.replace(COMMANDS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Names that Markdown takes for nothing but text: no markup, no HTML, no mention and no link. */
const ORDINARY = /^(?!.*(?:\/\/|www\.))[\p{L}\p{N}\p{So}./ :;,'"…()=+-]*$/u;

/** A text as code, within more backticks than it has in a row: nothing in it has a meaning then. */
export function codeSpan(text: string): string {
  const line = printableText(text).replaceAll('\n', '\\n');
  if (line.trim() === '') return `\`"${line}"\``;
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A name or a value as it is, or as code where Markdown would take it for more. */
export function plainName(name: string): string {
  return ORDINARY.test(name) ? name : codeSpan(name);
}

/** Words without what Markdown, or the page that shows it, would take for more. */
export function escapeMarkdown(words: string): string {
  return printableText(words)
    .replaceAll('\n', ' ')
    .replace(/[\\`*_{}[\]<>#|~&!@]|(?<=www)\.|\/(?=\/)/g, '\\$&');
}
