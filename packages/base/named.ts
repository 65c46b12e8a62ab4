/** Parameters of a sentence, all of them strings. */
export type Named<Key extends string> = Readonly<Record<Key, string>>;
