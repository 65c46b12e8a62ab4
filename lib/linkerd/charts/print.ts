/** Text with values in it, printed as templates of a chart do it: of a value that is missing, nothing is printed. */
export function print(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | boolean | undefined)[]
): string {
  return texts.reduce((printed, text, index) => `${printed}${values[index - 1] ?? ''}${text}`);
}
