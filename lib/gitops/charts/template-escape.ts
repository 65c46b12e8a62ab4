/**
 * Makes a manifest come out of Helm as it went in.
 *
 * Only `{{` opens an action in a Go template (`}}` alone is text), so only that is replaced, by an action that prints
 * it. Its backquotes, unlike double quotes, leave YAML strings intact for people and editors who read the template.
 *
 * Helm also cuts white space off the end of a document, which can be part of a text. A comment after it keeps it.
 */
export function escapeTemplate(manifest: string): string {
  const text = manifest.includes('{{') ? manifest.replaceAll('{{', '{{`{{`}}') : manifest;
  return /\s\n$/.test(text) ? `${text}# (end)\n` : text;
}

/** Undoes `escapeTemplate`. */
export function unescapeTemplate(text: string): string {
  return text.replaceAll('{{`{{`}}', '{{');
}
