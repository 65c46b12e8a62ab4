import { describeException } from '#base/findings/exception';
import { describeProblem, type Problem } from '#base/findings/problem';
import { isMap, mergeValues, type Values } from '#base/values';
import { plainCopy } from '#kubernetes/objects/plain-data';
import { CLI_FINDINGS } from './findings';
import { type RenderRequest, type RenderResult, renderChart } from './render-chart';

/** The result of one line of a batch. */
export interface RenderedLine {
  /** JSON without line breaks: `{"name","objects"}`, with `"warnings"` if there are any, or `{"name","error"}`. */
  readonly text: string;
  /** Whether the line is a request, even if its values cannot be rendered. */
  readonly isRequest: boolean;
}

/**
 * Renders the request in a line of JSON: `{"name","values"}`.
 *
 * @param request - common to all lines; a line's values override its values
 * @param number - of the line, which is named by it if it has no name
 */
export function renderLine(line: string, request: RenderRequest, number: number): RenderedLine {
  const asked = readLine(line);
  if (typeof asked === 'string') {
    const error = `Line ${number} is not a request: ${asked}. Fix: write {"name": "…", "values": {…}} on one line.`;
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

/** Returns problems instead of throwing, so that one line does not stop the others. */
function rendered(request: RenderRequest, common: Values): RenderResult {
  const { problems } = plainCopy(request.values, 'values');
  if (problems.length > 0) return { problems };
  try {
    return renderChart({ ...request, values: mergeValues(common, request.values) });
  } catch (error) {
    return { problems: [CLI_FINDINGS.valuesNotRendered({ reason: describeException(error) })] };
  }
}

function readLine(line: string): { readonly name: string; readonly values: Values } | string {
  let asked: unknown;
  try {
    asked = JSON.parse(line);
  } catch (error) {
    // The message does not quote the line, which may contain secrets.
    const position = /position (\d+)/.exec(String(error))?.[1];
    return `not valid JSON${position === undefined ? '' : ` at character ${Number(position) + 1}`}`;
  }
  if (!isMap(asked)) return 'not an object';
  const { name, values } = asked;
  if (typeof name !== 'string') return '"name" must be a string';
  return isMap(values) ? { name, values } : '"values" must be an object';
}
