import { isMap, mergeValues, type Values } from '../helm/values';
import { describeProblem } from '../validation/problem';
import { type RenderRequest, renderChart } from './render-chart';

/** The answer to one line of a batch. */
export interface RenderedLine {
  /** JSON without line breaks: `{"name","objects"}`, or `{"name","error"}`. */
  readonly text: string;
  /** Whether the line was a request at all. Values that cannot be rendered are one. */
  readonly isRequest: boolean;
}

/**
 * Renders what a line of JSON asks for: `{"name","values"}`.
 *
 * @param request - what all lines have in common; a line's values go over its values
 * @param number - of the line, which names it where it does not do so itself
 */
export function renderLine(line: string, request: RenderRequest, number: number): RenderedLine {
  const asked = readLine(line);
  if (typeof asked === 'string') {
    const error = `Line ${number} is no request: ${asked}. Fix: write {"name": "…", "values": {…}} on one line.`;
    return { text: JSON.stringify({ name: `line ${number}`, error }), isRequest: false };
  }
  const { name, values } = asked;
  const result = renderChart({ ...request, values: mergeValues(request.values, values) });
  const answer =
    'objects' in result ? { objects: result.objects } : { error: result.problems.map(describeProblem).join('\n') };
  return { text: JSON.stringify({ name, ...answer }), isRequest: true };
}

/** What a line asks for, or why it asks for nothing. */
function readLine(line: string): { readonly name: string; readonly values: Values } | string {
  let asked: unknown;
  try {
    asked = JSON.parse(line);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (!isMap(asked)) return 'it is no object';
  const { name, values } = asked;
  if (typeof name !== 'string') return 'its name is no text';
  return isMap(values) ? { name, values } : 'its values are no object';
}
