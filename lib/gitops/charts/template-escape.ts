/**
 * Escapes a manifest so that Helm prints it unchanged.
 *
 * Only `{{` opens an action in a Go template (`}}` alone is text). It is replaced by an action that prints it. The
 * action has backquotes: double quotes could end a YAML string for readers and editors of the template.
 *
 * Helm also trims white space from the end of a document, which can be part of a string. An appended comment prevents
 * this.
 */
export function escapeTemplate(manifest: string): string {
  const text = manifest.includes('{{') ? manifest.replaceAll('{{', '{{`{{`}}') : manifest;
  return /\s\n$/.test(text) ? `${text}# (end)\n` : text;
}

/** Reverts `escapeTemplate`. */
export function unescapeTemplate(text: string): string {
  return text.replaceAll('{{`{{`}}', '{{');
}
