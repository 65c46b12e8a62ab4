/** A condition, as in Kubernetes' `metav1.Condition`. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

/** Returns the condition of a type in a status. */
export function conditionOf<C extends { readonly type: string }>(
  status: { readonly conditions?: readonly C[] } | undefined,
  type: string,
): C | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
