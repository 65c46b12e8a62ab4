import { catalogue } from '../../../operator/api/kubernetes/catalogue';

/** What is wrong with a place in data, by a schema. */
export interface MisfitParameters {
  readonly is: 'unknown' | 'missing' | 'type' | 'unsupported' | 'repeated' | 'invalid';
  /** The value, shortened. */
  readonly value: string;
  /** The type, the values or the rule of the schema. */
  readonly expected: string;
}

/** Returns what is wrong with a place, to follow its path in a sentence. */
export function misfitText({ is, value, expected }: MisfitParameters): string {
  switch (is) {
    case 'unknown':
      return 'is not known';
    case 'missing':
      return 'is missing';
    case 'unsupported':
      return `is ${value}, not one of ${expected}`;
    case 'repeated':
      return `repeats ${value} of ${expected}`;
    case 'invalid':
      return `is ${value}, but ${expected}`;
    default:
      return `is ${value}, not ${expected}`;
  }
}

/**
 * Findings about fields, in the categories of the API server's own errors (k8s.io/apimachinery, field.Error). Each rule
 * has its words, and those of its remedy, in a table: `api-rules/` for the API server, `schema-violation.ts` for schemas.
 */
export const FIELD_FINDINGS = catalogue({
  'field-refused/unknown': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} is not a known field`,
    why: 'The API server refuses unknown fields where validation is strict, and drops them where it is not',
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'field-refused/required': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} is missing`,
    why: ({ rule }: { rule: string }) => `The API server refuses the object without it: ${rule}`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'field-refused/type': {
    severity: 'error',
    what: ({ field, value, expected }: Record<'field' | 'value' | 'expected', string>) =>
      `${field} is ${value}, not ${expected}`,
    why: 'The API server refuses the object',
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'field-refused/not-supported': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}`,
    why: ({ supported }: { supported: string }) => `The API server refuses it: supported values are ${supported}`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'field-refused/invalid': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}`,
    why: ({ rule }: { rule: string }) => `The API server refuses it: ${rule}`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'field-refused/too-long': {
    severity: 'error',
    what: ({ field, size }: { field: string; size: string }) => `${field} has ${size}`,
    why: ({ most }: { most: string }) => `The API server accepts at most ${most}`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'field-refused/forbidden': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} is set`,
    why: ({ rule }: { rule: string }) => `The API server refuses it there: ${rule}`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'field-refused/duplicate': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} repeats ${value}`,
    why: ({ rule }: { rule: string }) => `The API server refuses duplicates: ${rule}`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },

  // Values of charts.
  'chart-value-refused/unknown': {
    severity: 'error',
    what: ({ path }: { path: string }) => `values.${path} is not a known value`,
    why: ({ chart }: { chart: string }) =>
      `Helm ignores values that ${chart} does not read: this one would have no effect`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'chart-value-refused/invalid': {
    severity: 'error',
    what: (misfit: { path: string } & MisfitParameters) => `values.${misfit.path} ${misfitText(misfit)}`,
    why: ({ chart }: { chart: string }) =>
      `The templates of ${chart} would fail, or render a setting that the components refuse`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'chart-value-refused/type': {
    severity: 'error',
    what: ({ path, value, type }: Record<'path' | 'value' | 'type', string>) =>
      `values.${path} is ${value}, not a ${type}`,
    why: ({ chart }: { chart: string }) =>
      `The templates of ${chart} would fail, or render a setting that the components refuse`,
    fix: ({ path, type, usual }: Record<'path' | 'type' | 'usual', string>) =>
      `set ${path} to a ${type}, such as ${usual}`,
  },
});
