import { describeException } from '../kubernetes/findings/exception';
import { describeProblem, type Problem } from '../kubernetes/findings/problem';
import { plainCopy } from '../kubernetes/plain-data';
import { isMap, mergeValues, type Values } from '../kubernetes/values';
import { CLI_FINDINGS } from './findings';
import { type RenderRequest, type RenderResult, renderChart } from './render-chart';

/** The answer to one line of a batch. */
export interface RenderedLine {
  /** JSON without line breaks: `{"name","objects"}`, with `"warnings"` if there are any, or `{"name","error"}`. */
  readonly text: string;
  /** Tells whether the line was a request at all. Values that cannot be rendered are one. */
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
  const result = rendered({ ...request, values }, request.values);
  const answer =
    'objects' in result
      ? { objects: result.objects, ...(result.warnings.length > 0 ? { warnings: texts(result.warnings) } : {}) }
      : { error: texts(result.problems).join('\n') };
  return { text: JSON.stringify({ name, ...answer }), isRequest: true };
}

const texts = (problems: readonly Problem[]): readonly string[] => problems.map(describeProblem);

/** No problem with the request of one line is to end the answers to all others. */
function rendered(request: RenderRequest, common: Values): RenderResult {
  const { problems } = plainCopy(request.values, 'values');
  if (problems.length > 0) return { problems };
  try {
    return renderChart({ ...request, values: mergeValues(common, request.values) });
  } catch (error) {
    return { problems: [CLI_FINDINGS.valuesNotRendered({ reason: describeException(error) })] };
  }
}

/** Returns what a line asks for, or why it asks for nothing. */
function readLine(line: string): { readonly name: string; readonly values: Values } | string {
  let asked: unknown;
  try {
    asked = JSON.parse(line);
  } catch (error) {
    // Nothing of what stands there: more people may read the message than the line.
    const position = /position (\d+)/.exec(String(error))?.[1];
    return `it is no JSON${position === undefined ? '' : ` at character ${Number(position) + 1}`}`;
  }
  if (!isMap(asked)) return 'it is no object';
  const { name, values } = asked;
  if (typeof name !== 'string') return 'its name is no text';
  return isMap(values) ? { name, values } : 'its values are no object';
}
