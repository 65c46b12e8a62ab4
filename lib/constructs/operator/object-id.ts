/** An object as far as its id in the construct tree follows from it. */
interface Named {
  readonly kind: string;
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

/** The id of an object's construct, by which no two objects of one scope are alike. */
export function objectId({ kind, metadata: { namespace, name } = {} }: Named): string {
  return [kind, namespace, name]
    .filter((part) => part !== undefined)
    .join('-')
    .toLowerCase();
}
