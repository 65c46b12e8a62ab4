/** Returns the condition of a type in a status. */
export function conditionOf<C extends { readonly type: string }>(
  status: { readonly conditions?: readonly C[] } | undefined,
  type: string,
): C | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
