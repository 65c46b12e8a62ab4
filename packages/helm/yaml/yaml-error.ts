import { FunctionError } from '../go/values';

/** A text is no YAML, or YAML that Helm refuses. */
export class YamlError extends FunctionError {
  constructor(
    readonly reason: string,
    /** The line, from 1; `undefined` where the reason is about the document as a whole. */
    readonly line?: number,
  ) {
    super(`error converting YAML to JSON: ${line === undefined ? '' : `yaml: line ${line}: `}${reason}`);
  }
}
