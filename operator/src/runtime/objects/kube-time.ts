/** A time as Kubernetes writes it: RFC 3339 in UTC, cut to whole seconds. */
export function kubeTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
