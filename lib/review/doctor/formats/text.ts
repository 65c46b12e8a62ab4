import { counted } from '#base/counted';
import { sentence } from '#base/findings/problem';
import { type StatusFinding, timeText } from '../../status/finding';
import { linesText, sinceText } from '../../status/formats/text';
import type { Cause, DoctorReport } from '../doctor';

/** Limits of the text; JSON contains all findings. */
const MAX_CAUSES = 20;
const MAX_CONSEQUENCES = 10;

const MAX_OTHERS = 30;

/** Renders causes for a terminal. The first line states the first cause. */
export function doctorText({ time, causes, others, read }: DoctorReport): string {
  const shown = causes.slice(0, MAX_CAUSES);
  const sections = [
    ...(causes.length === 0
      ? [`No problem was found on ${timeText(time)}. Objects read, without Secrets: ${readText(read)}.`]
      : []),
    ...shown.map((cause) => causeText(cause, time)),
    ...(causes.length > shown.length
      ? [`${counted(causes.length - shown.length, 'more cause')}: --format json contains all.`]
      : []),
    ...(others.length === 0 ? [] : [othersText(others, time)]),
  ];
  return `${sections.join('\n\n')}\n`;
}

function othersText(others: DoctorReport['others'], now: number): string {
  const shown = others.slice(0, MAX_OTHERS).flatMap((one) => [`  ${lineOf(one, now)}`, `    Fix: ${one.problem.fix}`]);
  const more = others.length - MAX_OTHERS;
  const rest = more > 0 ? [`  and ${more} more: --format json contains all`] : [];
  return linesText(['Other findings, without consequences:', ...shown, ...rest]);
}

function readText(read: DoctorReport['read']): string {
  return Object.entries(read)
    .map(([resource, count]) => `${count} ${resource}`)
    .join(', ');
}

function lineOf({ severity, problem, since }: StatusFinding, now: number): string {
  const age = since === undefined ? '' : ` ${sinceText(since, now)}`;
  return `${severity} [${problem.code}] ${sentence(problem.what)}${age}`;
}

function causeText({ cause, chain, alsoCaused, unread }: Cause, now: number): string {
  const { why, fix } = cause.problem;
  const further = alsoCaused.slice(0, MAX_CONSEQUENCES);
  return linesText([
    lineOf(cause, now),
    `  ${sentence(why)}`,
    ...(cause.evidence ?? []).map((line) => `  Seen: ${line}`),
    ...chain.slice(1).map((one) => `  so: ${lineOf(one, now)}`),
    ...(further.length === 0 ? [] : ['  and so:', ...further.map((one) => `    ${lineOf(one, now)}`)]),
    ...(alsoCaused.length > further.length ? [`    and ${alsoCaused.length - further.length} more`] : []),
    ...(unread.length === 0
      ? []
      : [`  A deeper cause is possible, because these could not be read: ${unread.join(', ')}`]),
    `  Fix: ${fix}`,
  ]);
}
