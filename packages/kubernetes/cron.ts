import type { Problem } from '#base/findings/problem';
import { goDurationMs } from '#base/go-duration';
import { KUBERNETES_FINDINGS } from './findings/findings';

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
 * Checks the schedule of a CronJob. Kubernetes refuses any `TZ`, and what `ParseStandard` of robfig/cron v3 refuses
 * (validateScheduleFormat in kubernetes/pkg/apis/batch/validation).
 *
 * @param options.descriptors - whether `@daily` and others are allowed
 */
export function checkCron(field: string, expression: string, { descriptors = true } = {}): Problem[] {
  const of: Schedule = { field, expression };
  if (expression.includes('TZ')) return [KUBERNETES_FINDINGS.cronExpressionRefusedTimeZone(of)];
  if (descriptors && expression.startsWith('@')) return checkDescriptor(of);
  const texts = cronTexts(expression);
  if (texts.length !== CRON_FIELDS.length) {
    return [KUBERNETES_FINDINGS.cronExpressionRefusedFieldCount({ ...of, count: texts.length })];
  }
  return CRON_FIELDS.flatMap((part, index) =>
    (texts[index] ?? '')
      .split(',')
      .filter((range) => range !== '')
      .flatMap((range) => checkRange(of, range, part)),
  );
}

/** Returns the fields of a schedule. */
export function cronTexts(expression: string): readonly string[] {
  return expression.split(SPACE).filter((text) => text !== '');
}

interface Schedule {
  readonly field: string;
  readonly expression: string;
}

function checkDescriptor(of: Schedule): Problem[] {
  const { expression } = of;
  if (DESCRIPTORS.includes(expression)) return [];
  if (!expression.startsWith('@every ')) return [KUBERNETES_FINDINGS.cronExpressionRefusedShorthand(of)];
  const interval = expression.slice('@every '.length);
  if (goDurationMs(interval) !== undefined) return [];
  return [KUBERNETES_FINDINGS.cronExpressionRefusedInterval({ ...of, interval })];
}

function checkRange(of: Schedule, range: string, part: CronField): Problem[] {
  const [span = '', step, ...furtherSteps] = range.split('/');
  const where = { ...of, part: part.name, range };
  if (furtherSteps.length > 0) return [KUBERNETES_FINDINGS.cronExpressionRefusedSteps(where)];
  if (step !== undefined && !isStep(step)) return [KUBERNETES_FINDINGS.cronExpressionRefusedStep({ ...where, step })];
  const bounds = span.split('-');
  // robfig/cron ignores the text after a star.
  if (bounds[0] === '*' || bounds[0] === '?') return [];
  if (bounds.length > 2) return [KUBERNETES_FINDINGS.cronExpressionRefusedBounds(where)];
  const [start = Number.NaN, end = start] = bounds.map((bound) => cronNumber(bound, part));
  const { min, max } = part;
  if (Number.isNaN(start + end)) return [KUBERNETES_FINDINGS.cronExpressionRefusedValue(where)];
  if (start < min || end > max) return [KUBERNETES_FINDINGS.cronExpressionRefusedOutOfRange({ ...where, min, max })];
  return start > end ? [KUBERNETES_FINDINGS.cronExpressionRefusedReversed(where)] : [];
}

/** Returns the number of a bound; NaN if it is invalid. */
export function cronNumber(text: string, { names, min }: CronField): number {
  const index = names.indexOf(text.toLowerCase());
  if (index !== -1) return min + index;
  return /^\+?\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** A step must fit Go's int64. */
function isStep(text: string): boolean {
  if (!/^\+?\d+$/.test(text)) return false;
  const step = BigInt(text.replace('+', ''));
  return step > 0n && step < 2n ** 63n;
}
