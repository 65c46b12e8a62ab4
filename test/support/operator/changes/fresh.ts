let texts = 0;

/** A unique text, for changes that are made more than once. */
export function fresh(text: string): string {
  texts += 1;
  return `${text}-${texts}`;
}
