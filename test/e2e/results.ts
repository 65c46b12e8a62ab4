import type { Format } from './options';
import { type Counts, failures, failuresText, successes, sum } from './traffic';
import type { StepName } from './walk';

/** The result of a step. */
export interface StepOutcome {
  readonly step: StepName | 'cleanup';
  readonly ok: boolean;
  readonly seconds: number;
  readonly text: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly traffic?: Counts;
}

/** The result of a run. */
export interface RunResult {
  readonly version: 1;
  readonly run: string;
  readonly kubernetes: string;
  readonly nodes: number;
  readonly release: string;
  readonly steps: readonly StepOutcome[];
}

/** Formats a step as one line. */
export function stepLine({ step, ok, seconds, text }: StepOutcome): string {
  return `${ok ? 'ok    ' : 'FAILED'}  ${step.padEnd(9)} ${durationText(seconds).padStart(7)}  ${text}`;
}

/** Formats seconds: `7s`, `3m05s`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${`${whole % 60}`.padStart(2, '0')}s`;
}

/** Formats the result of a run. As text, only a summary, because the lines of its steps are already printed. */
export function formatResult(result: RunResult, format: Format): string {
  if (format === 'json') return `${JSON.stringify(result, undefined, 2)}\n`;
  return format === 'markdown' ? markdown(result) : textSummary(result);
}

function totalOf({ steps }: RunResult): Counts {
  return steps.reduce<Counts>((total, { traffic = {} }) => sum(total, traffic), {});
}

function textSummary(result: RunResult): string {
  const total = totalOf(result);
  if (Object.keys(total).length === 0) return '';
  return `${successes(total)} requests succeeded; failed: ${failuresText(total)}\n`;
}

function markdown(result: RunResult): string {
  const { kubernetes, nodes, release, steps } = result;
  const total = totalOf(result);
  const kinds = Object.entries(total).map(
    ([kind, count]) => `| ${kind} | ${count.ok} | ${failuresText({ [kind]: count })} | ${count.reconnects} |`,
  );
  return [
    `Kubernetes ${kubernetes}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}, Linkerd ${release}`,
    '',
    '| step | | duration | requests | failed |',
    '| --- | --- | --- | --- | --- |',
    ...steps.map(
      ({ step, ok, seconds, traffic = {} }) =>
        `| ${step} | ${ok ? 'ok' : 'failed'} | ${durationText(seconds)} | ${successes(traffic)} | ${failures(traffic)} |`,
    ),
    ...(kinds.length === 0
      ? []
      : ['', '| requests | succeeded | failed | reconnects |', '| --- | --- | --- | --- |', ...kinds]),
    '',
  ].join('\n');
}
