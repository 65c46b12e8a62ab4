let texts = 0;

/** A text that nobody has seen, for what happens more than once. */
export function fresh(text: string): string {
  texts += 1;
  return `${text}-${texts}`;
}
