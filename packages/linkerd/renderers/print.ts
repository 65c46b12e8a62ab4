import { jsonOf } from '#helm/chart/objects';
import { FunctionError } from '#helm/go/values';
import { readYaml } from '#helm/yaml/read-yaml';

/** Formats a string with values like the templates of a chart: nothing is printed for a missing value. */
export function print(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | boolean | undefined)[]
): string {
  return texts.reduce((printed, text, index) => `${printed}${values[index - 1] ?? ''}${text}`);
}

/** Texts that YAML reads as they are: no other begins like them. */
const CERTAIN = /^(?![yntf]|[oO])[A-Z_a-z/][\w./-]*$/i;

/**
 * Returns what YAML reads of a value that a template prints without quotes: the number 1 of the text "1". Nothing is
 * undefined, and so is what YAML takes for null.
 */
export function unquoted<T extends string | number | undefined>(value: T): T {
  if (typeof value !== 'string' || CERTAIN.test(value)) return value;
  try {
    const map = jsonOf(readYaml(`value: ${value}`)) as { readonly value?: T | null };
    return (map.value ?? undefined) as T;
  } catch (error) {
    // With such a text the chart prints no YAML at all.
    if (error instanceof FunctionError) return value;
    throw error;
  }
}
