/** Formats a time as Kubernetes does: RFC 3339 in UTC, truncated to whole seconds. */
export function kubeTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
