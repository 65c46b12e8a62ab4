/** Calls a function for all items, with limited concurrency, and returns the results in order. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await act(items[index] as T);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
