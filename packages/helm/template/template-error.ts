/** Where a template fails, and why. */
export interface TemplateFailure {
  /** The file of the template: `chart/templates/a.yaml`. */
  readonly template: string;
  readonly line: number;
  /** Bytes before the failing node in its line; 0 if the parser fails, which knows lines only. */
  readonly column: number;
  readonly reason: string;
}

/**
 * What Go refuses in a template, in Go's words. If an included template fails, the message leads there from the outermost
 * template, and the fields tell the innermost place and reason.
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

/** The template error that caused an error, through all functions that wrapped it. */
export function templateErrorIn(error: unknown): TemplateError | undefined {
  let cause = error;
  while (cause instanceof Error) {
    if (cause instanceof TemplateError) return cause;
    cause = cause.cause;
  }
  return undefined;
}
