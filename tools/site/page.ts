/** A part of a page that search finds by itself: the text under one heading. */
export interface Section {
  /** The id of its heading; empty for the text before the first. */
  readonly anchor: string;
  readonly title: string;
  /** Depth of the heading, from 1. */
  readonly level: number;
  /** The words of it, without markup. */
  readonly text: string;
}

/** A page of the site. */
export interface SitePage {
  /** Path from the root of the site. */
  readonly path: string;
  readonly title: string;
  /** The kind of page, which search shows next to the title. */
  readonly kind: 'Guide' | 'Reference' | 'Decision';
  /** The HTML between the navigation and the contents. */
  readonly html: string;
  readonly sections: readonly Section[];
  /** The file of the repository that it is made from. */
  readonly source?: string;
}
