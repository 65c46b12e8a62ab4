import { catalogue } from '../../../operator/api/kubernetes/catalogue';

/** Findings about fields, in the categories of the API server's own errors (k8s.io/apimachinery, field.Error). */
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
      `Helm ignores values that ${chart} does not read, so this would silently do nothing`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'chart-value-refused/invalid': {
    severity: 'error',
    what: ({ path, fault }: { path: string; fault: string }) => `values.${path} ${fault}`,
    why: ({ chart }: { chart: string }) =>
      `The templates of ${chart} would fail, or render a setting that the components refuse`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
});
