/** Runs work on every item, several at a time. Results have the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  workers: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}
