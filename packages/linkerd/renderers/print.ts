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

/** Texts that YAML always reads as strings, because no number, boolean or null begins like them. */
const CERTAIN = /^(?![yntf]|[oO])[A-Z_a-z/][\w./-]*$/i;

/**
 * Returns the value that YAML reads if a template prints a text without quotes: the number 1 for the text "1". Returns
 * undefined for an empty text, and for a text that YAML reads as null.
 */
export function unquoted<T extends string | number | undefined>(value: T): T {
  if (typeof value !== 'string' || CERTAIN.test(value)) return value;
  try {
    const map = jsonOf(readYaml(`value: ${value}`)) as { readonly value?: T | null };
    return (map.value ?? undefined) as T;
  } catch (error) {
    // With this text, the chart prints invalid YAML.
    if (error instanceof FunctionError) return value;
    throw error;
  }
}
