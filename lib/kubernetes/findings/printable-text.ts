/**
 * Characters that a terminal takes for commands or that turn the direction of a text; line feeds are none. Files of an
 * output, which anybody may have edited, can have them in names and values.
 */
const COMMANDS = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text, or JSON, in which such characters are written as JSON escapes them. */
export function printableText(text: string): string {
  return text.replace(COMMANDS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
