/** Formats a string with values like the templates of a chart: nothing is printed for a missing value. */
export function print(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | boolean | undefined)[]
): string {
  return texts.reduce((printed, text, index) => `${printed}${values[index - 1] ?? ''}${text}`);
}
