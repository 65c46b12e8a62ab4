/** A schema that cannot be used, or refers to one outside of the chart. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
