/** Thrown for a schema that is invalid, or refers to a schema outside of the chart. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
