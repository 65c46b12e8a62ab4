/** The address on which something listens on all interfaces, of both families unless IPv6 is disabled. */
export function listenAddress(disableIPv6: boolean | undefined, port: number | undefined): string {
  return `${disableIPv6 ? '0.0.0.0' : '[::]'}:${port ?? ''}`;
}
