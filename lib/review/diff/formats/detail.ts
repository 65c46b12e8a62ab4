/** The amount of detail. */
export interface Detail {
  /** Maximum number of fields of an object; 0 for only their count. */
  readonly fields: number;
  /** Maximum number of objects of a group; 0 for only their count. */
  readonly objects: number;
  /** Maximum number of names in a list, e.g. of objects or files. */
  readonly names: number;
  /** Maximum number of list items. A string may have three times as many lines. */
  readonly items: number;
  /** Maximum length of a value in characters. */
  readonly characters: number;
  /** Maximum number of groups of clusters; the others are counted. */
  readonly groups: number;
  /** Maximum number of separate consequences of a group. */
  readonly consequences: number;
}

/** From full detail to a few lines. Markdown uses the first entry that fits the limit. */
export const DETAILS: readonly [Detail, ...Detail[]] = [
  { fields: 60, objects: 200, names: 24, items: 12, characters: 240, groups: 60, consequences: 200 },
  { fields: 20, objects: 100, names: 12, items: 8, characters: 120, groups: 40, consequences: 100 },
  { fields: 8, objects: 60, names: 8, items: 4, characters: 80, groups: 30, consequences: 60 },
  { fields: 0, objects: 60, names: 8, items: 4, characters: 80, groups: 20, consequences: 40 },
  { fields: 0, objects: 0, names: 4, items: 2, characters: 60, groups: 10, consequences: 20 },
  { fields: 0, objects: 0, names: 2, items: 2, characters: 40, groups: 4, consequences: 5 },
  { fields: 0, objects: 0, names: 0, items: 0, characters: 40, groups: 0, consequences: 0 },
];
