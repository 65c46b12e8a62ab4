/** The amount of a difference that is told. */
export interface Detail {
  /** The most fields of an object; 0 for their number alone. */
  readonly fields: number;
  /** The most objects of a group; 0 for their number alone. */
  readonly objects: number;
  /** The most names of objects, files and the like that have something in common. */
  readonly names: number;
  /** The most items of a list, and a third of the lines of a text. */
  readonly items: number;
  /** The most characters of a value. */
  readonly characters: number;
  /** The most groups of clusters; the others are counted. */
  readonly groups: number;
  /** The most consequences of a group that are told apart. */
  readonly consequences: number;
}

/** From all that a person can read to what has room in a few lines: a page is told in the first one that fits. */
export const DETAILS: readonly [Detail, ...Detail[]] = [
  { fields: 60, objects: 200, names: 24, items: 12, characters: 240, groups: 60, consequences: 200 },
  { fields: 20, objects: 100, names: 12, items: 8, characters: 120, groups: 40, consequences: 100 },
  { fields: 8, objects: 60, names: 8, items: 4, characters: 80, groups: 30, consequences: 60 },
  { fields: 0, objects: 60, names: 8, items: 4, characters: 80, groups: 20, consequences: 40 },
  { fields: 0, objects: 0, names: 4, items: 2, characters: 60, groups: 10, consequences: 20 },
  { fields: 0, objects: 0, names: 2, items: 2, characters: 40, groups: 4, consequences: 5 },
  { fields: 0, objects: 0, names: 0, items: 0, characters: 40, groups: 0, consequences: 0 },
];
