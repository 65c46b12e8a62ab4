import { once } from 'node:events';
import { describeProblem, type Problem } from '#base/findings/problem';
import { manifestStream, type RenderRequest, renderChart } from '#lib/cli/render-chart';
import { renderLine } from '#lib/cli/render-line';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { RenderedChartName } from '#linkerd/renderers/chart-names';
import { EXIT, Misuse, problemReport, type Terminal } from './terminal';
import { readValues, type ValuesOptions } from './values-options';

/** The options of `render`. */
export interface RenderOptions extends ValuesOptions {
  readonly release: LinkerdVersion;
  readonly namespace?: string;
  readonly clusterName?: string;
  readonly jsonl?: true;
}

/** Renders a chart to standard output: once, or for each line of standard input. */
export async function render(chart: RenderedChartName, options: RenderOptions, terminal: Terminal): Promise<number> {
  const { release, namespace, clusterName, jsonl } = options;
  if (jsonl && options.values?.includes('-')) {
    throw new Misuse('with --jsonl, standard input contains the requests: "-f -" cannot read it too');
  }
  const read = await readValues(options, terminal);
  if ('problems' in read) return refuse(read.problems, terminal);
  const request = { chart, release, values: read.values, namespace, clusterName };
  return jsonl ? await renderLines(request, terminal) : renderOnce(request, terminal);
}

function renderOnce(request: RenderRequest, terminal: Terminal): number {
  const result = renderChart(request);
  if ('problems' in result) return refuse(result.problems, terminal);
  for (const warning of result.warnings) terminal.stderr.write(`warning: ${describeProblem(warning)}\n`);
  terminal.stdout.write(manifestStream(result.objects));
  return EXIT.done;
}

async function renderLines(request: RenderRequest, { stdin, stdout }: Terminal): Promise<number> {
  let number = 0;
  let code: number = EXIT.done;
  for await (const line of linesOf(stdin.setEncoding('utf8'))) {
    number += 1;
    if (line.trim() === '') continue;
    const { text, isRequest } = renderLine(line, request, number);
    if (!isRequest) code = EXIT.refused;
    // Waiting for the reader keeps memory constant.
    if (!stdout.write(`${text}\n`)) await once(stdout, 'drain');
  }
  return code;
}

function refuse(problems: readonly Problem[], { stderr }: Terminal): number {
  stderr.write(problemReport(problems));
  return EXIT.refused;
}

/**
 * Yields the lines of a stream, one at a time and without line ends. Only a line feed ends a line: JSON may contain
 * the other characters that text readers treat as line ends.
 */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...lines] = chunk.split('\n');
    begun.push(first);
    for (const next of lines) {
      yield begun.join('');
      begun = [next];
    }
  }
  const last = begun.join('');
  if (last !== '') yield last;
}
