/** The user for the proxies of a namespace, or why there is none. */
export type ProxyUid = { readonly uid: number } | { readonly problem: string };

/** The largest `runAsUser` in Kubernetes. */
const LARGEST_UID = 2 ** 31 - 1;

/**
 * Returns the user for the proxies of a namespace whose pods may only run as users of a range: the one `offset` after
 * the first, or the last in a smaller range.
 *
 * @param range `<first>/<number>`, as OpenShift writes it, or `<first>-<last>`, which it also accepts
 */
export function proxyUid(range: string, offset: number): ProxyUid {
  const users = parseRange(range);
  if (users === undefined) return { problem: 'is not <first user>/<number of users>' };
  // OpenShift runs pods as the first user by default, and traffic of the proxy's user is not redirected.
  if (users.last === users.first) return { problem: 'leaves no UID for the proxy next to that of the application' };
  return { uid: Math.min(users.first + offset, users.last) };
}

interface UserRange {
  readonly first: number;
  readonly last: number;
}

function parseRange(text: string): UserRange | undefined {
  const [, from, separator, to] = /^(\d{1,10})([/-])(\d{1,10})$/.exec(text.trim()) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const first = Number(from);
  const last = separator === '/' ? first + Number(to) - 1 : Number(to);
  return last >= first && last <= LARGEST_UID ? { first, last } : undefined;
}
