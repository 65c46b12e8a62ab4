/** Parameters of a sentence that are all texts. */
export type Named<Key extends string> = Readonly<Record<Key, string>>;
