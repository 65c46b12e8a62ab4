import { FunctionError } from '../go/values';

/** Thrown for a text that is not YAML, or YAML that Helm refuses. */
export class YamlError extends FunctionError {
  constructor(
    readonly reason: string,
    /** The line, from 1; undefined if the reason concerns the whole document. */
    readonly line?: number,
  ) {
    super(`error converting YAML to JSON: ${line === undefined ? '' : `yaml: line ${line}: `}${reason}`);
  }
}
