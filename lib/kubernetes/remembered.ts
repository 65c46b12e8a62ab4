/**
 * A function of an object, called once for each: what it returns is remembered with the object, as long as that is
 * there. For functions that look at nothing else, and objects that nobody changes.
 */
export function remembered<Of extends object, Result>(of: (object: Of) => Result): (object: Of) => Result {
  const results = new WeakMap<Of, { readonly result: Result }>();
  return (object) => {
    const known = results.get(object);
    if (known !== undefined) return known.result;
    const result = of(object);
    results.set(object, { result });
    return result;
  };
}

/** A function of two objects, called once for each pair: see `remembered`. */
export function rememberedOfBoth<One extends object, Other extends object, Result>(
  of: (one: One, other: Other) => Result,
): (one: One, other: Other) => Result {
  const ofOne = remembered((one: One) => remembered((other: Other) => of(one, other)));
  return (one, other) => ofOne(one)(other);
}
