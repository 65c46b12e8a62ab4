/** Quotes a string as one word of a shell, on one line: names in an output or a cluster may contain anything. */
export function shellWord(text: string): string {
  // `‹name›` needs no quotes, either: the documentation shows placeholders this way.
  if (/^[\w./:@%+=,‹›][\w./:@%+=,‹›-]*$/.test(text)) return text;
  if (!/[\n\r]/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `$'${escaped}'`;
}
