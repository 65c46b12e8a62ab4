/** The place and the reason of a failure in a template. */
export interface TemplateFailure {
  /** The file of the template: `chart/templates/a.yaml`. */
  readonly template: string;
  readonly line: number;
  /** Bytes before the failing node in its line; 0 for an error of the parser, which reports only lines. */
  readonly column: number;
  readonly reason: string;
}

/**
 * An error of a template, in Go's words. If an included template fails, the message lists the path from the outermost
 * template, and the fields have the innermost place and reason.
 */
export class TemplateError extends Error implements TemplateFailure {
  override readonly name = 'TemplateError';
  readonly template: string;
  readonly line: number;
  readonly column: number;
  readonly reason: string;

  constructor(message: string, failure: TemplateFailure, options?: ErrorOptions) {
    super(message, options);
    this.template = failure.template;
    this.line = failure.line;
    this.column = failure.column;
    this.reason = failure.reason;
  }
}

/** Returns the template error among an error and its causes; undefined if there is none. */
export function templateErrorIn(error: unknown): TemplateError | undefined {
  let cause = error;
  while (cause instanceof Error) {
    if (cause instanceof TemplateError) return cause;
    cause = cause.cause;
  }
  return undefined;
}
