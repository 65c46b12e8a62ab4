import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';
import { parseGoDuration } from './go-duration';

/** One of the five fields of a schedule. */
export interface CronField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names of values, starting with that of `min`. */
  readonly names: readonly string[];
}

// Bounds and names are those of github.com/robfig/cron/v3 (v3.0.1, spec.go).
export const CRON_FIELDS: readonly CronField[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of the month', min: 1, max: 31, names: [] },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of the week', min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** The characters of Go's `unicode.IsSpace`; JavaScript's `\s` differs in U+0085 and U+FEFF. */
const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/**
 * Reports what Kubernetes refuses in the schedule of a CronJob: what `ParseStandard` of robfig/cron v3 refuses, and any
 * `TZ` (validateScheduleFormat in kubernetes/pkg/apis/batch/validation).
 */
export function checkCron(field: string, expression: string): Problem[] {
  const faults = faultsOf(expression);
  if (faults.length === 0) return [];
  return [KUBERNETES_FINDINGS.cronExpressionRefused({ field, expression, faults: faults.join(', ') })];
}

/** Returns the fields of a schedule. */
export function cronTexts(expression: string): readonly string[] {
  return expression.split(SPACE).filter((text) => text !== '');
}

function faultsOf(expression: string): readonly string[] {
  if (expression.includes('TZ')) return ['it names a time zone'];
  if (expression.startsWith('@')) return descriptorFaults(expression);
  const texts = cronTexts(expression);
  if (texts.length !== CRON_FIELDS.length) {
    return [`it has ${texts.length} ${texts.length === 1 ? 'field' : 'fields'} instead of ${CRON_FIELDS.length}`];
  }
  return CRON_FIELDS.flatMap((field, index) => fieldFaults(texts[index] ?? '', field));
}

function descriptorFaults(descriptor: string): readonly string[] {
  if (DESCRIPTORS.includes(descriptor)) return [];
  if (!descriptor.startsWith('@every ')) return ['it is no known shorthand'];
  const interval = descriptor.slice('@every '.length);
  return parseGoDuration(interval) === undefined ? [`"${interval}" is no duration such as 6h or 1h30m`] : [];
}

function fieldFaults(text: string, field: CronField): readonly string[] {
  return text
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const fault = rangeFault(range, field);
      return fault === undefined ? [] : [`"${range}" is no ${field.name} (${fault})`];
    });
}

function rangeFault(range: string, field: CronField): string | undefined {
  const [span = '', step, ...furtherSteps] = range.split('/');
  if (furtherSteps.length > 0) return 'it has more than one step';
  if (step !== undefined && !isStep(step)) return `"${step}" is no positive step`;
  const bounds = span.split('-');
  // robfig/cron ignores what follows a star.
  if (bounds[0] === '*' || bounds[0] === '?') return undefined;
  if (bounds.length > 2) return 'it has more than two bounds';
  const [start = Number.NaN, end = start] = bounds.map((bound) => cronNumber(bound, field));
  return boundsFault(start, end, field);
}

function boundsFault(start: number, end: number, { min, max }: CronField): string | undefined {
  if (Number.isNaN(start + end)) return 'it is neither a number nor a name';
  if (start < min || end > max) return `values go from ${min} to ${max}`;
  return start > end ? 'its end comes before its start' : undefined;
}

/** Returns the number of a bound; NaN if it is invalid. */
export function cronNumber(text: string, { names, min }: CronField): number {
  const index = names.indexOf(text.toLowerCase());
  if (index !== -1) return min + index;
  return /^\+?\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Whether a step is positive and fits Go's int64. */
function isStep(text: string): boolean {
  if (!/^\+?\d+$/.test(text)) return false;
  const step = BigInt(text.replace('+', ''));
  return step > 0n && step < 2n ** 63n;
}
