import type { ChartFault } from './chart-faults';

/** The reason why a chart is refused, and its place. */
export interface ChartProblem extends ChartFault {
  /** Name of the chart, as far as it is known. */
  readonly chart: string;
  /** Path of the file in the chart, such as `templates/service.yaml`. */
  readonly file?: string | undefined;
  /** Line in the file, from 1, and the column as Helm counts it: the number of bytes before it. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The value or expression concerned. */
  readonly subject?: string | undefined;
}

/** A chart that cannot be read or rendered: the place, the reason, and what to do. */
export class ChartError extends Error {
  override readonly name = 'ChartError';

  constructor(
    readonly problem: ChartProblem,
    options?: ErrorOptions,
  ) {
    super(describeChartProblem(problem), options);
  }
}

function describeChartProblem(problem: ChartProblem): string {
  const { subject, reason, remedy } = problem;
  const about = subject === undefined ? '' : `${subject}: `;
  return `${chartPlace(problem)}: ${about}${reason}. ${remedy}`;
}

/** Returns the place of a problem: `chart podinfo, templates/service.yaml:3:8`. */
export function chartPlace({ chart, file, line, column }: ChartProblem): string {
  const position = [file, line, column].filter((part) => part !== undefined).join(':');
  return position === '' ? `chart ${chart}` : `chart ${chart}, ${position}`;
}
